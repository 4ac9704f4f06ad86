import type { App } from 'vue';

const open = new Set<App>();

/** Notes an app that stands in the page: `unmountApps` ends it, with what it listens to. */
export function noteApp(app: App): void {
  open.add(app);
  app.onUnmount(() => open.delete(app));
}

/** Unmounts every app that is still there. */
export function unmountApps(): void {
  for (const app of open) app.unmount();
}

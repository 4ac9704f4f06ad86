import type { Plugin } from 'vite';

/** Modules that a bundler writes itself, and the package whose code they are. */
const written: readonly (readonly [module: RegExp, name: string])[] = [
  [/~icons\/lucide\//, '@iconify-json/lucide'],
  [/plugin-vue:export-helper/, '@vitejs/plugin-vue'],
  [/^\0?vite\/|^\0vite:?preload/, 'vite'],
  [/rolldown[/:]runtime/, 'rolldown'],
];

/** Returns the package that a bundled module belongs to; undefined for the project's own. */
export function packageOf(module: string): string | undefined {
  const installed = /^.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/s.exec(module)?.[1];
  return installed?.replace('\\', '/') ?? written.find(([pattern]) => pattern.test(module))?.[1];
}

/** Collects the packages that have code in what one run builds. Each build of the run, workers among them, needs a plugin of its own. */
export function collectPackages(): { plugin: () => Plugin; names: () => readonly string[] } {
  const found = new Set<string>();
  const plugin = (): Plugin => ({
    name: 'bundled-packages',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'asset') continue;
        for (const module of output.moduleIds) {
          const name = packageOf(module);
          if (name !== undefined) found.add(name);
        }
      }
    },
  });
  return { plugin, names: () => [...found].toSorted() };
}

import '#components/ui/styles.css';

import { createPinia } from 'pinia';
import { type App, type Component, createApp, h } from 'vue';

import { createCatalogue } from '#components/i18n';
import { useTheme } from '#components/use-theme';
import { succeed } from '#core/result';
import answers from '#locales/en.answer.json';
import desk from '#locales/en.desk.json';
import options from '#locales/en.options.json';
import ticket from '#locales/en.ticket.json';
import { accessPort, askPort, clockPort, copyPort, optionsPort, saveFilePort } from '#stores/ports';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import { preferencePort } from '#stores/settings/ports';
import { shortcutPort } from '#stores/ticket/ports';
import { keyRingPort } from '#stores/verifier/ports';
import { now } from '#tests/stores/check/samples';
import { type Script, scriptedWorker } from '#tests/stores/scripted-worker';

/** What a page did to the world outside. */
export interface Outside {
  /** Everything that happened, in order: topics asked, `access …`, `options`. */
  readonly events: string[];
  readonly copied: string[];
  /** What preferences were written, the last one last. */
  readonly written: unknown[];
  readonly bodies: ReturnType<typeof scriptedWorker>['bodies'];
  /** The time as the page sees it. */
  clock: number;
}

interface Setting {
  script: Script;
  props?: Record<string, unknown>;
  preferences?: unknown;
  granted?: boolean;
  /** Binds further ports. */
  ports?: (app: App) => void;
}

let mounted: App | undefined;

/** Puts a page of ours into the document as its entry file does, over a scripted worker. One at a time. */
export function mounting(
  page: Component,
  { script, props = {}, preferences, granted = true, ports }: Setting,
): Outside {
  mounted?.unmount();
  document.body.replaceChildren(document.createElement('div'));
  const worker = scriptedWorker(script);
  const outside: Outside = {
    events: [],
    copied: [],
    written: [],
    bodies: worker.bodies,
    clock: now,
  };
  mounted = createApp({ render: () => h(page, props) })
    .use(createPinia())
    .use(createCatalogue(['en-US'], { en: { ...answers, ...desk, ...options, ...ticket } }))
    .provide(askPort, (topic, body) => {
      outside.events.push(topic);
      return worker.ask(topic, body);
    })
    .provide(clockPort, () => outside.clock)
    .provide(accessPort, (baseAddress) => {
      outside.events.push(`access to ${baseAddress}`);
      return Promise.resolve(granted);
    })
    .provide(saveFilePort, () => undefined)
    .provide(copyPort, (text) => {
      outside.copied.push(text);
      return Promise.resolve(true);
    })
    .provide(optionsPort, () => {
      outside.events.push('options');
    })
    .provide(shortcutPort, { current: () => Promise.resolve(undefined), change: () => undefined })
    .provide(keyRingPort, {
      read: () => Promise.resolve([]),
      change: (change) => Promise.resolve(succeed([...change([])])),
      watch: () => () => undefined,
    })
    .provide(preferencePort, {
      read: () => Promise.resolve(preferences),
      write: (written) => {
        outside.written.push(written);
        return Promise.resolve();
      },
      watch: () => undefined,
    })
    .provide(replyTemplatesPort, {
      read: () => Promise.resolve(undefined),
      write: () => Promise.resolve(),
    });
  ports?.(mounted);
  mounted.mount(document.body.firstElementChild ?? document.body);
  mounted.runWithContext(useTheme);
  return outside;
}

import { createPinia } from 'pinia';
import { type App, type Component, createApp, h } from 'vue';

import { createCatalogue } from '#components/i18n';
import { useTheme } from '#components/use-theme';
import type { HistoryPort } from '#core/history/index';
import type { ReplySettings } from '#core/reply-templates/index';
import { fail, succeed } from '#core/result';
import answers from '#locales/en/answer.json';
import desk from '#locales/en/desk.json';
import options from '#locales/en/options.json';
import shortcuts from '#locales/en/shortcuts.json';
import ticket from '#locales/en/ticket.json';
import policy from '#locales/en/policy.json';
import items from '#locales/en/items.json';
import undo from '#locales/en/undo.json';
import {
  accessPort,
  answersPort,
  askPort,
  clockPort,
  copyPort,
  optionsPort,
  policyChangesPort,
  saveFilePort,
} from '#stores/ports';
import { jobsPort } from '#stores/bulk/ports';
import { historyChangesPort, historyPort } from '#stores/history/ports';
import { recentChecksPort } from '#stores/check/index';
import { itemsPort } from '#stores/items/ports';
import { replyTemplatesPort, type ReplyTemplateStore } from '#stores/reply-templates/ports';
import { usePolicy } from '#stores/policy/policy';
import { historySettingsPort, preferencePort, programPort } from '#stores/settings/ports';
import {
  chipsPort,
  inspectPort,
  shortcutPort,
  ticketCardsPort,
  waitingTextPort,
} from '#stores/ticket/ports';
import { relayInfoPort, tabsPort, teamChangesPort } from '#stores/team/ports';
import { keyRingPort, verifyPort } from '#stores/verifier/ports';
import { connection, now } from '#tests/stores/check/samples';
import { noteApp, unmountApps } from '#tests/support/open-apps';
import { createMemoryReplies } from '#tests/stores/reply-templates/memory-replies';
import { type Script, scriptedWorker } from '#tests/stores/scripted-worker';
import { defaultHistorySettings } from '#core/preferences/index';
import type { JobsPort } from '#core/jobs/index';
import { noEntries } from '#core/settings-import/index';

/** Records what a mounted page did, and sets its clock. */
export interface PageHarness {
  /** Everything that happened, in order: topics asked, `access …`, `options`. */
  readonly events: string[];
  readonly copied: string[];
  /** Licenses, and names of files, that went to the verifier. */
  readonly inspected: string[];
  /** What waits for a first connection. */
  readonly waiting: string[];
  /** What preferences were written, the last one last. */
  readonly written: unknown[];
  /** What reply settings were written, the last one last. */
  readonly repliesWritten: ReplySettings[];
  /** The stored reply settings, as another page reaches them. */
  readonly replies: ReplyTemplateStore;
  readonly bodies: ReturnType<typeof scriptedWorker>['bodies'];
  /** The time as the page sees it. */
  clock: number;
}

export interface Setting {
  script: Script;
  props?: Record<string, unknown>;
  preferences?: unknown;
  granted?: boolean;
  /** Texts in place of those of the pages, such as a translation, and texts besides them. */
  messages?: Record<string, unknown>;
  /** The stored reply settings. */
  replies?: unknown;
  /** Binds further ports. */
  ports?: (app: App) => void;
}

export const noHistory: HistoryPort = {
  settings: () => Promise.resolve(defaultHistorySettings),
  changeSettings: (changes) => {
    const before = defaultHistorySettings;
    return Promise.resolve(succeed({ before, after: { ...before, ...changes } }));
  },
  codeIdOf: (code) => Promise.resolve(code),
  latest: () => Promise.resolve([]),
  ofLatestCodes: () => Promise.resolve([]),
  oldest: () => Promise.resolve(undefined),
  ofCode: () => Promise.resolve([]),
  annotate: () => Promise.resolve(succeed(undefined)),
  remove: () => Promise.resolve(undefined),
  erase: () => Promise.resolve(undefined),
  prune: () => Promise.resolve(undefined),
  mask: () => Promise.resolve(),
};

export const noJobs: JobsPort<Blob> = {
  jobs: () => Promise.resolve([]),
  rows: () => Promise.resolve([]),
  source: () => Promise.resolve(undefined),
  add: () => Promise.resolve(succeed(undefined)),
  watch: () => () => undefined,
};

/** Mounts a page of the bulk checks that `jobs` holds; what is begun runs on without an answer. */
export function mountBulk(
  page: Component,
  jobs: Partial<JobsPort<Blob>>,
  props: Record<string, unknown> = {},
): PageHarness {
  return mounting(page, {
    props,
    script: {
      'connections.list': () => [connection()],
      'bulk.drive': () => new Promise(() => undefined),
      'bulk.remove': () => ({ undoUntil: now + 20_000 }),
    },
    ports: (app) => app.provide(jobsPort, { ...noJobs, ...jobs }),
  });
}

/** Puts a page of ours into the document as its entry file does, over a scripted worker. One at a time. */
export function mounting(
  page: Component,
  { script, props = {}, preferences, granted = true, messages = {}, replies, ports }: Setting,
): PageHarness {
  unmountApps();
  document.body.replaceChildren(document.createElement('div'));
  // Leaves every address to the page.
  const worker = scriptedWorker({
    'items.media': ({ address }) => succeed(address),
    'policy.state': () => ({ policy: null, locked: noEntries, fault: null }),
    'secrets.state': () => ({ mode: 'device', locked: false, lockAfterMinutes: 5 }),
    'team.state': () => ({ joined: null, signedIn: false, signIn: null }),
    ...script,
  });
  const replyTemplates = createMemoryReplies(replies);
  const harness: PageHarness = {
    events: [],
    copied: [],
    inspected: [],
    waiting: [],
    written: [],
    repliesWritten: replyTemplates.written,
    replies: replyTemplates,
    bodies: worker.bodies,
    clock: now,
  };
  const app = createApp({ render: () => h(page, props) })
    .use(createPinia())
    .use(
      createCatalogue(
        'en-US',
        {
          ...messages,
          ...answers,
          ...desk,
          ...options,
          ...shortcuts,
          ...ticket,
          ...items,
          ...undo,
          ...policy,
        },
        messages,
      ),
    )
    .provide(askPort, (topic, body) => {
      // Every page with settings asks it.
      if (topic !== 'policy.state') harness.events.push(topic);
      return worker.ask(topic, body);
    })
    .provide(clockPort, () => harness.clock)
    .provide(accessPort, (baseAddress) => {
      harness.events.push(`access to ${baseAddress}`);
      return Promise.resolve(granted);
    })
    .provide(saveFilePort, () => undefined)
    .provide(relayInfoPort, () => Promise.resolve(fail({ kind: 'no-relay' })))
    .provide(teamChangesPort, () => () => undefined)
    .provide(tabsPort, {
      isOpen: () => Promise.resolve(true),
      watchClosed: () => () => undefined,
    })
    .provide(answersPort, () => () => undefined)
    .provide(policyChangesPort, () => () => undefined)
    .provide(copyPort, (text) => {
      harness.copied.push(text);
      return Promise.resolve(true);
    })
    .provide(optionsPort, (section) => {
      harness.events.push(section === undefined ? 'options' : `options ${section}`);
    })
    .provide(itemsPort, {
      read: () => Promise.resolve({ items: [] }),
      find: () => Promise.resolve(undefined),
    })
    .provide(recentChecksPort, {
      read: () => Promise.resolve([]),
      change: () => Promise.resolve(),
      watch: () => undefined,
      stored: () => Promise.resolve([]),
    })
    .provide(ticketCardsPort, {
      read: () => Promise.resolve(undefined),
      write: () => Promise.resolve(),
      watch: () => undefined,
    })
    .provide(waitingTextPort, {
      put: (text) => {
        harness.waiting.push(text);
        return Promise.resolve();
      },
      take: () => Promise.resolve(harness.waiting.shift()),
    })
    .provide(shortcutPort, { current: () => Promise.resolve(undefined), change: () => undefined })
    .provide(chipsPort, { show: () => undefined })
    .provide(inspectPort, {
      license: (text) => {
        harness.inspected.push(text);
        return Promise.resolve();
      },
      files: (dropped) => {
        harness.inspected.push(...(dropped?.files.map(({ name }) => name) ?? ['']));
        return Promise.resolve();
      },
    })
    .provide(keyRingPort, {
      read: () => Promise.resolve([]),
      change: (change) => Promise.resolve(succeed([...change([])])),
      unused: () => Promise.resolve({ unreadable: 0, newer: false }),
      removeUnreadable: () => Promise.resolve(),
      watch: () => () => undefined,
    })
    .provide(verifyPort, { size: 1, ask: () => Promise.reject(new Error('No verify worker.')) })
    .provide(jobsPort, noJobs)
    .provide(historyPort, noHistory)
    .provide(historyChangesPort, () => () => undefined)
    .provide(historySettingsPort, noHistory)
    .provide(programPort, {
      version: '1.2.3',
      browser: 'Chromium',
      fromSource: () => Promise.resolve(true),
      restart: () => {
        harness.events.push('restart');
      },
      reload: () => {
        harness.events.push('reload');
      },
    })
    .provide(preferencePort, {
      read: () => Promise.resolve(preferences),
      change: (written) => {
        harness.written.push(written);
        return Promise.resolve(succeed(undefined));
      },
      watch: () => undefined,
    })
    .provide(replyTemplatesPort, () => Promise.resolve(replyTemplates));
  ports?.(app);
  noteApp(app);
  app.mount(document.body.firstElementChild ?? document.body);
  app.runWithContext(useTheme);
  // The pages that have settings ask at once what the organization has set.
  void app.runWithContext(() => usePolicy().load());
  return harness;
}

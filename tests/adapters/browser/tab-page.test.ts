import { expect, test } from 'vitest';

import { createTabPage } from '#adapters/browser/tab-page';

type Apis = NonNullable<Parameters<typeof createTabPage>[0]>;

/** The windows and tabs of a browser, as far as a page in window 1 hears of them. */
function browserWith(): {
  readonly apis: Apis;
  readonly activate: (windowId: number) => void;
  readonly update: (change: object, tab: { active: boolean; windowId: number }) => void;
} {
  const onActivated: ((tab: { windowId: number }) => void)[] = [];
  const onUpdated: ((id: number, change: object, tab: object) => void)[] = [];
  const apis = {
    scripting: {},
    tabs: {
      onActivated: { addListener: (listener: never) => onActivated.push(listener) },
      onUpdated: { addListener: (listener: never) => onUpdated.push(listener) },
    },
    windows: { getCurrent: () => Promise.resolve({ id: 1 }) },
  } as unknown as Apis;
  return {
    apis,
    activate: (windowId) => {
      for (const listener of onActivated) listener({ windowId });
    },
    update: (change, tab) => {
      for (const listener of onUpdated) listener(7, change, tab);
    },
  };
}

test.each([
  ['another tab in front', 1, 1],
  ['another tab in front of another window', 2, 0],
])('%s', async (_name, windowId, calls) => {
  const { apis, activate } = browserWith();
  let called = 0;
  createTabPage(apis).follow(() => (called += 1));
  activate(windowId);
  await Promise.resolve();
  await Promise.resolve();
  expect(called).toBe(calls);
});

test.each([
  ['another address', { url: 'https://desk.test/2' }, { active: true, windowId: 1 }, 1],
  ['a page that has loaded', { status: 'complete' }, { active: true, windowId: 1 }, 1],
  ['a page that begins to load', { status: 'loading' }, { active: true, windowId: 1 }, 0],
  ['a title', { title: 'Ticket' }, { active: true, windowId: 1 }, 0],
  ['a tab behind', { status: 'complete' }, { active: false, windowId: 1 }, 0],
  ['the tab in front of another window', { status: 'complete' }, { active: true, windowId: 2 }, 0],
])('%s', async (_name, change, tab, calls) => {
  const { apis, update } = browserWith();
  let called = 0;
  createTabPage(apis).follow(() => (called += 1));
  update(change, tab);
  await Promise.resolve();
  await Promise.resolve();
  expect(called).toBe(calls);
});

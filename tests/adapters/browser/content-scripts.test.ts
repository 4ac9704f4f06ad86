import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createContentScripts } from '#adapters/browser/content-scripts';

type Apis = Parameters<typeof createContentScripts>[0];

/** A page that shows a dialog: it takes no message and runs no script until that is closed. */
const never = (): Promise<never> => Promise.withResolvers<never>().promise;

const api = (fields: {
  tabs?: Partial<Apis['tabs']>;
  scripting?: Partial<Apis['scripting']>;
}): Apis => ({
  scripting: fields.scripting as Apis['scripting'],
  tabs: {
    query: () => Promise.resolve([{ id: 1 }, { id: 2 }]),
    ...fields.tabs,
  } as Apis['tabs'],
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['all scripts', undefined],
  ['the script in one document', { tabId: 1, frameId: 0 }],
])('a message to %s waits for no page that does not answer', async (_name, document) => {
  const reached: number[] = [];
  const scripts = createContentScripts(
    api({
      tabs: {
        sendMessage: (tabId) => {
          reached.push(tabId);
          return never();
        },
      },
    }),
  );
  let isSent = false;
  void scripts.send({}, document).then(() => (isSent = true));
  await vi.advanceTimersByTimeAsync(1000);
  expect(isSent).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(isSent).toBe(true);
  expect(reached).toEqual(document === undefined ? [1, 2] : [1]);
});

test('a message to pages that are gone is no failure', async () => {
  const sendMessage = (): Promise<never> => Promise.reject(new Error('There is no receiver.'));
  const scripts = createContentScripts(api({ tabs: { sendMessage } }));
  await expect(scripts.send({})).resolves.toBeUndefined();
});

test('a page that never loads keeps the script from no other page, and nobody waiting', async () => {
  const started: unknown[] = [];
  const scripts = createContentScripts(
    api({
      scripting: {
        executeScript: ({ target }) => {
          started.push(target.tabId);
          return target.tabId === 1 ? never() : Promise.resolve([]);
        },
      },
    }),
  );
  let isDone = false;
  void scripts.startIn('https://desk.test/*').then(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(2000);
  expect([isDone, started]).toEqual([true, [1, 2]]);
});

test('the step from code to code waits for no frame that never loads', async () => {
  const scripts = createContentScripts(
    api({
      scripting: {
        executeScript: ({ injectImmediately }) =>
          injectImmediately === true
            ? Promise.resolve([{ frameId: 0, result: { count: 2, at: -1 } }, { frameId: 3 }])
            : never(),
      },
    }),
  );
  expect(await scripts.lookForCodes(1)).toEqual([{ frameId: 0, count: 2, at: -1 }]);
});

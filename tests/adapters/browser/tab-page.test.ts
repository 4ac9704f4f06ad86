import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createTabPage } from '#adapters/browser/tab-page';

type Apis = NonNullable<Parameters<typeof createTabPage>[0]>;

/** The windows and tabs of a browser, as far as a page in window 1 hears of them. */
function browserWith(): {
  readonly apis: Apis;
  readonly permit: () => void;
  readonly activate: (windowId: number) => void;
  readonly update: (change: object, tab: { active: boolean; windowId: number }) => void;
} {
  const onActivated: ((tab: { windowId: number }) => void)[] = [];
  const onAdded: (() => void)[] = [];
  const onUpdated: ((id: number, change: object, tab: object) => void)[] = [];
  const apis = {
    scripting: {},
    tabs: {
      onActivated: { addListener: (listener: never) => onActivated.push(listener) },
      onUpdated: { addListener: (listener: never) => onUpdated.push(listener) },
    },
    windows: { getCurrent: () => Promise.resolve({ id: 1 }) },
    permissions: { onAdded: { addListener: (listener: never) => onAdded.push(listener) } },
  } as unknown as Apis;
  return {
    apis,
    permit: () => {
      for (const listener of onAdded) listener();
    },
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
  createTabPage(apis).follow(() => (called += 1), vi.fn());
  activate(windowId);
  await Promise.resolve();
  await Promise.resolve();
  expect(called).toBe(calls);
});

test('an origin that the browser permits now', () => {
  const { apis, permit } = browserWith();
  const permitted = vi.fn();
  createTabPage(apis).follow(vi.fn(), permitted);
  permit();
  expect(permitted).toHaveBeenCalledTimes(1);
});

test.each([
  ['another address', { url: 'https://desk.test/2' }, { active: true, windowId: 1 }, 1],
  ['a page that has loaded', { status: 'complete' }, { active: true, windowId: 1 }, 1],
  ['a page that begins to load', { status: 'loading' }, { active: true, windowId: 1 }, 0],
  ['another title', { title: 'Ticket' }, { active: true, windowId: 1 }, 1],
  ['a tab behind', { status: 'complete' }, { active: false, windowId: 1 }, 0],
  ['the tab in front of another window', { status: 'complete' }, { active: true, windowId: 2 }, 0],
])('%s', async (_name, change, tab, calls) => {
  const { apis, update } = browserWith();
  let called = 0;
  createTabPage(apis).follow(() => (called += 1), vi.fn());
  update(change, tab);
  await Promise.resolve();
  await Promise.resolve();
  expect(called).toBe(calls);
});

describe('a page whose frames load', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  interface Reading {
    readonly read: Promise<{ readonly text: string } | undefined>;
    /** Whether each script that was injected waits for no frame, in order. */
    readonly injected: boolean[];
    readonly load: (texts: readonly string[] | Error) => void;
  }

  /** Reads a page that is injected with scripts once `load` is called, or at once where they wait for no frame. */
  function reading(present: readonly string[] | Error): Reading {
    const injected: boolean[] = [];
    const loaded = Promise.withResolvers<object[]>();
    const framesOf = (texts: readonly string[]): object[] =>
      texts.map((text) => {
        const address = 'https://desk.test/1';
        return { result: { address, loadedAt: address, selection: '', text, quoted: '' } };
      });
    const apis = {
      scripting: {
        executeScript: ({ injectImmediately }: { injectImmediately: boolean }) => {
          injected.push(injectImmediately);
          if (!injectImmediately) return loaded.promise;
          return present instanceof Error
            ? Promise.reject(present)
            : Promise.resolve(framesOf(present));
        },
      },
      tabs: { query: () => Promise.resolve([{ id: 7, url: 'https://desk.test/1' }]) },
    } as unknown as Apis;
    return {
      injected,
      read: createTabPage(apis).read(),
      load: (texts) => {
        if (texts instanceof Error) loaded.reject(texts);
        else loaded.resolve(framesOf(texts));
      },
    };
  }

  test('is read once they have, and only then', async () => {
    const { read, injected, load } = reading(['present']);
    await vi.advanceTimersByTimeAsync(499);
    load(['loaded', 'frame']);
    expect((await read)?.text).toBe('loaded\n\nframe');
    await vi.advanceTimersByTimeAsync(1000);
    expect(injected).toEqual([false]);
  });

  test('is read as it is after half a second', async () => {
    const { read, injected, load } = reading(['present']);
    const settled = vi.fn<() => void>();
    void read.then(settled);
    await vi.advanceTimersByTimeAsync(499);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect((await read)?.text).toBe('present');
    load(['loaded']);
    expect(injected).toEqual([false, true]);
  });

  test.each([
    ['at once', 0],
    ['after a while', 700],
  ])('gives nothing where the browser refuses %s', async (_name, ms) => {
    const { read, load } = reading(new Error('Cannot access contents of the page'));
    const settled = vi.fn<(page: unknown) => void>();
    void read.then(settled);
    await vi.advanceTimersByTimeAsync(ms);
    load(new Error('Cannot access contents of the page'));
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toHaveBeenCalledExactlyOnceWith(undefined);
  });
});

test.each([
  ['https://desk.test/1', 'https://desk.test/1#reply', false],
  ['https://desk.test/1', 'https://desk.test/2', true],
  ['https://desk.test/#/1', 'https://desk.test/#/2', true],
])(
  'a document that was loaded at %s shows %s, and its fields hold what it quotes unless it has moved',
  async (loadedAt, address, moved) => {
    const quoted = '> It is the code';
    const result = {
      address,
      loadedAt,
      subject: '',
      attached: [],
      selection: '',
      text: '',
      quoted,
    };
    const apis = {
      scripting: { executeScript: () => Promise.resolve([{ frameId: 0, result }]) },
      tabs: { query: () => Promise.resolve([{ id: 7, url: address }]) },
    } as unknown as Apis;
    expect(await createTabPage(apis).read()).toMatchObject({
      moved,
      quoted: moved ? '' : quoted,
    });
  },
);

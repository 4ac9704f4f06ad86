import { describe, expect, test } from 'vitest';

import { bindOmnibox, createGestures } from '#background/ticket/gestures';
import type { FrameState } from '#core/chips/index';

/** The gestures over a browser that notes what happens to it, in order. */
function gesturesIn(frames: readonly FrameState[] = [], newTab: number | null = 8) {
  const seen: unknown[] = [];
  const note = (...what: unknown[]): Promise<void> => {
    seen.push(what);
    return Promise.resolve();
  };
  const gestures = createGestures({
    panel: { open: (windowId, how) => note('panel', windowId, how) },
    pendingTexts: {
      put: (pending: unknown) => note('text', pending),
    } as Parameters<typeof createGestures>[0]['pendingTexts'],
    licenseHandoff: {
      put: (text: unknown, at: unknown) => note('handoff', text, at),
    } as Parameters<typeof createGestures>[0]['licenseHandoff'],
    tabs: {
      open: async (page: unknown, where: unknown) => {
        await note('tab', page, where);
        return newTab ?? undefined;
      },
    },
    scripts: {
      lookForCodes: () => Promise.resolve([...frames]),
      goToCode: (...where) => note('go', ...where),
    },
    now: () => 1000,
  });
  return { gestures, seen };
}

describe('a gesture', () => {
  test('opens the panel of its window', async () => {
    const { gestures, seen } = gesturesIn();
    await gestures.showPanel(3);
    expect(seen).toEqual([['panel', 3, 'direct']]);
  });

  test('checks a text in the panel of its window, which opens before anything else', async () => {
    const { gestures, seen } = gesturesIn();
    await gestures.check('a code', 3);
    expect(seen).toEqual([
      ['panel', 3, 'direct'],
      ['text', { text: 'a code', at: 1000, target: { windowId: 3 } }],
    ]);
  });

  test('leaves a license for the verifier before that opens', async () => {
    const { gestures, seen } = gesturesIn();
    await gestures.inspect('a license');
    expect(seen).toEqual([
      ['handoff', 'a license', 1000],
      ['tab', '/verifier.html', 'new'],
    ]);
  });

  test('goes to the next code of a tab, in whichever frame it is', async () => {
    const frames = [
      { frameId: 0, count: 1, at: 0 },
      { frameId: 4, count: 2, at: -1 },
    ];
    const { gestures, seen } = gesturesIn(frames);
    await gestures.goToNextCode(7);
    expect(seen).toEqual([['go', 7, 4, 0]]);
  });

  test('goes nowhere in a tab without codes', async () => {
    const { gestures, seen } = gesturesIn();
    await gestures.goToNextCode(7);
    expect(seen).toEqual([]);
  });
});

describe('a code in the address bar', () => {
  async function typed(disposition: string) {
    const { gestures, seen } = gesturesIn();
    const tasks: Promise<void>[] = [];
    bindOmnibox(
      {
        onInputEntered: {
          addListener: (listener) => {
            listener('a code', disposition);
          },
        },
      },
      gestures,
      (task) => tasks.push(task),
    );
    await Promise.all(tasks);
    return seen;
  }

  test.each([
    ['currentTab', 'here'],
    ['newForegroundTab', 'new'],
    ['newBackgroundTab', 'behind'],
  ])('opens in the tab that was asked for, and never in its address: %s', async (asked, where) => {
    expect(await typed(asked)).toEqual([
      ['tab', '/sidepanel.html', where],
      ['text', { text: 'a code', at: 1000, target: { tabId: 8 } }],
    ]);
  });

  test('is left for nobody where the browser opens no tab', async () => {
    const { gestures, seen } = gesturesIn([], null);
    await gestures.checkInTab('a code', 'here');
    expect(seen).toEqual([['tab', '/sidepanel.html', 'here']]);
  });
});

import type { BrowserContext } from '@playwright/test';

import { type Measurement, type Samples, takenOnce } from '#bench/measurement';
import { bareId, type BenchSetup } from '#bench/setup';
import { openPage } from '#scripts/running/extension';

const limit = 'one field, no script';

const key = 'a';

export const firstPaint: Measurement = {
  name: 'popup, first paint',
  limit,
  goal: { ratio: 1.3 },
  measure: (setup) => samplesOf(setup, 'paint', 'bare'),
};

/**
 * Measures when a real key is shown. It is sent as soon as a field has the focus, so as early as it can be taken, and
 * must still stand in the field once the page is mounted.
 */
export const firstKey: Measurement = {
  name: 'popup, first key shown',
  limit,
  goal: { ratio: 1.3 },
  measure: (setup) => samplesOf(setup, 'key', 'bare'),
};

export const answersEnter: Measurement = {
  name: 'popup, field answers Enter',
  limit: 'Vue and one field, in as many files',
  goal: { ratio: 1.4 },
  measure: (setup) => samplesOf(setup, 'ready', 'vue'),
};

export const answersEnterBesideBare: Measurement = {
  name: 'popup, field answers Enter, beside bare',
  limit,
  goal: { ratio: 2 },
  measure: (setup) => samplesOf(setup, 'ready', 'bare'),
};

interface Opening {
  readonly paint: number;
  /** When the frame with the first key in it began. */
  readonly key: number;
  readonly ready: number;
}

const rounds = 15;
const warmUp = 2;

/** Opens the two limits and our popup in turn. Both extensions have a process, as ours has while its worker runs. */
const openings = takenOnce(async ({ extension: { context, id } }) => {
  const held = await openPage({ context, id: bareId }, 'popup.html');
  const taken = { bare: [] as Opening[], vue: [] as Opening[], ours: [] as Opening[] };
  const open = (extension: string, page = 'popup.html'): Promise<Opening> =>
    openPopup(context, `chrome-extension://${extension}/${page}`);
  for (let round = -warmUp; round < rounds; round += 1) {
    const [bare, vue, ours] = [await open(bareId), await open(bareId, 'vue.html'), await open(id)];
    if (round < 0) continue;
    taken.bare.push(bare);
    taken.vue.push(vue);
    taken.ours.push(ours);
  }
  await held.close();
  return taken;
});

async function samplesOf(
  setup: BenchSetup,
  what: keyof Opening,
  beside: 'bare' | 'vue',
): Promise<Samples> {
  const taken = await openings(`${what} ${beside}`, setup);
  const of = (all: readonly Opening[]): number[] => all.map((opening) => opening[what]);
  return { limit: of(taken[beside]), ours: of(taken.ours) };
}

declare global {
  interface Window {
    /** When a field first received the focus. */
    focusedAt?: number;
    /** When the frame with the first key in the field began. */
    keyShownAt?: number;
    /** Calls back into this process. */
    benchFieldFocused?: () => Promise<void>;
    /** When Vue mounted the page. A page without Vue is ready with its field. */
    mountedAt?: number;
  }
}

/** Opens a popup in a tab and types a key as early as it can be taken. */
export async function openPopup(context: BrowserContext, url: string): Promise<Opening> {
  const page = await context.newPage();
  await page.exposeFunction('benchFieldFocused', () => page.keyboard.press(key));
  await page.addInitScript(() => {
    addEventListener('focusin', () => {
      if (window.focusedAt !== undefined) return;
      window.focusedAt = performance.now();
      void window.benchFieldFocused?.();
    });
    addEventListener('input', () => {
      requestAnimationFrame((at) => (window.keyShownAt ??= at));
    });
    new MutationObserver((_, observer) => {
      if (document.querySelector('[data-v-app]') === null) return;
      window.mountedAt = performance.now();
      observer.disconnect();
    }).observe(document, { subtree: true, attributeFilter: ['data-v-app'] });
  });
  await page.goto(url);
  const opened = await page.waitForFunction((typed) => {
    const [paint] = performance.getEntriesByName('first-paint');
    const scripted = document.querySelector('script[src]') !== null;
    const { focusedAt, keyShownAt, mountedAt } = window;
    if (paint === undefined || focusedAt === undefined || keyShownAt === undefined)
      return undefined;
    if (scripted && mountedAt === undefined) return undefined;
    const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
    if (field?.value !== typed) return undefined;
    const ready = Math.max(focusedAt, mountedAt ?? 0);
    return { paint: paint.startTime, key: keyShownAt, ready };
  }, key);
  const opening = await opened.jsonValue();
  await page.close();
  if (opening === undefined) throw new Error('The popup was measured and the measure lost.');
  return opening;
}

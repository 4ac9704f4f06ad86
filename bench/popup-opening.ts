import type { BrowserContext } from '@playwright/test';

import { alternate, type Measurement, type Samples } from '#bench/measurement';
import { bareId, type BenchSetup } from '#bench/setup';

const limit = 'a popup with one input, no script';

export const firstPaint: Measurement = {
  name: 'popup, first paint',
  limit,
  aim: { ratio: 1.3 },
  measure: (setup) => measureOpening(setup, ({ paint }) => paint),
};

export const readyToType: Measurement = {
  name: 'popup, ready to type',
  limit,
  aim: { ratio: 2 },
  measure: (setup) => measureOpening(setup, ({ ready }) => ready),
};

interface Opening {
  readonly paint: number;
  readonly ready: number;
}

function measureOpening(
  { extension }: BenchSetup,
  pick: (opening: Opening) => number,
): Promise<Samples> {
  const open = async (id: string): Promise<number> =>
    pick(await openPopup(extension.context, `chrome-extension://${id}/popup.html`));
  return alternate(
    () => open(bareId),
    () => open(extension.id),
    { rounds: 21 },
  );
}

declare global {
  interface Window {
    /** When a field last received the focus. */
    focusedAt?: number;
    /** When Vue mounted the page. A page without Vue is ready with its field. */
    mountedAt?: number;
  }
}

async function openPopup(context: BrowserContext, url: string): Promise<Opening> {
  const page = await context.newPage();
  await page.addInitScript(() => {
    addEventListener('focusin', () => {
      window.focusedAt = performance.now();
    });
    new MutationObserver((_, observer) => {
      if (document.querySelector('[data-v-app]') === null) return;
      window.mountedAt = performance.now();
      observer.disconnect();
    }).observe(document, { subtree: true, attributeFilter: ['data-v-app'] });
  });
  await page.goto(url);
  const opened = await page.waitForFunction(() => {
    const [paint] = performance.getEntriesByName('first-paint');
    const scripted = document.querySelector('script[src]') !== null;
    if (paint === undefined || window.focusedAt === undefined) return undefined;
    if (scripted && window.mountedAt === undefined) return undefined;
    return { paint: paint.startTime, ready: Math.max(window.focusedAt, window.mountedAt ?? 0) };
  });
  const opening = await opened.jsonValue();
  await page.close();
  if (opening === undefined) throw new Error('The popup was measured and the measure lost.');
  return opening;
}

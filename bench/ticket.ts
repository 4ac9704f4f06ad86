import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { runExclusive, type Measurement, type Samples } from '#bench/measurement';
import type { Stage } from '#bench/setup';
import { neverTicketText, withinLines } from '#core/ticket/site-notes';
import { chromiumBuild } from '#scripts/extension';

/** A first look over a page of 20,000 text nodes with 20 codes among them. */
export const firstScan: Measurement = {
  name: 'ticket page, first look',
  limit: 'a bare TreeWalker loop over the same text',
  aim: { ratio: 2, slackMs: 4 },
  measure: (stage) =>
    runExclusive(
      () => inPage(stage, bareWalk),
      () => inPage(stage, (page) => scan(page).then(({ total }) => total)),
      { rounds: 9, warmUp: 1 },
    ),
};

/** The longest of its goes: what a frame could have to wait for. */
export const longestGo: Measurement = {
  name: 'ticket page, longest task',
  limit: 'one frame at 60 a second',
  aim: { ratio: 1 },
  measure: (stage) =>
    runExclusive(
      () => Promise.resolve(16),
      () => inPage(stage, (page) => scan(page).then(({ longest }) => longest)),
      { rounds: 5, warmUp: 1 },
    ),
};

/** All that the script does in five seconds in which the page changes 200 times a second. */
export const busyPage: Measurement = {
  name: 'ticket page, 200 changes a second',
  limit: 'one core for those seconds',
  aim: { ratio: 0.02 },
  measure: async (stage): Promise<Samples> => {
    const seconds = 5;
    return runExclusive(
      () => Promise.resolve(seconds * 1000),
      () => inPage(stage, (page) => busy(page, seconds * 1000)),
      { rounds: 3, warmUp: 0 },
    );
  },
};

async function inPage(
  { extension }: Stage,
  measure: (page: Page) => Promise<number>,
): Promise<number> {
  const page = await extension.context.newPage();
  await page.evaluate(fill);
  const taken = await measure(page);
  await page.close();
  return taken;
}

/** Runs in the page. */
function fill(): void {
  const line = (name: string, text: string): HTMLElement =>
    Object.assign(document.createElement(name), { textContent: text });
  document.body.replaceChildren(
    ...Array.from({ length: 5000 }, (_, index) => {
      const message = document.createElement('article');
      const text =
        index % 250 === 7
          ? `My purchase code is cd2adc96-59f5-72e3-a62a-c13f02${String(index).padStart(6, '0')} and it worked until Monday.`
          : 'Since the update to version 2.4 the invoices are numbered from zero, on both of our sites.';
      message.append(
        line('b', 'Lena Brandt'),
        line('time', `2026-05-03 17:${String(index % 60)}`),
        line('p', text),
        line('p', 'Thank you, Lena'),
      );
      return message;
    }),
  );
}

function bareWalk(page: Page): Promise<number> {
  return page.evaluate(() => {
    const started = performance.now();
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    let length = 0;
    while (walker.nextNode()) length += (walker.currentNode as Text).data.length;
    if (length === 0) throw new Error('There is no text.');
    return performance.now() - started;
  });
}

interface Spent {
  total: number;
  longest: number;
}

declare global {
  interface Window {
    spent: Spent;
    /** Goes that were ordered and have not been yet. */
    goes: number;
    counterfoilView: (orders: object, ask: () => Promise<undefined>) => unknown;
  }
}

/** Starts the built script in the page itself, with a watch on all that the browser calls it for. */
async function start(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.spent = { total: 0, longest: 0 };
    window.goes = 0;
    const timed =
      <A extends unknown[]>(task: (...values: A) => void) =>
      (...values: A): void => {
        const started = performance.now();
        task(...values);
        const taken = performance.now() - started;
        window.spent.total += taken;
        window.spent.longest = Math.max(window.spent.longest, taken);
      };
    const idle = window.requestIdleCallback.bind(window);
    window.requestIdleCallback = (task, options) => {
      window.goes += 1;
      return idle((deadline) => {
        timed(task)(deadline);
        window.goes -= 1;
      }, options);
    };
    const frame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (task) => frame(timed(task));
    const Observer = window.MutationObserver;
    window.MutationObserver = class extends Observer {
      constructor(task: MutationCallback) {
        super(timed(task));
      }
    };
  });
  await page.evaluate(await readFile(join(chromiumBuild, 'ticket-view.js'), 'utf8'));
  await page.evaluate(
    ({ never, withinLines }) => {
      const chip = { tone: 'plain', icon: '', words: 'Check' };
      window.counterfoilView(
        {
          ...{ automatic: false, patterns: [], never, withinLines, notes: [] },
          ...{ blank: chip, busy: chip, style: '', size: { width: 112, height: 20 } },
        },
        () => Promise.resolve(undefined),
      );
    },
    { never: neverTicketText, withinLines },
  );
}

async function scan(page: Page): Promise<Spent> {
  await start(page);
  await page.waitForFunction(() => window.goes === 0 && window.spent.total > 0);
  return page.evaluate(() => window.spent);
}

async function busy(page: Page, milliseconds: number): Promise<number> {
  await start(page);
  await page.waitForFunction(() => window.goes === 0 && window.spent.total > 0);
  return page.evaluate(async (milliseconds) => {
    window.spent.total = 0;
    let ticks = 0;
    const messages = document.querySelectorAll('p');
    const timer = setInterval(() => {
      const message = messages[(ticks += 1) % 40];
      if (message)
        message.textContent = `Typing ${String(ticks)}, code cd2adc96-59f5-72e3-a62a-c13f02${String(ticks).padStart(6, '0')}`;
    }, 5);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    clearInterval(timer);
    return window.spent.total;
  }, milliseconds);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { alternate, type Measurement, type Samples, takenOnce } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';
import { chromiumBuild } from '#scripts/running/extension';

/** Measures the first scan of a page of 20,000 text nodes with 20 and with 80 codes among them. */
export const firstScans: readonly Measurement[] = [20, 80].map((codes) => {
  const name = `ticket page, first scan, ${String(codes)} codes`;
  return {
    name,
    limit: 'two TreeWalkers, a rectangle of each code',
    goal: { ratio: 2 },
    measure: async (setup) => {
      const { limit, ours } = await (codes === 20 ? scansOf20(name, setup) : scans(setup, codes));
      return { limit, ours: ours.map(({ total }) => total) };
    },
  };
});

/** Measures the longest task of that scan: a frame could wait that long. */
export const longestTask: Measurement = {
  name: 'ticket page, longest task',
  limit: 'one frame at 60 a second',
  goal: { ratio: 1 },
  measure: async (setup) => {
    const { ours } = await scansOf20('longest', setup);
    return { limit: ours.map(() => 1000 / 60), ours: ours.map(({ longest }) => longest) };
  },
};

interface Scans {
  readonly limit: readonly number[];
  readonly ours: readonly Spent[];
}

const scansOf20 = takenOnce((setup) => scans(setup, 20));

async function scans(setup: BenchSetup, codes: number): Promise<Scans> {
  const ours: Spent[] = [];
  const { limit } = await alternate(
    () => inPage(setup, bareWalk, { codes }),
    () =>
      inPage(
        setup,
        async (page) => {
          const spent = await scan(page);
          ours.push(spent);
          return spent.total;
        },
        { codes },
      ),
    { rounds: 9, warmUp: 0 },
  );
  return { limit, ours };
}

/** Measures all work of the script in five seconds in which the page changes 200 times a second. */
export const busyPage: Measurement = {
  name: 'ticket page, 200 changes a second',
  limit: 'one core for those seconds',
  goal: { ratio: 0.02 },
  measure: async (setup): Promise<Samples> => {
    const seconds = 5;
    return alternate(
      () => Promise.resolve(seconds * 1000),
      () => inPage(setup, (page) => busy(page, seconds * 1000)),
      { rounds: 2, warmUp: 0 },
    );
  },
};

interface TicketText {
  readonly textNodes?: number;
  readonly codes?: number;
}

async function inPage(
  { extension }: BenchSetup,
  measure: (page: Page) => Promise<number>,
  { textNodes = 20_000, codes = textNodes / 1000 }: TicketText = {},
): Promise<number> {
  const page = await extension.context.newPage();
  await page.evaluate(fill, { messages: textNodes / 4, codes });
  // The measurement begins once the page has its layout.
  await page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => setTimeout(done));
      }),
  );
  const taken = await measure(page);
  await page.close();
  return taken;
}

/** Returns the milliseconds that the script works on its first scan of a page. */
export function firstScanOf(setup: BenchSetup, text: TicketText): Promise<number> {
  return inPage(setup, (page) => scan(page).then(({ total }) => total), text);
}

/** Runs in the page: writes messages of four text nodes each. */
function fill({ messages, codes }: { messages: number; codes: number }): void {
  const line = (name: string, text: string): HTMLElement =>
    Object.assign(document.createElement(name), { textContent: text });
  // One at a time: a call takes no quarter of a million arguments.
  const isCode = (index: number): boolean =>
    Math.floor((index * codes) / messages) < Math.floor(((index + 1) * codes) / messages);
  for (let index = 0; index < messages; index += 1) {
    const message = document.createElement('article');
    const text = isCode(index)
      ? `My purchase code is cd2adc96-59f5-72e3-a62a-c13f02${String(index).padStart(6, '0').slice(-6)} and it worked until Monday.`
      : 'Since the update to version 2.4 the invoices are numbered from zero, on both of our sites.';
    message.append(
      line('b', 'Lena Brandt '),
      line('time', `2026-05-03 17:${String(index % 60)}`),
      line('p', text),
      line('p', 'Thank you, Lena'),
    );
    document.body.append(message);
  }
}

/** Does the least that finding codes in a page costs: of shadow roots, no browser has a list. */
function bareWalk(page: Page): Promise<number> {
  return page.evaluate(() => {
    const started = performance.now();
    const form = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    let found = 0;
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      const code = form.exec(text.data);
      if (code === null) continue;
      const range = document.createRange();
      range.setStart(text, code.index);
      range.setEnd(text, code.index + code[0].length);
      found += range.getClientRects().length;
    }
    const elements = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
    let shadows = 0;
    while (elements.nextNode())
      if ((elements.currentNode as Element).shadowRoot !== null) shadows += 1;
    if (found === 0 || shadows > 0) throw new Error('There is no code, or not all of the text.');
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
    /** Idle callbacks that were requested and have not run yet. */
    pendingTasks: number;
    counterfoilView: (settings: object, ask: () => Promise<undefined>) => unknown;
  }
}

/** Starts the built script in the page itself, and times every callback the browser gives it. */
async function start(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.spent = { total: 0, longest: 0 };
    window.pendingTasks = 0;
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
      window.pendingTasks += 1;
      return idle((deadline) => {
        timed(task)(deadline);
        window.pendingTasks -= 1;
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
    const Intersections = window.IntersectionObserver;
    window.IntersectionObserver = class extends Intersections {
      constructor(task: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super(timed(task), options);
      }
    };
    const Sizes = window.ResizeObserver;
    window.ResizeObserver = class extends Sizes {
      constructor(task: ResizeObserverCallback) {
        super(timed(task));
      }
    };
  });
  await page.evaluate(await readFile(join(chromiumBuild, 'ticket-codes.js'), 'utf8'));
  await page.evaluate(await readFile(join(chromiumBuild, 'ticket-view.js'), 'utf8'));
  await page.evaluate(() => {
    const chip = { tone: 'plain', icon: '', label: 'Check', answered: false };
    window.counterfoilView(
      {
        automatic: false,
        // A desk with a single note, which every text of the page is looked up in.
        origin: 'https://mail.google.com',
        patterns: [],
        blank: chip,
        busy: chip,
      },
      () => Promise.resolve(undefined),
    );
  });
}

async function scan(page: Page): Promise<Spent> {
  await start(page);
  await page.waitForFunction(() => window.pendingTasks === 0 && window.spent.total > 0);
  return page.evaluate(() => window.spent);
}

async function busy(page: Page, milliseconds: number): Promise<number> {
  await start(page);
  await page.waitForFunction(() => window.pendingTasks === 0 && window.spent.total > 0);
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

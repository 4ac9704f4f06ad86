import type { Page } from '@playwright/test';

import { type Growth, withHeap, workerHeap } from '#bench/growth/growth';
import { median } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';
import { firstScanOf } from '#bench/ticket';
import { classifyInput } from '#core/codes/index';
import { delay } from '#core/time/index';
import { allowHelpDesk, chipsOf } from '#tests/support/ticket';

const rounds = 7;

/** Measures what the check makes of a pasted ticket. Text beyond 1 MiB is refused unread. */
export const pastedTicketGrowth: Growth = {
  name: 'check, a pasted ticket',
  unit: 'kB',
  sizes: [5, 50, 500],
  measure: (_setup, kilobytes) => {
    const text = ticketOf(kilobytes * 1000);
    const taken: number[] = [];
    let peakBytes = 0;
    for (let round = 0; round < rounds; round += 1) {
      const before = process.memoryUsage().heapUsed;
      const begun = performance.now();
      classifyInput(text);
      taken.push(performance.now() - begun);
      peakBytes = Math.max(peakBytes, process.memoryUsage().heapUsed - before);
    }
    return Promise.resolve({ milliseconds: median(taken), peakBytes });
  },
};

/** Writes a long mail thread with a code now and then. */
function ticketOf(length: number): string {
  const lines: string[] = [];
  let written = 0;
  for (let number = 0; written < length; number += 1) {
    const line =
      number % 40 === 7
        ? `> My purchase code is cd2adc96-59f5-72e3-a62a-${String(number).padStart(12, '0')}, bought in May.`
        : '> Since the update to version 2.4 the invoices are numbered from zero, on both of our sites.';
    lines.push(line);
    written += line.length + 1;
  }
  return lines.join('\n').slice(0, length);
}

/** Measures all work of the ticket script in its first scan of a page. */
export const pageTextGrowth: Growth = {
  name: 'ticket page, first scan',
  unit: 'text nodes',
  sizes: [20_000, 200_000, 1_000_000],
  measure: async (setup, nodes) => ({
    milliseconds: await firstScanOf(setup, { textNodes: nodes }),
  }),
};

/** Automatic checks that a tab may have in a minute. */
const inAMinute = 10;

/**
 * Measures the automatic checks of a day on a help desk that changes its page: each minute shows other codes. The
 * worker's clock is put forward and the script's pauses are left out, so that a day takes minutes.
 */
export const automaticDay: Growth = {
  name: 'ticket page and worker, automatic checks in one tab',
  unit: 'checks',
  sizes: [100, 1_000, 10_000],
  measure: async (setup, checks) => {
    const { extension, sandbox } = setup;
    const desk = `${sandbox.origin.replace('127.0.0.1', 'localhost')}/desk`;
    await allowHelpDesk({ now: extension }, desk, true);
    const page = await extension.context.newPage();
    await page.goto(`${desk}/tickets/1046`);
    while ((await chipsOf(page)).length === 0) await delay(50);
    await leaveOutPauses(page, extension.id);
    // The first minute loads what is loaded once, which belongs to no day.
    await oneMinute(setup, page);
    const workerBefore = await workerHeap(extension);
    const cost = await withHeap(page, async () => {
      const begun = performance.now();
      for (let at = 0; at < checks; at += inAMinute) await oneMinute(setup, page);
      return performance.now() - begun;
    });
    const workerHeld = (await workerHeap(extension)) - workerBefore;
    await page.close();
    return { ...cost, heldBytes: cost.heldBytes + workerHeld };
  },
};

/** Puts the worker's clock forward by a minute, shows codes, and waits until each has its verdict. */
async function oneMinute({ extension, freshCode }: BenchSetup, page: Page): Promise<void> {
  const worker = extension.context
    .serviceWorkers()
    .find((each) => each.url().includes(extension.id));
  await worker?.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 60_000;
  });
  await page.evaluate(
    (codes) => {
      const messages = codes.map((code) =>
        Object.assign(document.createElement('p'), {
          textContent: `My code is ${code}, thanks.`,
          style: 'margin:4px',
        }),
      );
      for (const message of messages) message.dataset['message'] = '';
      document.querySelector('main')?.replaceChildren(...messages);
    },
    Array.from({ length: inAMinute }, freshCode),
  );
  const deadline = performance.now() + 60_000;
  for (;;) {
    const chips = await chipsOf(page);
    if (chips.length === inAMinute && chips.every(({ tone }) => tone !== 'plain')) return;
    if (performance.now() > deadline)
      throw new Error(`Not checked: ${chips.map(({ label }) => label).join()}`);
    await delay(50);
  }
}

/** Has our script in a page wait no longer than 20 ms for anything, such as between two checks. */
async function leaveOutPauses(page: Page, extensionId: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const contexts: { readonly id: number; readonly origin: string }[] = [];
  session.on('Runtime.executionContextCreated', ({ context }) => contexts.push(context));
  await session.send('Runtime.enable');
  const ours = contexts.find(({ origin }) => origin === `chrome-extension://${extensionId}`);
  if (ours === undefined) throw new Error('Our script does not run in the page.');
  await session.send('Runtime.evaluate', {
    contextId: ours.id,
    expression: `{
      const wait = setTimeout;
      globalThis.setTimeout = (task, ms, ...rest) => wait(task, Math.min(ms, 20), ...rest);
    }`,
  });
  await session.detach();
}

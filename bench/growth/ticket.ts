import { median } from '#bench/measurement';
import type { Growth } from '#bench/growth/growth';
import { firstScanOf } from '#bench/ticket';
import { classifyInput } from '#core/check/find-codes';

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

import type { Growth } from '#bench/growth/growth';
import { firstScanOf } from '#bench/ticket';

/** Measures all work of the ticket script in its first scan of a page. */
export const pageTextGrowth: Growth = {
  name: 'ticket page, first scan',
  unit: 'text nodes',
  sizes: [20_000, 200_000, 1_000_000],
  measure: async (setup, nodes) => ({ milliseconds: await firstScanOf(setup, nodes) }),
};

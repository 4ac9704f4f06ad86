import { demo } from '#sandbox/seed/demo';
import { market } from '#sandbox/seed/market';
import type { SeedAccount } from '#sandbox/seed/shape';
import { solo } from '#sandbox/seed/solo';

/** Lists every seller of a new database. */
export const accounts: readonly SeedAccount[] = [demo, market, solo];

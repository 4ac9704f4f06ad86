import { measureTokenList } from '#bench/growth/verifier-page';
import type { Growth } from '#bench/growth/growth';

/** Measures the verifier's table: memory must stay flat, its rows aside. */
export const batchGrowth: Growth = {
  name: 'verifier, a batch',
  unit: 'documents',
  sizes: [1_000, 10_000, 100_000],
  measure: (setup, documents) => measureTokenList(setup, { documents }),
};

const mebibyte = 1024 * 1024;

/** Measures one file of tokens, up to the largest that is read as a list. */
export const tokenFileGrowth: Growth = {
  name: 'verifier, one file of tokens',
  unit: 'MiB',
  sizes: [0.32, 3.2, 32],
  measure: (setup, size) => measureTokenList(setup, { bytes: size * mebibyte }),
};

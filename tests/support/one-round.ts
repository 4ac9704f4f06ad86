import { afterAll, beforeAll } from 'vitest';

/**
 * Derives the keys of the tests of a file in one round: 600,000 take a fifth of a second, and some tests choose a
 * passphrase thirty times.
 */
export function deriveInOneRound(): void {
  const { subtle } = crypto;
  const derive = subtle.deriveBits.bind(subtle);
  beforeAll(() => {
    subtle.deriveBits = (algorithm, ...rest) =>
      derive({ ...(algorithm as Pbkdf2Params), iterations: 1 }, ...rest);
  });
  afterAll(() => {
    Reflect.deleteProperty(subtle, 'deriveBits');
  });
}

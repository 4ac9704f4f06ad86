import { describe, expect, it } from 'vitest';

import { chooseEngine, nobleEngine, webCryptoEngine } from '#core/keys/ed25519';
import { runSelfTest } from '#tests/core/keys/self-test';
import { disagreements } from '#tests/core/keys/engine-comparison';

describe('in this browser', () => {
  it.each([nobleEngine(), webCryptoEngine(crypto.subtle)])(
    'answers every vector and crafted case by the one rule: $name',
    async (engine) => {
      const rows = await runSelfTest(engine);
      expect(rows.filter((row) => row.answered !== row.expected)).toEqual([]);
    },
  );

  it('gives one answer in both engines over hundreds of random and mutated signatures', async () => {
    const { accepted, different } = await disagreements(500, 2);
    expect(different).toEqual([]);
    expect(accepted).toBeGreaterThan(50);
  }, 60_000);

  it('is fit to use the native engine', async () => {
    expect((await chooseEngine()).name).toBe('webcrypto');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { edgeCases } from '#core/keys/edge-cases';
import { verifySignature, chooseEngine, nobleEngine, webCryptoEngine } from '#core/keys/ed25519';
import { rfc8032Vectors } from '#tests/core/keys/rfc-8032-vectors';
import { runSelfTest } from '#tests/core/keys/self-test';
import { craftedCases } from '#tests/core/keys/crafted';
import { disagreements } from '#tests/core/keys/engine-comparison';
import { makeSigner } from '#tests/core/keys/sign';
import { isUnderMutation } from '#tests/support/under-mutation';

const engines = [nobleEngine(), webCryptoEngine(crypto.subtle)];

describe.each(engines.map((engine) => [engine.name, engine] as const))('%s', (_, engine) => {
  it('answers every published vector and every crafted case by the one rule', async () => {
    const rows = await runSelfTest(engine);
    expect(rows).toHaveLength(rfc8032Vectors.length + edgeCases.length);
    expect(rows.filter((row) => row.answered !== row.expected)).toEqual([]);
  });

  it('takes no input for a reason to throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 70 }),
        fc.uint8Array({ maxLength: 70 }),
        fc.uint8Array({ maxLength: 70 }),
        async (publicKey, message, signature) => {
          expect(await verifySignature({ publicKey, message, signature }, engine)).toBe(false);
        },
      ),
    );
  });

  it('remembers each key by its bytes and not by the array they came in', async () => {
    const signer = makeSigner(7);
    const message = new Uint8Array([1, 2, 3]);
    const signature = signer.sign(message);
    const publicKey = signer.publicKey.slice();
    expect(await verifySignature({ publicKey, message, signature }, engine)).toBe(true);
    publicKey.fill(9);
    expect(await verifySignature({ publicKey, message, signature }, engine)).toBe(false);
    expect(await verifySignature({ publicKey: signer.publicKey, message, signature }, engine)).toBe(
      true,
    );
  });
});

it('keeps the crafted cases as they are built from points of the curve', () => {
  expect(edgeCases).toEqual(craftedCases());
});

it.skipIf(isUnderMutation)(
  'gives one answer in both engines over hundreds of random and mutated signatures',
  async () => {
    const { compared, accepted, different } = await disagreements(500);
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(500);
    expect(accepted).toBeGreaterThan(50);
  },
  60_000,
);

describe('choosing an engine', () => {
  it('takes WebCrypto where it keeps the rule', async () => {
    expect((await chooseEngine(crypto.subtle)).name).toBe('webcrypto');
  });

  it('takes noble where WebCrypto knows no Ed25519', async () => {
    const without = {
      importKey: () => Promise.reject(new Error('NotSupportedError')),
      verify: () => Promise.reject(new Error('NotSupportedError')),
    };
    expect((await chooseEngine(without as unknown as SubtleCrypto)).name).toBe('noble');
  });

  it('takes noble where WebCrypto accepts what the rule refuses', async () => {
    const lenient = {
      importKey: crypto.subtle.importKey.bind(crypto.subtle),
      verify: (): Promise<boolean> => Promise.resolve(true),
    };
    expect((await chooseEngine(lenient as unknown as SubtleCrypto)).name).toBe('noble');
  });
});

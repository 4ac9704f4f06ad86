import { describe, expect, it } from 'vitest';

import { type Bytes, bytesOfHex, hexOf } from '#core/encoding/index';
import {
  type Ed25519Engine,
  encodesReduced,
  verifySignature,
  chooseEngine,
  nobleEngine,
  webCryptoEngine,
} from '#core/keys/ed25519';
import { runSelfTest } from '#tests/core/keys/self-test';
import { makeSigner } from '#tests/core/keys/sign';

const bytes = (hex: string): Bytes => bytesOfHex(hex) ?? new Uint8Array();
const order = 'edd3f55c1a631258d69cf7a2def9de14'.padEnd(62, '0') + '10';
const prime = `ed${'ff'.repeat(30)}7f`;

describe('what is refused before any arithmetic', () => {
  const willing: Ed25519Engine = {
    name: 'noble',
    fitKey: () => undefined,
    holds: () => Promise.resolve(true),
  };
  const { publicKey } = makeSigner(1);
  const isAsked = (key: Uint8Array, signature: string): Promise<boolean> =>
    verifySignature({ publicKey: key, message: bytes(''), signature: bytes(signature) }, willing);
  const r = hexOf(publicKey);

  it('is a key or a signature of another length', async () => {
    expect(await isAsked(publicKey, r + '00'.repeat(32))).toBe(true);
    expect(await isAsked(Uint8Array.of(...publicKey, 0), r + '00'.repeat(32))).toBe(false);
    expect(await isAsked(publicKey, r + '00'.repeat(33))).toBe(false);
  });

  it('is a scalar that is not below the order of the group', async () => {
    expect(await isAsked(publicKey, r + order.replace('ed', 'ec'))).toBe(true);
    expect(await isAsked(publicKey, r + order)).toBe(false);
    expect(await isAsked(publicKey, r + order.replace('ed', 'ee'))).toBe(false);
    expect(await isAsked(publicKey, `${r}${'00'.repeat(31)}11`)).toBe(false);
    expect(await isAsked(publicKey, `${r}${'ff'.repeat(31)}0f`)).toBe(true);
  });

  it('is a coordinate that is not below the prime', () => {
    for (const reduced of [
      prime.replace('ed', 'ec'),
      prime.replace('edff', 'fffe'),
      `ff${'ff'.repeat(29)}fe7f`,
      `${'ff'.repeat(31)}7e`,
      `${'ff'.repeat(31)}fe`,
    ]) {
      expect(encodesReduced(bytes(reduced))).toBe(true);
    }
    for (const more of [prime, prime.replace('ed', 'ee'), 'ff'.repeat(32)]) {
      expect(encodesReduced(bytes(more))).toBe(false);
    }
  });
});

describe('an engine over WebCrypto', () => {
  const imported: unknown[][] = [];
  let verified = 0;
  const subtleThat = (refuses: boolean): SubtleCrypto => {
    imported.length = 0;
    verified = 0;
    const importKey = (...how: unknown[]): Promise<object> => {
      imported.push(how);
      return refuses ? Promise.reject(new Error('NotSupportedError')) : Promise.resolve({});
    };
    const verify = (): Promise<boolean> => {
      verified += 1;
      return Promise.resolve(true);
    };
    return { importKey, verify } as unknown as SubtleCrypto;
  };
  const keyOf = (at: number): Bytes => Uint8Array.of(at >> 8, at & 255, ...new Uint8Array(30));
  const ask = (engine: Ed25519Engine, at: number): Promise<boolean> =>
    engine.holds(keyOf(at), bytes(''), new Uint8Array(64));

  it('imports a key for verifying alone, and never to give it out', async () => {
    const subtle = subtleThat(false);
    await ask(webCryptoEngine(subtle), 1);
    await chooseEngine(subtle);
    expect(imported.length).toBeGreaterThan(1);
    for (const [format, , algorithm, extractable, usages] of imported) {
      expect([format, algorithm, extractable, usages]).toEqual([
        'raw',
        { name: 'Ed25519' },
        false,
        ['verify'],
      ]);
    }
  });

  it('imports each of 256 keys once, then starts again', async () => {
    const engine = webCryptoEngine(subtleThat(false));
    for (let at = 0; at < 256; at += 1) await ask(engine, at);
    await ask(engine, 0);
    expect(imported).toHaveLength(256);
    await ask(engine, 256);
    await ask(engine, 256);
    expect(imported).toHaveLength(257);
    await ask(engine, 0);
    expect(imported).toHaveLength(258);
  });

  it('does not verify under a key that it cannot import: JavaScript does', async () => {
    const engine = webCryptoEngine(subtleThat(true));
    const signer = makeSigner(1);
    const message = bytes('0102');
    const signature = signer.sign(message);
    expect(await engine.holds(signer.publicKey, message, signature)).toBe(true);
    expect(await engine.holds(signer.publicKey, bytes('0103'), signature)).toBe(false);
    expect(verified).toBe(0);
  });
});

describe('the keys that may be relied on', () => {
  it('are those of generators, and nothing else', () => {
    const engine = nobleEngine();
    const { publicKey } = makeSigner(1);
    for (let time = 0; time < 2; time += 1) {
      expect(engine.fitKey(hexOf(publicKey))).toEqual(publicKey);
      for (const raw of ['', 'zz', `01${'00'.repeat(31)}`, hexOf(publicKey).slice(2)]) {
        expect(engine.fitKey(raw)).toBeUndefined();
      }
    }
  });
});

it('the self-test says where each of its rows comes from', async () => {
  const rows = await runSelfTest(nobleEngine());
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(['rfc-8032', 'crafted']));
  expect(new Set(rows.map(({ expected }) => expected))).toEqual(new Set([true, false]));
});

import { bytesOfHex, hexOf } from '#core/encoding/index';
import { edgeCases } from '#core/keys/edge-cases';
import { verifySignature, nobleEngine, webCryptoEngine } from '#core/keys/ed25519';
import { rfc8032Vectors } from '#tests/core/keys/rfc-8032-vectors';
import { makeSigner } from '#tests/core/keys/sign';

interface Comparison {
  readonly compared: number;
  readonly accepted: number;
  readonly different: readonly string[];
}

/** Asks both engines about signatures that are genuine, crafted, and each of these with a few bits or bytes changed. */
export async function disagreements(count: number, seed = 1): Promise<Comparison> {
  const [noble, native] = [nobleEngine(), webCryptoEngine(crypto.subtle)];
  const random = sequence(seed);
  const pool = sources(random);
  const different: string[] = [];
  let accepted = 0;
  for (let done = 0; done < count; done += 1) {
    const from = pool[random(pool.length)];
    if (from === undefined) continue;
    const mutated = done % 4 === 0 ? from : mutate(from, random);
    const [publicKey, message, signature] = mutated;
    const [here, there] = await Promise.all([
      verifySignature({ publicKey, message, signature }, noble),
      verifySignature({ publicKey, message, signature }, native),
    ]);
    if (here) accepted += 1;
    if (here !== there) different.push(mutated.map(hexOf).join(' '));
  }
  return { compared: count, accepted, different };
}

type Triple = readonly [publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array];

function sources(random: (below: number) => number): Triple[] {
  const genuine = Array.from({ length: 40 }, (_, index): Triple => {
    const signer = makeSigner(index);
    const message = Uint8Array.from({ length: random(120) }, () => random(256));
    return [signer.publicKey, message, signer.sign(message)];
  });
  const crafted = [...rfc8032Vectors, ...edgeCases].map((edge): Triple => {
    const bytes = (hex: string): Uint8Array => bytesOfHex(hex) ?? new Uint8Array();
    return [bytes(edge.publicKey), bytes(edge.message), bytes(edge.signature)];
  });
  return [...genuine, ...crafted];
}

function mutate(from: Triple, random: (below: number) => number): Triple {
  const copy = from.map((bytes) => bytes.slice()) as [Uint8Array, Uint8Array, Uint8Array];
  const part = copy[random(3)];
  if (part === undefined || part.length === 0) return copy;
  const at = random(part.length);
  if (random(2) === 0) part[at] = (part[at] ?? 0) ^ (1 << random(8));
  else part[at] = [0, 1, 0x7f, 0x80, 0xec, 0xed, 0xff][random(7)] ?? 0;
  return copy;
}

/** A repeatable sequence (mulberry32), so that a disagreement can be found again. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

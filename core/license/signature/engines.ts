import { Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

import {
  type Bytes,
  bytesOfHex,
  concatBytes,
  equalBytes,
  hexOf,
} from '#core/license/encoding/bytes';
import {
  type Ed25519Engine,
  judgeRawKey,
  pointOf,
  verifySignature,
} from '#core/license/signature/ed25519';
import { type EdgeCase, edgeCases } from '#core/license/signature/edge-cases';

const ed25519 = { name: 'Ed25519' };
const keptKeys = 256;

/**
 * Creates an engine with the arithmetic in plain JavaScript: for contexts without WebCrypto, and for browsers whose WebCrypto
 * has no Ed25519.
 */
export function nobleEngine(): Ed25519Engine {
  const points = new Map<string, Point | undefined>();
  return {
    name: 'noble',
    fitKey: keyCheck(),
    holds(publicKey, message, signature) {
      const point = remembered(points, nameOf(publicKey), () => pointOf(publicKey));
      return Promise.resolve(
        point !== undefined && equationHolds(point, publicKey, message, signature),
      );
    },
  };
}

/**
 * Creates an engine over the browser's own Ed25519, with each key imported once. Where it will not answer (a key that it refuses to import),
 * the arithmetic in JavaScript does, so that a refusal never becomes a verdict of its own.
 */
export function webCryptoEngine(subtle: SubtleCrypto): Ed25519Engine {
  const keys = new Map<string, Promise<CryptoKey | undefined>>();
  const fallback = nobleEngine();
  const importKey = (raw: Bytes): Promise<CryptoKey | undefined> =>
    subtle.importKey('raw', raw, ed25519, false, ['verify']).catch(() => undefined);
  return {
    name: 'webcrypto',
    fitKey: keyCheck(),
    async holds(publicKey, message, signature) {
      const key = await remembered(keys, nameOf(publicKey), () => importKey(publicKey));
      const answer =
        key === undefined
          ? undefined
          : await subtle.verify(ed25519, key, signature, message).catch(() => undefined);
      return answer ?? fallback.holds(publicKey, message, signature);
    },
  };
}

/**
 * Chooses the fastest engine that keeps the one rule here: WebCrypto when it exists and answers every crafted case as the rule
 * says, `@noble/ed25519` otherwise. Takes a few milliseconds; call it once and keep the result.
 */
export async function chooseEngine(
  subtle: SubtleCrypto | undefined = typeof crypto === 'undefined' ? undefined : crypto.subtle,
): Promise<Ed25519Engine> {
  if (subtle === undefined || !(await hasEd25519(subtle))) return nobleEngine();
  const engine = webCryptoEngine(subtle);
  const answered = await Promise.all(edgeCases.map((edge) => answers(edge, engine)));
  return edgeCases.every((edge, at) => edge.valid === answered[at]) ? engine : nobleEngine();
}

async function hasEd25519(subtle: SubtleCrypto): Promise<boolean> {
  const key = Point.BASE.toBytes();
  return subtle.importKey('raw', new Uint8Array(key), ed25519, false, ['verify']).then(
    () => true,
    () => false,
  );
}

/** Returns how an engine judges one crafted case. */
export async function answers(edge: EdgeCase, engine: Ed25519Engine): Promise<boolean> {
  const bytes = (hex: string): Bytes => bytesOfHex(hex) ?? new Uint8Array();
  return verifySignature(
    {
      publicKey: bytes(edge.publicKey),
      message: bytes(edge.message),
      signature: bytes(edge.signature),
    },
    engine,
  );
}

/** Verifies the equation. R is compared as bytes, so a non-canonical or off-curve R can never be equal. */
function equationHolds(key: Point, publicKey: Bytes, message: Bytes, signature: Bytes): boolean {
  const r = signature.subarray(0, 32);
  const k = integerOf(sha512(concatBytes(r, publicKey, message))) % Point.CURVE().n;
  const s = integerOf(signature.subarray(32));
  const expected = Point.BASE.multiply(s, false).subtract(key.multiply(k, false));
  return equalBytes(expected.toBytes(), r);
}

function keyCheck(): Ed25519Engine['fitKey'] {
  const judged = new Map<string, Bytes | undefined>();
  return (raw) =>
    remembered(judged, raw, () => {
      const bytes = bytesOfHex(raw);
      return bytes !== undefined && judgeRawKey(bytes) === undefined ? bytes : undefined;
    });
}

function integerOf(littleEndian: Uint8Array): bigint {
  return BigInt(`0x${hexOf(littleEndian.toReversed())}`);
}

function nameOf(publicKey: Bytes): string {
  return String.fromCharCode(...publicKey);
}

function remembered<T>(known: Map<string, T>, name: string, make: () => T): T {
  if (known.has(name)) return known.get(name) as T;
  if (known.size >= keptKeys) known.clear();
  const made = make();
  known.set(name, made);
  return made;
}

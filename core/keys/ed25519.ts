import { Point } from '@noble/ed25519';

import {
  type Bytes,
  bytesOfHex,
  concatBytes,
  equalBytes,
  hexOf,
  ownBytes,
} from '#core/encoding/index';
import { sha512 } from '@noble/hashes/sha2.js';
import { type EdgeCase, edgeCases } from '#core/keys/edge-cases';

/** Does the arithmetic of signature checks. Create it once and keep it: an engine caches the keys it has imported. */
export interface Ed25519Engine {
  readonly name: 'webcrypto' | 'noble';
  /**
   * Which key signed the last genuine document of each kind, and over which bytes. These are tried first; they do not
   * affect the result. Absent: nothing is remembered.
   */
  readonly recent?: Map<string, { readonly key: string; readonly input: string }>;
  /**
   * Tells whether [S]B = R + [k]A holds exactly, without the cofactor. Called only with input that passed
   * `isWellFormed`.
   * @param publicKey 32 bytes
   * @param signature 64 bytes
   */
  holds(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean>;
  /**
   * Returns the bytes of a key that is fit by `judgeRawKey`; `undefined` if it is unfit or not a key. Computed once per
   * key, then cached.
   * @param raw 64 hexadecimal digits
   */
  fitKey(raw: string): Bytes | undefined;
}

interface SignedMessage {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Verifies a signature by the one rule: 32-byte key, 64-byte signature, S < L, canonical encodings of A and R, neither
 * of small order, and the cofactorless equation of RFC 8032 section 5.1.7. Every engine gives the same answer to every
 * input. A wrong length or a point off the curve gives `false`, never an exception. The challenge is reduced modulo L
 * before it multiplies A, which makes a difference only for keys with a torsion component.
 */
export async function verifySignature(
  { publicKey, message, signature }: SignedMessage,
  engine: Ed25519Engine,
): Promise<boolean> {
  if (!isWellFormed(publicKey, signature)) return false;
  return engine.holds(ownBytes(publicKey), ownBytes(message), ownBytes(signature));
}

/** Checks everything that needs no arithmetic on the curve. Engines differ in these checks, so they are done here. */
function isWellFormed(publicKey: Uint8Array, signature: Uint8Array): boolean {
  return (
    publicKey.length === 32 &&
    signature.length === 64 &&
    isReducedScalar(signature, 32) &&
    encodesReduced(publicKey) &&
    encodesReduced(signature) &&
    !encodesSmallOrder(publicKey) &&
    !encodesSmallOrder(signature)
  );
}

/** Little-endian L = 2^252 + 27742317777372353535851937790883648493. */
const L = [
  0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

function isReducedScalar(bytes: Uint8Array, from: number): boolean {
  for (let at = 31; at >= 0; at -= 1) {
    const difference = (bytes[from + at] ?? 0) - (L[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Tells whether the y coordinate in the first 32 bytes is below p = 2^255 - 19. */
export function encodesReduced(bytes: Uint8Array): boolean {
  if (((bytes[31] ?? 0) & 0x7f) !== 0x7f) return true;
  for (let at = 30; at > 0; at -= 1) if (bytes[at] !== 0xff) return true;
  return (bytes[0] ?? 0) < 0xed;
}

const zeros = (count: number): number[] => new Array<number>(count).fill(0);

/** The y coordinates of the eight points of small order: 1, -1, 0, and the two of order 8. */
const smallOrder = [
  [1, ...zeros(31)],
  [0xec, ...new Array<number>(30).fill(0xff), 0x7f],
  zeros(32),
  [
    0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
    0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
  ],
  [
    0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
    0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
  ],
];

/**
 * Tells whether the first 32 bytes encode a point of small order, or would with the other sign. This includes x = 0
 * with the sign bit set, the only other encoding that RFC 8032 section 5.1.3 refuses.
 */
function encodesSmallOrder(bytes: Uint8Array): boolean {
  return smallOrder.some((y) =>
    y.every((byte, at) => byte === (at === 31 ? (bytes[31] ?? 0) & 0x7f : bytes[at])),
  );
}

/** Why 32 bytes are unfit as a key: see `judgeRawKey`. */
export type WeakKey = 'not-canonical' | 'off-curve' | 'small-order' | 'torsion';

/** Decodes a point by the strict rules of RFC 8032 section 5.1.3; `undefined` if it is not on the curve. */
function pointOf(bytes: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns why 32 bytes are unfit as a key: a non-canonical encoding, not a point, one of the eight points of small
 * order, or a point with a torsion component. `undefined` for a fit key. No key generator makes an unfit one.
 */
export function judgeRawKey(bytes: Uint8Array): WeakKey | undefined {
  if (bytes.length !== 32 || !encodesReduced(bytes)) return 'not-canonical';
  const point = pointOf(bytes);
  if (encodesSmallOrder(bytes)) return point === undefined ? 'not-canonical' : 'small-order';
  if (point === undefined) return 'off-curve';
  return point.isTorsionFree() ? undefined : 'torsion';
}

const ed25519 = { name: 'Ed25519' };
const keptKeys = 256;

/**
 * Creates an engine in plain JavaScript, for contexts without WebCrypto and browsers whose WebCrypto lacks Ed25519.
 */
export function nobleEngine(): Ed25519Engine {
  const points = new Map<string, Point | undefined>();
  return {
    name: 'noble',
    recent: new Map(),
    fitKey: keyCheck(),
    holds(publicKey, message, signature) {
      const point = remembered(points, nameOf(publicKey), () => pointOf(publicKey));
      return Promise.resolve(
        point !== undefined && equationHolds(point, publicKey, message, signature),
      );
    },
  };
}

// Node's types do not export these names.
type SubtleCrypto = NonNullable<typeof crypto.subtle>;
type CryptoKey = Awaited<ReturnType<SubtleCrypto['importKey']>>;

/**
 * Creates an engine over the browser's own Ed25519. Each key is imported once. If the browser refuses to import a key,
 * the engine falls back to JavaScript, so that a refusal is never taken for a verdict.
 */
export function webCryptoEngine(subtle: SubtleCrypto): Ed25519Engine {
  const keys = new Map<string, Promise<CryptoKey | undefined>>();
  const fallback = nobleEngine();
  const importKey = (raw: Bytes): Promise<CryptoKey | undefined> =>
    subtle.importKey('raw', raw, ed25519, false, ['verify']).catch(() => undefined);
  return {
    name: 'webcrypto',
    recent: new Map(),
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
 * Chooses the fastest engine that follows the one rule in this runtime: WebCrypto if it exists and answers every
 * crafted case by the rule, otherwise `@noble/ed25519`. Takes a few milliseconds; call it once and keep the result.
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

/** Checks the equation. R is compared as bytes, so a non-canonical or off-curve R is never equal. */
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

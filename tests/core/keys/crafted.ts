import { Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

import { bytesOfHex, concatBytes, hexOf, ownBytes, utf8 } from '#core/encoding/index';
import type { EdgeCase } from '#core/keys/edge-cases';
import type { Signer } from '#tests/core/keys/sign';

/** Builds signatures by hand, point by point, so that each breaks (or only just keeps) one clause of the one rule. */
const { n: L, p: P } = Point.CURVE();
const TORSION = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
const SECRET = 0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdefn % L;
const NONCE = 0x0fedcba987654321fedcba9876543210fedcba9876543210fedcba987654321fn % L;
const KEY = Point.BASE.multiply(SECRET);
const COMMITMENT = Point.BASE.multiply(NONCE);

const little = (value: bigint): Uint8Array =>
  (bytesOfHex(value.toString(16).padStart(64, '0')) ?? new Uint8Array(32)).toReversed();
const integer = (bytes: Uint8Array): bigint => BigInt(`0x${hexOf(bytes.toReversed())}`);
const torsion = (times: bigint): Point => TORSION.multiply(((times % 8n) + 8n) % 8n, false);
const y = (value: bigint, sign = false): Uint8Array => {
  const bytes = little(value);
  if (sign) bytes[31] = (bytes[31] ?? 0) | 0x80;
  return bytes;
};

interface Challenge {
  readonly message: Uint8Array;
  readonly wide: bigint;
  readonly k: bigint;
}

/** The first of the messages "edge 0", "edge 1", … whose challenge is as wanted. */
function challenge(
  r: Uint8Array,
  a: Uint8Array,
  wanted: (k: bigint, wide: bigint) => boolean = () => true,
): Challenge {
  for (let count = 0; ; count += 1) {
    const message = utf8(`edge ${String(count)}`);
    const wide = integer(sha512(concatBytes(r, a, message)));
    const k = wide % L;
    if (wanted(k, wide)) return { message, wide, k };
  }
}

const edge = (
  id: string,
  valid: boolean,
  a: Uint8Array,
  message: Uint8Array,
  r: Uint8Array,
  s: Uint8Array,
): EdgeCase => ({
  id,
  publicKey: hexOf(a),
  message: hexOf(message),
  signature: hexOf(r) + hexOf(s),
  valid,
});

function signedBy(
  id: string,
  valid: boolean,
  a: Uint8Array,
  r: Uint8Array,
  wanted?: (k: bigint, wide: bigint) => boolean,
  secret = SECRET,
  nonce = NONCE,
): EdgeCase {
  const { message, k } = challenge(r, a, wanted);
  return edge(id, valid, a, message, r, little((nonce + k * secret) % L));
}

function scalarCases(): EdgeCase[] {
  const [a, r] = [KEY.toBytes(), COMMITMENT.toBytes()];
  const { message, k } = challenge(r, a);
  const s = (NONCE + k * SECRET) % L;
  const topBit = little(s);
  topBit[31] = (topBit[31] ?? 0) | 0x80;
  const whole = edge('plain', true, a, message, r, little(s));
  return [
    whole,
    edge('other-message', false, a, utf8('edge x'), r, little(s)),
    edge('s-plus-order', false, a, message, r, little(s + L)),
    edge('s-top-bit', false, a, message, r, topBit),
    edge('s-zero', false, a, message, r, little(0n)),
    edge('s-is-order', false, a, message, r, little(L)),
    edge('s-all-ones', false, a, message, r, new Uint8Array(32).fill(0xff)),
    { ...whole, id: 'signature-63-bytes', signature: whole.signature.slice(0, -2), valid: false },
    { ...whole, id: 'signature-65-bytes', signature: `${whole.signature}00`, valid: false },
    { ...whole, id: 'signature-empty', signature: '', valid: false },
    { ...whole, id: 'key-31-bytes', publicKey: whole.publicKey.slice(0, -2), valid: false },
    { ...whole, id: 'key-33-bytes', publicKey: `${whole.publicKey}00`, valid: false },
  ];
}

/** Keys and commitments with a torsion component: what cofactored and cofactorless engines differ about. */
function torsionCases(): EdgeCase[] {
  const a = KEY.toBytes();
  const mixedKey = KEY.add(torsion(1n)).toBytes();
  const mixedR = (times: bigint): Uint8Array => COMMITMENT.add(torsion(times)).toBytes();
  const r = COMMITMENT.toBytes();
  return [
    signedBy('mixed-key-exact', true, mixedKey, r, (k, wide) => k % 8n === 0n && wide % 8n === 0n),
    signedBy('mixed-key-exact-only-after-reduction', true, mixedKey, r, (k, wide) =>
      k % 8n === 0n ? wide % 8n !== 0n : false,
    ),
    signedBy('mixed-key-exact-only-before-reduction', false, mixedKey, r, (k, wide) =>
      k % 8n !== 0n ? wide % 8n === 0n : false,
    ),
    signedBy('mixed-key-cofactored', false, mixedKey, r, (k, wide) =>
      k % 8n !== 0n ? wide % 8n !== 0n : false,
    ),
    ...[1n, 2n, 4n].map((times) =>
      signedBy(`mixed-commitment-order-${String(8n / times)}`, false, a, mixedR(times)),
    ),
    signedBy('mixed-both-cancelling', true, mixedKey, mixedR(3n), (k) => (k + 3n) % 8n === 0n),
    signedBy('mixed-both-cofactored', false, mixedKey, mixedR(3n), (k) => (k + 3n) % 8n !== 0n),
  ];
}

/** Equations that hold, with a key or a commitment that anybody could have chosen. */
function smallOrderCases(): EdgeCase[] {
  const a = KEY.toBytes();
  const mixedKey = KEY.add(torsion(1n)).toBytes();
  const r = COMMITMENT.toBytes();
  const keys = Array.from({ length: 8 }, (_, times) =>
    signedBy(
      `small-key-${String(times)}`,
      false,
      torsion(BigInt(times)).toBytes(),
      r,
      (k) => (k * BigInt(times)) % 8n === 0n,
      0n,
    ),
  );
  const commitments = Array.from({ length: 8 }, (_, times) =>
    signedBy(
      `small-commitment-${String(times)}`,
      false,
      times === 0 ? a : mixedKey,
      torsion(BigInt(times)).toBytes(),
      (k) => (times === 0 ? true : (k + BigInt(times)) % 8n === 0n),
      SECRET,
      0n,
    ),
  );
  return [...keys, ...commitments, signedBy('small-both', false, y(1n), y(1n), undefined, 0n, 0n)];
}

/** Second spellings of points, and bytes that spell none. */
function encodingCases(): EdgeCase[] {
  const a = KEY.toBytes();
  const r = COMMITMENT.toBytes();
  const spellings: readonly (readonly [string, Uint8Array])[] = [
    ['y-is-p', y(P)],
    ['y-is-p-signed', y(P, true)],
    ['y-is-p-plus-1', y(P + 1n)],
    ['y-is-p-plus-1-signed', y(P + 1n, true)],
    ['y-is-p-plus-3', y(P + 3n)],
    ['y-is-p-plus-18', y(P + 18n)],
    ['one-signed', y(1n, true)],
    ['minus-one-signed', y(P - 1n, true)],
    ['off-curve', y(2n)],
    ['all-zero', y(0n)],
    ['all-ones', new Uint8Array(32).fill(0xff)],
  ];
  return spellings.flatMap(([name, bytes]) => [
    signedBy(`key-${name}`, false, bytes, r, (k) => k % 8n === 0n, 0n),
    signedBy(`commitment-${name}`, false, a, bytes, undefined, SECRET, 0n),
  ]);
}

/**
 * Signs under a key with a torsion component. The nonce is changed until the challenge is a multiple of eight, so that
 * the equation holds exactly: only the judgement of the key itself refuses such a signature.
 */
export function makeTorsionSigner(): Signer {
  const a = KEY.add(torsion(1n)).toBytes();
  return {
    seed: ownBytes(little(SECRET)),
    publicKey: ownBytes(a),
    sign(message) {
      for (let nonce = NONCE; ; nonce += 1n) {
        const r = Point.BASE.multiply(nonce).toBytes();
        const wide = integer(sha512(concatBytes(r, a, message)));
        if (wide % 8n !== 0n || (wide % L) % 8n !== 0n) continue;
        return concatBytes(r, little((nonce + wide * SECRET) % L));
      }
    },
  };
}

export function craftedCases(): EdgeCase[] {
  return [...scalarCases(), ...torsionCases(), ...smallOrderCases(), ...encodingCases()];
}

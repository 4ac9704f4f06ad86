import { Point } from '@noble/ed25519';

import { encodesReduced, encodesSmallOrder } from '#core/license/signature/ed25519';
import type { WeakKey } from '#core/license/keys/public-key-fault';

/** Decodes the point that 32 bytes encode, by the strict rules of RFC 8032 section 5.1.3; `undefined` off the curve. */
export function pointOf(bytes: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Tells why 32 bytes are unfit as a key; `undefined` for a fit one: a second spelling of a point, no point at all, one of the eight points of
 * small order, or a point with a torsion component. A key generator makes none of them.
 */
export function judgeRawKey(bytes: Uint8Array): WeakKey | undefined {
  if (bytes.length !== 32 || !encodesReduced(bytes)) return 'not-canonical';
  const point = pointOf(bytes);
  if (encodesSmallOrder(bytes)) return point === undefined ? 'not-canonical' : 'small-order';
  if (point === undefined) return 'off-curve';
  return point.isTorsionFree() ? undefined : 'torsion';
}

import { judgeRawKey } from '#core/license/keys/curve-point';
import { fingerprintOf } from '#core/license/keys/fingerprint';
import { hexOf } from '#core/license/encoding/bytes';
import { findKeyMaterial, type KeyMaterial } from '#core/license/keys/key-material';
import type { PublicKeyFormat, PublicKeyFault } from '#core/license/keys/public-key-fault';
import { fail, type Result, succeed } from '#core/result';

/** Holds a key fit to be pinned. */
export interface PublicKey {
  /** 64 lower-case hexadecimal digits. */
  readonly raw: string;
  /** SHA-256 of the raw bytes, 64 lower-case hexadecimal digits. */
  readonly fingerprint: string;
  readonly form: PublicKeyFormat;
  /** A JWK's `kid`. */
  readonly keyId?: string;
  /** An OpenSSH line's comment. */
  readonly comment?: string;
}

const limitBytes = 16 * 1024;

/**
 * Parses a public key in any form that authorities hand out: 32 raw bytes in hexadecimal, base64 or base64url, SPKI as PEM or DER,
 * a JWK (or a set of one), an OpenSSH `ssh-ed25519` line.
 * @param source text, or the bytes of a file
 */
export function parsePublicKey(source: string | Uint8Array): Result<PublicKey, PublicKeyFault> {
  if (source.length > limitBytes) return fail({ kind: 'too-large', limitBytes: limitBytes });
  const found = findKeyMaterial(source);
  return found.ok ? judgeMaterial(found.value) : found;
}

function judgeMaterial(material: KeyMaterial): Result<PublicKey, PublicKeyFault> {
  const { bytes, form, keyId, comment } = material;
  if (bytes.length !== 32) return fail({ kind: 'wrong-length', bytes: bytes.length });
  const weakness = judgeRawKey(bytes);
  if (weakness !== undefined) {
    const bare = form === 'hex' || form === 'base64' || form === 'base64url' || form === 'raw';
    return fail({ kind: weakness, maybePrivate: bare });
  }
  return succeed({
    raw: hexOf(bytes),
    fingerprint: fingerprintOf(bytes),
    form,
    ...(keyId !== undefined && { keyId }),
    ...(comment !== undefined && { comment }),
  });
}

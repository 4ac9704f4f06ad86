import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/** 32 bytes. One that is used often is a `KeyObject`, since preparing the bytes takes longer than encrypting a reply. */
type CipherKey = Uint8Array | KeyObject;

/**
 * Encrypts with AES-256-GCM under a random nonce. Returns nonce, ciphertext and tag in one.
 * @param about additional data that `open` must be given alike
 */
export function seal(key: CipherKey, plain: Uint8Array, about: readonly string[]): Uint8Array {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(bind(about));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `seal` returned; undefined when key, text or additional data are others. */
export function open(
  key: CipherKey,
  sealed: Uint8Array,
  about: readonly string[],
): Uint8Array | undefined {
  if (sealed.length < ivBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(bind(about));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const plain = decipher.update(sealed.subarray(ivBytes, -tagBytes));
    // In this mode nothing is left to be returned by it; it throws unless the tag is right.
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
}

/** Writes the parts so that no two lists give the same bytes. */
function bind(about: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(['counterfoil-relay', 1, ...about]));
}

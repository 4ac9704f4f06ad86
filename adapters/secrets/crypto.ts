import { base64 } from '@scure/base';

/** What a ciphertext is bound to: it opens for this connection at this origin and nowhere else. */
export interface SecretBinding {
  readonly connectionId: string;
  readonly origin: string;
}

/** A 96-bit random nonce and the AES-256-GCM ciphertext with its 128-bit tag, both base64. */
export interface Sealed {
  readonly iv: string;
  readonly data: string;
}

/** Rounds of PBKDF2-SHA-256 for a new passphrase. Source: design, "Trust", The API key. */
export const passphraseRounds = 600_000;

/** A fresh key that no code, ours included, can read out of the browser. */
export function createDeviceKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/** 128 random bits, base64. */
export function createSalt(): string {
  return base64.encode(crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * 256 bits from a passphrase, base64, for `importWrappingKey`. Composed and decomposed letters count as the same,
 * so that a passphrase opens on another keyboard or system.
 */
export async function deriveFromPassphrase(
  passphrase: string,
  salt: string,
  iterations: number,
): Promise<string> {
  const text = new TextEncoder().encode(passphrase.normalize('NFC'));
  const material = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations },
    material,
    256,
  );
  return base64.encode(new Uint8Array(bits));
}

/** @param bits 256 bits, base64. */
export function importWrappingKey(bits: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytesOf(bits), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

export async function seal(key: CryptoKey, binding: SecretBinding, text: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: boundTo(binding) },
    key,
    new TextEncoder().encode(text),
  );
  return { iv: base64.encode(iv), data: base64.encode(new Uint8Array(data)) };
}

/** `undefined` when the key, the connection or the origin is another one than at sealing, or the text was changed. */
export async function open(
  key: CryptoKey,
  binding: SecretBinding,
  { iv, data }: Sealed,
): Promise<string | undefined> {
  try {
    const text = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytesOf(iv), additionalData: boundTo(binding) },
      key,
      bytesOf(data),
    );
    return new TextDecoder().decode(text);
  } catch {
    return undefined;
  }
}

function boundTo({ connectionId, origin }: SecretBinding): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(['counterfoil/api-key/1', connectionId, origin]));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(base64.decode(text));
}

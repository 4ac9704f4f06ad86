import { decodeBase64, encodeBase64 } from '#core/encoding/index';
import type { Sealed } from '#adapters/secrets/secret-record';

/** The associated data of a ciphertext: a connection and its whole base address. */
export interface SecretBinding {
  readonly connectionId: string;
  /** Normalised by `parseBaseAddress`. */
  readonly baseAddress: string;
}

/** The associated data of a checked code's ciphertext: the keyed digest of the code. */
interface CodeBinding {
  readonly codeId: string;
}

export const proofBinding = 'passphrase-proof';

type Binding = SecretBinding | CodeBinding | typeof proofBinding;

/** The number of PBKDF2-SHA-256 iterations for a new passphrase. */
export const passphraseRounds = 600_000;

/** Creates a 256-bit AES-GCM key that cannot be exported. */
export function createDeviceKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/** Creates a salt of 128 random bits, base64. */
export function createSalt(): string {
  return encodeBase64(crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * Derives 256 bits, in base64, from a passphrase with PBKDF2-SHA-256. The passphrase is normalised to NFC, so that it
 * works on other keyboards and systems.
 */
export async function deriveFromPassphrase(
  passphrase: string,
  salt: string,
  iterations: number,
): Promise<string> {
  const text = new TextEncoder().encode(passphrase.normalize('NFC'));
  const material = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: decodeBase64(salt), iterations },
    material,
    256,
  );
  return encodeBase64(new Uint8Array(bits));
}

/** Imports an AES-GCM key that cannot be exported. @param bits 256 bits, base64 */
export function importWrappingKey(bits: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', decodeBase64(bits), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
}

/** Encrypts text with AES-256-GCM, bound to its purpose. */
export async function seal(key: CryptoKey, binding: Binding, text: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: additionalDataOf(binding) },
    key,
    new TextEncoder().encode(text),
  );
  return { iv: encodeBase64(iv), data: encodeBase64(new Uint8Array(data)) };
}

/** Decrypts text; returns undefined if the key or the binding differs, or the data was changed. */
export async function open(
  key: CryptoKey,
  binding: Binding,
  { iv, data }: Sealed,
): Promise<string | undefined> {
  try {
    const text = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: decodeBase64(iv), additionalData: additionalDataOf(binding) },
      key,
      decodeBase64(data),
    );
    return new TextDecoder().decode(text);
  } catch {
    return undefined;
  }
}

function additionalDataOf(binding: Binding): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(partsOf(binding)));
}

function partsOf(binding: Binding): string[] {
  if (binding === proofBinding) return ['counterfoil/passphrase-proof/1'];
  if ('codeId' in binding) return ['counterfoil/checked-code/1', binding.codeId];
  return ['counterfoil/api-key/1', binding.connectionId, binding.baseAddress];
}

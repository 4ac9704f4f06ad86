import { type Result, fail, succeed } from '#core/result';

/** Why pasted text is not an API key. `character`: the first character that is not allowed. */
export type ApiKeyProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long'; readonly limit: number }
  | { readonly kind: 'odd-character'; readonly character: string };

/** In UTF-16 units. */
export const maxApiKeyLength = 512;
/** The shortest key that is searched for in text, in UTF-16 units. A shorter one could be a word in an item's name. */
export const minSearchedKeyLength = 12;

/**
 * Parses a pasted API key of at most {@link maxApiKeyLength} UTF-16 units. Removes white space and invisible
 * characters; the rest must be visible ASCII, because headers do not carry anything else reliably.
 */
export function parseApiKey(text: string): Result<string, ApiKeyProblem> {
  const key = text.replaceAll(/[\s\p{Cf}\p{Cc}]+/gu, '');
  if (key === '') return fail({ kind: 'empty' });
  if (key.length > maxApiKeyLength) return fail({ kind: 'too-long', limit: maxApiKeyLength });
  const character = /[^!-~]/u.exec(key)?.[0];
  return character === undefined ? succeed(key) : fail({ kind: 'odd-character', character });
}

/**
 * Where API keys are stored: encrypted on this device, encrypted under a passphrase, or only until the browser closes.
 */
export type SecretMode = 'device' | 'passphrase' | 'session';

export interface SecretState {
  readonly mode: SecretMode;
  readonly locked: boolean;
  /** Minutes without use after which the keys lock. */
  readonly lockAfterMinutes: number;
}

/** In UTF-16 units. Only the passphrase protects the keys on a stolen disk. */
export const minPassphraseLength = 12;

/** Why a secret operation failed. `least` is in characters. */
export type SecretFault =
  | { readonly kind: 'wrong-passphrase' }
  | { readonly kind: 'passphrase-too-short'; readonly least: number }
  | { readonly kind: 'locked' }
  /** Nothing has changed, except that keys under a passphrase are now locked. */
  | { readonly kind: 'storage-full' }
  /** The organization demands another mode. */
  | { readonly kind: 'set-by-policy' }
  /** The wrapping key is gone, for example because site data was cleared. API keys must be entered again. */
  | { readonly kind: 'material-lost' };

/**
 * Returns the parts of an API key that no reply may repeat: the whole key, and the token after a public key and a
 * colon. A part of fewer than 12 characters is left out.
 */
export function secretsIn(apiKey: string): readonly string[] {
  const token = apiKey.slice(apiKey.lastIndexOf(':') + 1);
  return [...new Set([apiKey, token])].filter(({ length }) => length >= minSearchedKeyLength);
}

/**
 * Replaces the API key with dots in every text read from a reply. A server may repeat the key that it was sent, and the
 * key must not leave the worker. Neither a key of fewer than 12 characters nor an encoded key is found.
 * @param read JSON; returned unchanged if the key is not in it
 */
export function hideKey<T>(read: T, apiKey: string): T {
  const json = JSON.stringify(read);
  const repeated = secretsIn(apiKey).filter((secret) =>
    json.includes(JSON.stringify(secret).slice(1, -1)),
  );
  if (repeated.length === 0) return read;
  const hidden = (text: string): string =>
    repeated.reduce((rest, secret) => rest.replaceAll(secret, '••••'), text);
  return JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' ? hidden(value) : value,
  ) as T;
}

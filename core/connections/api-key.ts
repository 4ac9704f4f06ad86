import { type Result, fail, succeed } from '#core/result';

/** Names why pasted text is not an API key. `sign`: the first character that is not allowed. */
export type ApiKeyProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long'; readonly limit: number }
  | { readonly kind: 'odd-sign'; readonly sign: string };

/** Limits the length of an API key, in UTF-16 units. */
export const maxApiKeyLength = 512;
/** Gives the length from which on a key is looked for in text, in UTF-16 units: a shorter one may be a word of an item's name. */
export const minSearchedKeyLength = 12;

/**
 * Parses a pasted API key of at most {@link maxApiKeyLength} UTF-16 units. Removes white space and invisible characters; the rest
 * must be visible ASCII, since headers carry nothing else reliably.
 */
export function parseApiKey(text: string): Result<string, ApiKeyProblem> {
  const key = text.replaceAll(/[\s\p{Cf}\p{Cc}]+/gu, '');
  if (key === '') return fail({ kind: 'empty' });
  if (key.length > maxApiKeyLength) return fail({ kind: 'too-long', limit: maxApiKeyLength });
  const sign = /[^!-~]/u.exec(key)?.[0];
  return sign === undefined ? succeed(key) : fail({ kind: 'odd-sign', sign });
}

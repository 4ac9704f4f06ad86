import { type Result, fail, succeed } from '#core/result';

/** Why pasted text is no key. `sign`: the first character that cannot be part of one. */
export type ApiKeyProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long'; readonly limit: number }
  | { readonly kind: 'odd-sign'; readonly sign: string };

/** In UTF-16 units. */
export const maxApiKeyLength = 512;

/**
 * Reads an API key as it is pasted out of a web page: white space and invisible characters around or inside are never
 * part of one. What is left must be visible ASCII: a request's header carries nothing else unharmed, and a letter
 * beyond it is what a word processor made of another.
 */
export function parseApiKey(text: string): Result<string, ApiKeyProblem> {
  const key = text.replaceAll(/[\s\p{Cf}\p{Cc}]+/gu, '');
  if (key === '') return fail({ kind: 'empty' });
  if (key.length > maxApiKeyLength) return fail({ kind: 'too-long', limit: maxApiKeyLength });
  const sign = /[^!-~]/u.exec(key)?.[0];
  return sign === undefined ? succeed(key) : fail({ kind: 'odd-sign', sign });
}

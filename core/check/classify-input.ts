import { type FoundCode, findCodes } from '#core/check/find-codes';
import { normaliseText } from '#core/text/clean';

/** Tells what kind of text was typed or pasted. Only `codes` and `odd` lead to a request. */
export type ClassifiedInput =
  | { readonly kind: 'empty' }
  /** At least one. */
  | { readonly kind: 'codes'; readonly codes: readonly FoundCode[] }
  /** One token of an unknown form: it can be checked, with a hint beside it. */
  | { readonly kind: 'odd'; readonly code: string; readonly hint: OddHint }
  /** A license or certificate: text for the verifier. */
  | { readonly kind: 'license' }
  /** Text without a code in it. `length` in UTF-16 units. */
  | { readonly kind: 'nothing'; readonly length: number }
  | { readonly kind: 'too-long'; readonly limit: number };

/** Names why a single token is unusual. */
export type OddHint =
  /** The common form with letters after F, as when O was typed for 0. */
  | 'letters-beyond-f'
  /** Hexadecimal digits and dashes as in the common form, but more or fewer than 32. */
  | 'wrong-length'
  /** 32 hexadecimal digits in other groups than 8-4-4-4-12, or in none. */
  | 'other-groups'
  /** Only digits: perhaps an order number. */
  | 'digits-only'
  | 'other-form';

/** Limits the text that is classified, in UTF-16 units. */
export const maxInputLength = 1024 * 1024;

/**
 * Classifies typed or pasted text before anything of it is sent. Never throws; text over {@link maxInputLength} is not read.
 * @param options.patterns see `findCodes`
 *
 * @example
 * classifyInput('8678c3cd2a214afab5d10f1b4e2d9c70')
 * // { kind: 'odd', code: '8678c3cd2a214afab5d10f1b4e2d9c70', hint: 'other-groups' }
 */
export function classifyInput(
  text: string,
  options: { readonly patterns?: readonly string[] } = {},
): ClassifiedInput {
  if (text.length > maxInputLength) return { kind: 'too-long', limit: maxInputLength };
  const clean = normaliseText(text).text.trim();
  if (clean === '') return { kind: 'empty' };
  if (isWhollyLicense(clean)) return { kind: 'license' };
  const codes = findCodes(text, options);
  if (codes.length > 0) return { kind: 'codes', codes };
  if (holdsLicense(clean)) return { kind: 'license' };
  const code = tokenAlone(clean);
  if (code !== undefined) return { kind: 'odd', code, hint: hintFor(code) };
  return { kind: 'nothing', length: text.trim().length };
}

/**
 * Returns the only token of a text without the quotes, brackets and full stops around it; undefined for any other text. A
 * letter or digit at its end that is not ASCII belongs to it, so that no shortened code is sent.
 */
function tokenAlone(clean: string): string | undefined {
  if (clean.length > 160) return undefined;
  const bare = clean.replace(/^[^\p{L}\p{N}]{1,8}/u, '').replace(/[^\p{L}\p{N}]{1,8}$/u, '');
  return /^[A-Za-z0-9-]{8,128}$/.test(bare) ? bare : undefined;
}

function hintFor(code: string): OddHint {
  if (/^\d+$/.test(code)) return 'digits-only';
  if (/^[a-z\d]{8}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{12}$/i.test(code))
    return 'letters-beyond-f';
  if (!/^[a-f\d-]+$/i.test(code)) return 'other-form';
  if (code.replaceAll('-', '').length === 32) return 'other-groups';
  return code.includes('-') ? 'wrong-length' : 'other-form';
}

/**
 * Tells whether a text holds a license or a certificate: a token of two base64url segments, a JWS, an armoured block, or JSON
 * with such a field. Checks the form only, no signature.
 */
export function holdsLicense(text: string): boolean {
  return isWhollyLicense(text) || hasArmour(text) || hasToken(text);
}

/** Tells whether a text is a license and nothing else, so that ids inside it are not read as purchase codes. */
export function isWhollyLicense(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') && trimmed.endsWith('}')) {
    return /"(?:license|activation_certificate|signature)"\s{0,8}:/.test(trimmed);
  }
  const lines = trimmed.split(/\s/);
  // Mail programs break a token into lines, and prose has no words this long.
  return lines.some((line) => line.length >= minBrokenLineLetters) && isToken(lines.join(''));
}

const minBrokenLineLetters = 40;
const minPayloadLetters = 16;
/** An Ed25519 signature takes 86 characters; a mangled one may have lost some. */
const minSignatureLetters = 60;

function hasArmour(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]{0,40}(?:LICEN[CS]E|CERTIFICATE|ACTIVATION)/.test(text);
}

function hasToken(text: string): boolean {
  for (const [word] of text.matchAll(/[\w.=-]+/g)) {
    if (word.length > minPayloadLetters + minSignatureLetters && isToken(word)) return true;
  }
  return false;
}

/** Tells whether a word has the form of a license, a certificate or a JWS: base64url segments, the last one a signature. */
export function isToken(word: string): boolean {
  if (!/^[\w.=-]+$/.test(word)) return false;
  const segments = word.split('.').filter((segment) => segment !== '');
  const [payload = '', signature = ''] = segments.slice(-2);
  return (
    segments.length <= 3 &&
    payload.length >= minPayloadLetters &&
    signature.length >= minSignatureLetters
  );
}

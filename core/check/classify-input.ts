import { findCodes } from '#core/check/find-codes';
import type { FoundCode } from '#core/check/find-codes';
import { holdsLicense, isWhollyLicense } from '#core/check/license-token';
import { normaliseText } from '#core/text/clean';

/** What the field of the check holds. Only `codes` and `odd` are ever sent anywhere. */
export type ClassifiedInput =
  | { readonly kind: 'empty' }
  /** At least one. */
  | { readonly kind: 'codes'; readonly codes: readonly FoundCode[] }
  /** One token alone, in no form we know: asked all the same, with a hint. */
  | { readonly kind: 'odd'; readonly code: string; readonly hint: OddHint }
  /** A license or certificate, which is the verifier's to read. */
  | { readonly kind: 'license' }
  /** Text without a code in it. `length` in UTF-16 units. */
  | { readonly kind: 'nothing'; readonly length: number }
  | { readonly kind: 'too-long'; readonly limit: number };

/** Why a token alone is unusual, the most telling reason first. */
export type OddHint =
  /** The common form but for letters beyond F, as when O was typed for 0. */
  | 'letters-beyond-f'
  /** Hexadecimal digits and dashes as in the common form, but more or fewer than 32. */
  | 'wrong-length'
  /** 32 hexadecimal digits in other groups than 8-4-4-4-12, or in none. */
  | 'other-groups'
  /** Digits alone: an order number, perhaps. */
  | 'digits-only'
  | 'other-form';

/** In UTF-16 units. */
export const maxInputLength = 1024 * 1024;

/** Decides what pasted or typed text is, before anything of it is sent. @param patterns see `findCodes`. */
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

/** The token without the quotes, brackets and full stops it was pasted with. */
function tokenAlone(clean: string): string | undefined {
  if (clean.length > 160) return undefined;
  const bare = clean.replace(/^[^A-Za-z0-9]{1,8}/, '').replace(/[^A-Za-z0-9]{1,8}$/, '');
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

import { commonGroups } from '#core/codes/code-shape';
import {
  eachOnce,
  type FoundCode,
  isJoinedKey,
  isWeak,
  locateCandidates,
} from '#core/codes/find-codes';
import { holdsLicense, isWhollyLicense } from '#core/codes/license-form';
import { plainForm, type Reading, readingOf } from '#core/reading/index';

/** Why a code is unusual. */
export type OddHint =
  /** The common form with letters beyond F, such as O typed for 0. */
  | 'letters-beyond-f'
  /** Hexadecimal digits and dashes as in the common form, but more or fewer than 32. */
  | 'wrong-length'
  /** 32 hexadecimal digits in groups other than 8-4-4-4-12, or without groups. */
  | 'other-groups'
  /** Only digits: perhaps an order number. */
  | 'digits-only'
  | 'other-form';

/** Tells what kind of text was typed or pasted. Only `codes` and `odd` lead to a request. */
export type ClassifiedInput =
  | { readonly kind: 'empty' }
  /** At least one. */
  | { readonly kind: 'codes'; readonly codes: readonly FoundCode[] }
  /**
   * One token of an unknown form: it can be checked, with a hint beside it. Inside longer text it is a near-miss,
   * offered but not sent.
   */
  | {
      readonly kind: 'odd';
      readonly code: string;
      readonly hint: OddHint;
      readonly isInText?: true;
    }
  /** A license or certificate: text for the verifier. */
  | { readonly kind: 'license' }
  /** Text without a code. `length` is in UTF-16 units. */
  | { readonly kind: 'nothing'; readonly length: number }
  | { readonly kind: 'too-long'; readonly limit: number };

/** Limits the text that is classified, in UTF-16 units. */
export const maxInputLength = 1024 * 1024;

/**
 * Classifies typed or pasted text before any of it is sent. Never throws; text over {@link maxInputLength} is not read.
 * @param options.patterns see `locateCodes`
 * @param choose returns which of the codes found count: by default each once
 *
 * @example
 * classifyInput('8678c3cd2a214afab5d10f1b4e2d9c70')
 * // { kind: 'odd', code: '8678c3cd2a214afab5d10f1b4e2d9c70', hint: 'other-groups' }
 */
export function classifyInput(
  text: string,
  { patterns = [] }: { readonly patterns?: readonly string[] } = {},
  choose: (found: FoundCode[]) => FoundCode[] = eachOnce,
): ClassifiedInput {
  if (text.length > maxInputLength) return { kind: 'too-long', limit: maxInputLength };
  const plain = plainForm(readingOf(text));
  const clean = plain.text.trim();
  if (clean === '') return { kind: 'empty' };
  if (isWhollyLicense(clean)) return { kind: 'license' };
  const found = locateCandidates(text, patterns);
  // An id beside a license belongs to the license.
  const isOfLicense = found.some(isWeak) && holdsLicense(text);
  if (!isOfLicense && found.some(({ kind }) => kind !== 'near-miss')) {
    // Besides proper codes, a complete near-miss that the text calls a code is checked as well.
    const codes = found.flatMap((one) => {
      if (one.kind !== 'near-miss') return one;
      const { code, start, end } = one;
      const isWhole = code.replaceAll('-', '').length === 32;
      return one.isNamed && isWhole ? { code, start, end, kind: 'labelled' as const } : [];
    });
    return { kind: 'codes', codes: choose(codes) };
  }
  if (holdsLicense(text)) return { kind: 'license' };
  const [near] = found.filter((one) => one.kind === 'near-miss');
  if (near !== undefined) {
    const { code } = near;
    const isInText = /[\p{L}\p{N}]/u.test(clean.replaceAll('–', '-').replace(code, ''));
    return { kind: 'odd', code, hint: hintFor(code), ...(isInText && { isInText }) };
  }
  const listed = choose(codesOnLines(plain));
  if (listed.length > 1) return { kind: 'codes', codes: listed };
  const code = tokenAlone(clean.replaceAll('–', '-'));
  if (code !== undefined) return { kind: 'odd', code, hint: hintFor(code) };
  return { kind: 'nothing', length: text.trim().length };
}

/** The mark of an entry in a list. */
const listMarks = /^[ \t]*(?:\d{1,3}[.)]|[*•-])[ \t]+/gm;

/**
 * Returns the codes of a text that is only a list of codes, one per line, as when they were copied from a ticket
 * without their labels.
 */
function codesOnLines(plain: Reading): FoundCode[] {
  const codes: FoundCode[] = [];
  const list = /^\s*[A-Za-z\d-]{8,128}(?:[ \t]{0,8}[\r\n]\s{0,8}[A-Za-z\d-]{8,128}){1,999}\s*$/;
  const text = plain.text.replaceAll(listMarks, (mark) => ' '.repeat(mark.length));
  if (!list.test(text)) return [];
  for (const { 0: code, index } of text.matchAll(/\S+/g)) {
    if (!/\d/.test(code) || !/[A-Za-z]/.test(code)) return [];
    const [start, end] = [plain.startOf(index), plain.endOf(index + code.length - 1)];
    codes.push({ code, start, end, kind: 'labelled' });
  }
  return codes;
}

/**
 * Returns the only token of a text without the quotes, brackets and full stops around it; undefined for any other text.
 * A non-ASCII letter or digit at its end counts as part of it, and so does `=`, so that no shortened code is sent.
 */
function tokenAlone(clean: string): string | undefined {
  if (clean.length > 160) return undefined;
  const bare = clean
    .replace(listMarks, '')
    .replace(/^[^\p{L}\p{N}]{1,8}/u, '')
    .replace(/[^\p{L}\p{N}=]{1,8}$/u, '');
  return /^[A-Za-z0-9-]{8,128}$/.test(bare) || isJoinedKey(bare) ? bare : undefined;
}

function hintFor(code: string): OddHint {
  if (/^\d+$/.test(code)) return 'digits-only';
  if (!/^[a-f\d-]+$/i.test(code)) {
    const groups = code.split('-').map(({ length }) => length);
    return groups.join() === commonGroups.join() ? 'letters-beyond-f' : 'other-form';
  }
  if (code.replaceAll('-', '').length === 32) return 'other-groups';
  return code.includes('-') ? 'wrong-length' : 'other-form';
}

import { isToken } from '#core/check/classify-input';

/** In UTF-16 units; a license takes at most 16 KiB, its certificate 64. */
const maxLength = 262_144;
/** Mail programs break a token into lines about this long, and prose has no words of that length. */
const minBrokenLineLetters = 40;

/**
 * Finds licenses and certificates among the words of a page: armoured blocks and tokens, each on a line of its own. A token that
 * was broken into lines keeps them, since the verifier tells by them where it ends. Checks the form only, no signature.
 * @returns undefined when there is none
 */
export function licenseOnPage(text: string): string | undefined {
  const found = [...armouredBlocks(text), ...tokens(text)];
  return found.length === 0 ? undefined : [...new Set(found)].join('\n').slice(0, maxLength);
}

function armouredBlocks(text: string): string[] {
  const blocks = text.matchAll(
    /-----BEGIN ([A-Z0-9 ]{0,40}(?:LICEN[CS]E|CERTIFICATE|ACTIVATION)[A-Z0-9 ]{0,40})-----[^-]{20,100000}-----END \1-----/gu,
  );
  return Array.from(blocks, ([block]) => block);
}

function tokens(text: string): string[] {
  const found: string[] = [];
  /** The lines of a token that may go on in the next line. */
  let lines: string[] = [];
  const end = (): void => {
    if (lines.length > 0 && holdTokens(lines)) found.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split('\n')) {
    const alone = line.trim();
    const isPart = /^[\w.=-]+$/u.test(alone);
    const isLong = alone.length >= minBrokenLineLetters;
    if (isPart && (isLong || lines.length > 0)) lines.push(alone);
    // The last line of a broken token may be short, and a whole token needs no other line.
    if (!isPart || !isLong || (lines.length === 1 && isToken(alone))) end();
    if (!isPart) found.push(...wordsOf(line).filter(isToken));
  }
  end();
  return found;
}

/** Tells whether lines make up one token, or several without an empty line between them. */
function holdTokens(lines: readonly string[]): boolean {
  const segments = lines.join('').split('.');
  return segments.some((segment, at) => isToken(`${segments[at - 1] ?? ''}.${segment}`));
}

function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/[\w.=-]{77,}/gu), ([word]) => word);
}

/**
 * An invisible zero-width non-joiner, which breaks up what programs would recognise. No label of a host may begin with
 * it, while parsing a URL drops most other characters that are not drawn.
 */
const parting = '\u200C';

/**
 * Matches the places inside a link at which a break leaves no link at all: a colon, what is before an `@`, the first of
 * two slashes, and whatever separates the labels of a host (UTS 46 reads each of these as a dot). Times and versions
 * stay whole; four numbers are an address.
 */
const linkJoint =
  /(?<=[^\s\d]):(?=\S)|(?<=\d):(?=[^\s\d])|\bwww(?=\.)|(?<=\S)(?=@)|[/\\](?=[/\\])|(?:[\u2024-\u2026\u2488-\u249B\u3002\uFE52\uFF0E\uFF61]|(?<!\d)\.|\.(?!\d))(?=[^\s\p{Po}\p{Pe}\p{Pf}])|(?<=\d)\.(?=\d{1,3}\.\d{1,3}\.\d{1,3}(?!\d))/giu;
const mention = /[@#](?=[\p{L}\p{N}_])/gu;
/** Matches what begins a link, an image, a tag or a character reference in Markdown, HTML and wikis. */
const markup = /[[\]<|&](?=\S)/gu;
/**
 * Matches direction marks and what is not drawn, but for the two joiners (U+200C, U+200D) that scripts and emoji need.
 */
const undrawn = /(?![\u200C\u200D])\p{Cf}/gu;

/**
 * Makes untrusted text safe to paste: one line, without direction marks, undrawn characters, links, mentions or
 * headings. Looks unchanged: an invisible character parts what a mail program or help desk would recognise, Markdown
 * and HTML as well.
 */
export function inlineText(text: string): string {
  return part(oneLine(text))
    .replaceAll(markup, `$&${parting}`)
    .replace(/^(?=[#>=+*~-])/u, parting);
}

/** Does the same as {@link inlineText} for Markdown, and escapes markup. */
export function inlineMarkdown(text: string): string {
  const escaped = oneLine(text)
    .replaceAll(/[\\`*_{}[\]<>()#|!~&]/gu, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])/u, String.raw`$1\$2`)
    .replace(/^[+=-]/u, String.raw`\$&`);
  return part(escaped);
}

function part(text: string): string {
  return text.replaceAll(linkJoint, `$&${parting}`).replaceAll(mention, `$&${parting}`);
}

function oneLine(text: string): string {
  return text
    .replaceAll(undrawn, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** First strong isolate, and pop directional isolate: what is between them has a direction of its own. */
const [start, end] = ['\u2068', '\u2069'];

/**
 * Keeps a text's own order inside a sentence of the other direction. A report that is copied or saved goes through
 * {@link withoutIsolates}; a reply in a language from right to left keeps them.
 */
export function isolated(text: string): string {
  return `${start}${text}${end}`;
}

export function withoutIsolates(text: string): string {
  return text.replaceAll(start, '').replaceAll(end, '');
}

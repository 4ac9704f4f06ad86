/**
 * A zero-width non-joiner, which breaks up links and markup invisibly. No label of a host may begin with it, whereas
 * URL parsing drops most other invisible characters.
 */
const parting = '\u200C';

/**
 * Matches the places in a link where a break leaves no link at all: a colon, before an `@`, the first of two slashes,
 * and everything that separates the labels of a host (UTS 46 reads each of these as a dot). Times and versions are not
 * matched; four numbers are an IP address.
 */
const linkJoint =
  /(?<=[^\s\d]):(?=\S)|(?<=\d):(?=[^\s\d])|\bwww(?=\.)|(?<=\S)(?=@)|[/\\](?=[/\\])|(?:[\u2024-\u2026\u2488-\u249B\u3002\uFE52\uFF0E\uFF61]|(?<!\d)\.|\.(?!\d))(?=[^\s\p{Po}\p{Pe}\p{Pf}])|(?<=\d)\.(?=\d{1,3}\.\d{1,3}\.\d{1,3}(?!\d))/giu;
const mention = /[@#](?=[\p{L}\p{N}_])/gu;
/** Matches the start of a link, an image, a tag or a character reference in Markdown, HTML and wikis. */
const markup = /[[\]<|&](?=\S)/gu;
/**
 * Matches direction marks and invisible characters, except the two joiners (U+200C, U+200D) that scripts and emoji
 * need.
 */
const undrawn = /(?![\u200C\u200D])\p{Cf}/gu;

/**
 * Makes untrusted text safe to paste: one line, without direction marks, invisible characters, links, mentions or
 * headings. It looks unchanged: an invisible character breaks up what a mail program or help desk would recognise,
 * including Markdown and HTML.
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

/** First strong isolate and pop directional isolate: text between them has its own direction. */
const [start, end] = ['\u2068', '\u2069'];

/**
 * Keeps a text's own order inside a sentence of the other direction. {@link withoutIsolates} removes the isolates from
 * a report that is copied or saved; a reply in a right-to-left language keeps them.
 */
export function isolated(text: string): string {
  return `${start}${text}${end}`;
}

export function withoutIsolates(text: string): string {
  return text.replaceAll(start, '').replaceAll(end, '');
}

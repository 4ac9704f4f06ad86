/** An invisible character that does not allow a line break. */
const wordJoiner = '\u2060';

/** Matches what mail programs recognise as part of a link: schemes, `www`, and a dot between host labels. */
const linkJoint =
  /:(?=\/\/)|\b(?:mailto|xmpp|tel):(?=\S)|\bwww(?=\.)|(?<=[\p{L}\p{N}]\.)(?=\p{L}{2})/giu;
const mention = /[@#](?=[\p{L}\p{N}_])/gu;
/** Matches direction marks and what is not drawn, but for the two joiners (U+200C, U+200D) that scripts and emoji need. */
const undrawn = /(?![\u200C\u200D])\p{Cf}/gu;

/**
 * Makes untrusted text safe to paste: one line, without direction marks, undrawn characters, links, mentions or headings.
 * Looks unchanged: an invisible word joiner (U+2060) breaks what a mail program or help desk would recognise.
 */
export function inlineText(text: string): string {
  return partMentions(oneLine(text)).replace(/^(?=[#>=+*~-])/u, wordJoiner);
}

/** Does the same as {@link inlineText} for Markdown, and escapes markup. */
export function inlineMarkdown(text: string): string {
  const escaped = oneLine(text)
    .replaceAll(/[\\`*_{}[\]<>()#|!~&]/gu, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])/u, String.raw`$1\$2`)
    .replace(/^[+=-]/u, String.raw`\$&`);
  return partMentions(escaped);
}

function partMentions(text: string): string {
  return text.replaceAll(linkJoint, `$&${wordJoiner}`).replaceAll(mention, `$&${wordJoiner}`);
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

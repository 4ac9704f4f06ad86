/** Drawn as nothing and no place to break a line: it keeps a sign from joining the one after it. */
const wordJoiner = '\u2060';

/** A scheme before `//`, a scheme that needs none, `www`, and a dot between a host's labels. */
const linkJoint =
  /:(?=\/\/)|\b(?:mailto|xmpp|tel):(?=\S)|\bwww(?=\.)|(?<=[\p{L}\p{N}]\.)(?=\p{L}{2})/giu;
const mention = /[@#](?=[\p{L}\p{N}_])/gu;
const directionMark = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Makes text of a seller or a customer safe to stand in a text that is pasted elsewhere: one line, without direction marks,
 * and nothing in it that a mail program or help desk turns into a link, a mention or a heading. It reads as before: a word
 * joiner (U+2060), which is not drawn, parts what would be recognised.
 */
export function inlineText(text: string): string {
  return partMentions(oneLine(text)).replace(/^(?=[#>=+*~-])/u, wordJoiner);
}

/** Does the same as {@link inlineText} for Markdown, where nothing in the text is taken for markup either. */
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
    .replaceAll(directionMark, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Control and format characters, lone surrogates, private use, line separators and letters that are drawn as nothing. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\u115F\u1160\u3164\uFFA0]/gu;

/**
 * Makes characters visible that are not drawn or that turn the direction of a text, for text of sellers, servers and
 * customers. What looks like a name or a domain is then what it says.
 *
 * @example visibleText('\u202Emoc.elpmaxe') // '⟨U+202E⟩moc.elpmaxe'
 */
export function visibleText(text: string): string {
  return text.replace(hidden, codePointOf);
}

/** Does the same as {@link visibleText} for a text of several lines, and leaves its line breaks. */
export function visibleLines(text: string): string {
  return text.replace(hidden, (mark) => (mark === '\n' ? mark : codePointOf(mark)));
}

function codePointOf(mark: string): string {
  return `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

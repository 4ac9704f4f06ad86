/**
 * Matches control and format characters, lone surrogates, private use, line separators and default-ignorable
 * characters.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/**
 * Makes invisible characters and direction marks visible as code points, so that untrusted text cannot imitate another name.
 *
 * @example visibleText('\u202Emoc.elpmaxe') // '⟨U+202E⟩moc.elpmaxe'
 */
export function visibleText(text: string): string {
  return text.replace(hidden, codePointOf);
}

/** Does the same as {@link visibleText}, but keeps line breaks. */
export function visibleLines(text: string): string {
  return text.replace(hidden, (mark) => (mark === '\n' ? mark : codePointOf(mark)));
}

function codePointOf(mark: string): string {
  return `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * Text from a stranger's file, with what is not drawn made visible: direction marks, zero-width characters and control
 * characters as `⟨U+202E⟩`. What looks like a domain is then what it says.
 */
export function visibleText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\u115F\u1160\u3164\uFFA0]/gu,
    (mark) => `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

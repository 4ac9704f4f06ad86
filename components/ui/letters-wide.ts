/** Returns how wide a text is about, in letters: those of East Asia are as wide as two. */
export function lettersWide(text: string): number {
  return text.length + (text.match(/[\u2E80-\uFFEF]/gu)?.length ?? 0);
}

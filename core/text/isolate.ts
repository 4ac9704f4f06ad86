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

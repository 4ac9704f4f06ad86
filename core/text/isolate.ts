/** First strong isolate, and pop directional isolate: what is between them has a direction of its own. */
const [start, end] = ['\u2068', '\u2069'];

/**
 * Keeps a text's own order inside a sentence of the other direction. For what is shown alone: what is copied or saved goes through
 * {@link withoutIsolates}.
 */
export function isolated(text: string): string {
  return `${start}${text}${end}`;
}

export function withoutIsolates(text: string): string {
  return text.replaceAll(start, '').replaceAll(end, '');
}

import { partOf, type Reading, readingOf, Undoing } from '#core/reading/reading';
import type { Transport } from '#core/reading/transports';

/** At most this many transports are undone, such as a mail inside JSON inside a link. */
const maxDepth = 3;
/** The budget: 16 times the length of the text plus 2,000. Each reading costs its length plus 100. */
const maxGrowth = 16;
const charactersBeyond = 2000;
const charactersOfReading = 100;

/**
 * Yields the distinct readings of a text: first the text itself, then the results of undoing the transports that it may
 * have gone through, in any order and combination. Plain text has one reading. The work is bounded and linear in the
 * text: n characters have at most 2 + 16 × (n + 2,000) / 101 readings, since each takes its length plus 100 from the
 * budget.
 * @param transports the transports that the text may have gone through
 * @param reach how many characters around a replacement matter to the caller; in a long text, only these are read again
 */
export function* readingsOf(
  text: string,
  transports: readonly Transport[],
  reach = Infinity,
): Generator<Reading> {
  const seen = new Set([text]);
  let level: Reading[] = [readingOf(text)];
  let left = maxGrowth * (text.length + charactersBeyond);
  for (let depth = 0; level.length > 0; depth += 1) {
    yield* level;
    if (depth === maxDepth) return;
    const next: Reading[] = [];
    for (const reading of level) {
      for (const { id, mark, undo } of transports) {
        if (left < 0 || !mark.test(reading.text)) continue;
        const undoing = new Undoing(reading, id);
        undo(undoing, reading.text);
        const undone = undoing.done();
        for (const stretch of undoing.around(undoing.outermost ? Infinity : reach)) {
          const part = partOf(undone, stretch);
          const key = reach === Infinity ? part.text : `${String(part.startOf(0))} ${part.text}`;
          if (part.text === '' || seen.has(key)) continue;
          seen.add(key);
          left -= part.text.length + charactersOfReading;
          next.push(part);
        }
        if (undoing.outermost) break;
      }
    }
    // A reading in which more was undone is likelier, and comes later.
    level = next.sort((one, other) => other.text.length - one.text.length);
  }
}

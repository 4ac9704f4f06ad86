import { partOf, type Reading, readingOf, Undoing } from '#core/reading/reading';
import type { Transport } from '#core/reading/transports';

/** At most three transports are undone, as for a mail inside JSON inside a link. */
const maxDepth = 3;
/** Budget: 16 characters read per character of the text and per one of 2,000 more; each reading costs 100 on top. */
const maxGrowth = 16;
const charactersBeyond = 2000;
const charactersOfReading = 100;

/**
 * Yields the readings of a text: first the text itself, then what is left after undoing the transports it may have gone
 * through, one after the other and in any order. Each reading is yielded once. Plain text has one. The work is bounded
 * and linear in the text: of n characters there are at most 2 + 16 × (n + 2,000) / 101 readings, since each takes its
 * length and 100 from the budget.
 * @param transports what the text may have gone through
 * @param reach how many characters around what was undone matter to the caller: of a long text, only these are read
 * again
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
    // A reading in which more was undone is the likelier one, and comes later.
    level = next.sort((one, other) => other.text.length - one.text.length);
  }
}

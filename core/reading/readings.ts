import { partOf, type Reading, readingOf, Undoing } from '#core/reading/reading';
import { type Transport, transports } from '#core/reading/transports';

/** A mail in JSON in a link. */
const maxDepth = 3;
/** How many signs all readings of a text have at most, for each sign of the text; each reading counts as some signs more. */
const maxGrowth = 16;
const signsOfReading = 100;

/**
 * Yields the readings of a text: itself first, then what is left when the transports are undone that it may have gone through,
 * one after the other and in any order, each reading once. Plain text has one. The work is bounded and linear in the text.
 * @param reach how many signs around what was undone matter to the caller: of a long text only these are read anew
 * @param more what the text may have gone through besides
 */
export function* readingsOf(
  text: string,
  reach = Infinity,
  more: readonly Transport[] = [],
): Generator<Reading> {
  const seen = new Set([text]);
  let level: Reading[] = [readingOf(text)];
  let left = maxGrowth * (text.length + signsOfReading);
  for (let depth = 0; level.length > 0; depth += 1) {
    yield* level;
    if (depth === maxDepth) return;
    const next: Reading[] = [];
    for (const reading of level) {
      for (const { id, mark, undo } of [...transports, ...more]) {
        if (left < 0) return;
        if (!mark.test(reading.text)) continue;
        const undoing = new Undoing(reading, id);
        undo(reading.text, undoing);
        const undone = undoing.done();
        for (const stretch of undoing.around(reach)) {
          const part = partOf(undone, stretch);
          const key = reach === Infinity ? part.text : `${String(part.startOf(0))} ${part.text}`;
          if (part.text === '' || seen.has(key)) continue;
          seen.add(key);
          left -= part.text.length + signsOfReading;
          next.push(part);
        }
        if (undoing.outermost) break;
      }
    }
    level = next;
  }
}

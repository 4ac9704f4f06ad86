import { type Reading, readingOf, Undoing } from '#core/reading/reading';
import { transports } from '#core/reading/transports';

/** A mail in JSON in a link. */
const maxDepth = 3;
/** More are not read: no text that somebody sent needs them. */
const maxReadings = 24;
/** How many signs all readings of a text have at most, for each sign of the text. */
const maxGrowth = 16;

/**
 * Yields the readings of a text: itself first, then what is left when the transports are undone that it may have gone through,
 * one after the other and in any order, each reading once. Plain text has one. The work is bounded and linear in the text.
 */
export function* readingsOf(text: string): Generator<Reading> {
  const seen = new Set([text]);
  let level: Reading[] = [readingOf(text)];
  let left = maxGrowth * text.length;
  for (let depth = 0; level.length > 0; depth += 1) {
    yield* level;
    if (depth === maxDepth) return;
    const next: Reading[] = [];
    for (const reading of level) {
      for (const { id, mark, undo } of transports) {
        if (seen.size >= maxReadings || left < 0) break;
        if (!mark.test(reading.text)) continue;
        left -= reading.text.length;
        const undoing = new Undoing(reading, id);
        undo(reading.text, undoing);
        const undone = undoing.done();
        if (seen.has(undone.text)) continue;
        seen.add(undone.text);
        next.push(undone);
      }
    }
    level = next;
  }
}

import type { Page } from '@playwright/test';

import { chipsOf } from '#tests/support/ticket';
import { type Rect, wordsOf } from '#tests/support/words';

const overlaps = (one: Rect, other: Rect): boolean =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height;

/**
 * Returns the words that a chip lies over, those of its own code too, and the codes of chips that lie over another
 * chip.
 */
export async function coveredWords(page: Page): Promise<string[]> {
  const chips = await chipsOf(page);
  const words = await wordsOf(page);
  return chips.flatMap((chip, index) => [
    ...words.filter((word) => overlaps(word, chip)).map(({ text }) => text),
    ...chips
      .slice(index + 1)
      .filter((one) => overlaps(one, chip))
      .map(({ code }) => code),
  ]);
}

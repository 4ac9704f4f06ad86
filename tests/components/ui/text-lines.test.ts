import { expect, test } from 'vitest';

import type { RowLayout } from '#components/ui/table-column';
import { linesOfPieces, linesOfText } from '#components/ui/text-lines';

/** Every letter is 10 wide. */
const layout: RowLayout = {
  isNarrow: true,
  isOnPhone: true,
  width: 100,
  widthOf: (text) => text.length * 10,
};

test.each([
  ['', 100, 0, 1],
  ['ten ten te', 100, 0, 1],
  // The space at the end of a line takes no room.
  ['ten ten te xxxxxxxxxx', 100, 0, 2],
  ['ten ten tenx', 100, 0, 2],
  ['ten ten te', 100, 10, 2],
  ['no\u00A0break here', 90, 0, 2],
  ['确认此代码是否有效吗', 50, 0, 2],
  ['abcdefghijklmno', 50, 0, 3],
])('“%s” in lines of %i, of which %i is taken, takes %i', (text, room, filled, lines) => {
  expect(linesOfText(text, layout, { room, filled })).toBe(lines);
});

test('pieces that do not break go to the next line whole, with a gap between two on one', () => {
  const pieces = ['4 Supported', '2 No support'];
  const linesIn = (room: number) => linesOfPieces(pieces, layout, { room, gap: 20 });
  expect([250, 240, 120].map(linesIn)).toEqual([1, 2, 2]);
});

import type { RowLayout } from '#components/ui/table-column';

/** Returns the width in CSS pixels of the widest of some texts in a table's row, but at least a given width. */
export function widest(
  texts: readonly string[],
  widthOf: RowLayout['widthOf'],
  least: number,
): number {
  return texts.reduce((most, text) => Math.max(most, Math.ceil(widthOf(text)) + 1), least);
}

interface LineRoom {
  /** The width of a line, in CSS pixels. */
  readonly room: number;
  /** The part of the first line that is taken already, in CSS pixels. */
  readonly filled?: number;
  /** The space between two pieces, in addition to their own padding, in CSS pixels. */
  readonly gap?: number;
}

/** The counts per layout are cached, because the same rows are counted again whenever one of them changes. */
const counted = new WeakMap<RowLayout, Map<string, number>>();

/**
 * Counts the lines that a text takes in a table's row. It can break after a space, and between East Asian characters.
 */
export function linesOfText(text: string, layout: RowLayout, line: LineRoom): number {
  return countOnce(text, layout, line, () => piecesOf(text));
}

function piecesOf(text: string): string[] {
  return text.split(/(?<=[ \u2E80-\uFFEF])/u);
}

/** Counts the lines that several pieces take; a piece breaks only if it is wider than a line. */
export function linesOfPieces(
  pieces: readonly string[],
  layout: RowLayout,
  line: LineRoom,
): number {
  return countOnce(pieces.join('\n'), layout, line, () => pieces);
}

function countOnce(
  name: string,
  layout: RowLayout,
  line: LineRoom,
  pieces: () => readonly string[],
): number {
  const known = counted.get(layout) ?? new Map<string, number>();
  counted.set(layout, known);
  const key = [line.room, line.filled, line.gap, name].join('\n');
  const lines = known.get(key) ?? fillLines(pieces(), layout, line);
  known.set(key, lines);
  return lines;
}

function fillLines(
  pieces: readonly string[],
  layout: RowLayout,
  { room, filled = 0, gap = 0 }: LineRoom,
): number {
  const { widthOf } = layout;
  let [lines, end] = [1, filled];
  for (const piece of pieces) {
    // A space at the end of a line takes no room.
    const width = widthOf(piece.trimEnd());
    const isFirst = end === 0 || end + gap + width > room;
    if (end > 0 && isFirst) lines += 1;
    if (isFirst && width > room) lines += linesWithin(piece, layout, room) - 1;
    end = (isFirst ? 0 : end + gap) + widthOf(piece);
  }
  return lines;
}

/** Counts the lines of a piece that is wider than a line: it breaks like a text, and anywhere if that is not enough. */
function linesWithin(piece: string, layout: RowLayout, room: number): number {
  const words = piecesOf(piece.trimEnd());
  return words.length > 1
    ? fillLines(words, layout, { room })
    : Math.ceil(layout.widthOf(piece.trimEnd()) / room);
}

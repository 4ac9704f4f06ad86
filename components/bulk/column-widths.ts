import type { RowLayout } from '#components/ui/table-column';
import { widest } from '#components/ui/text-lines';

type WidthOf = RowLayout['widthOf'];

/** The bounds of a column of the file and of the column for the end of support, in CSS pixels. */
const [leastOwn, mostOwn] = [88, 184];
const [leastSupport, mostSupport] = [112, 160];
/** By which factor bold letters are wider, at most. */
const bolder = 1.17;

/** Returns the width of a column of the file: as wide as its texts and its title need, within the bounds. */
export function ownWidth(title: string, texts: readonly string[], widthOf: WidthOf): string {
  const width = Math.max(widest(texts, widthOf, leastOwn), titleWidth(title, widthOf));
  return `minmax(${String(leastOwn)}px, ${String(Math.min(mostOwn, width))}px)`;
}

/** Returns the width of the column that shows the end of support. */
export function supportWidth(title: string, widthOf: WidthOf): string {
  const width = Math.max(leastSupport, titleWidth(title, widthOf));
  return `${String(Math.min(mostSupport, width))}px`;
}

/** Returns the width of a title with the arrow that a sorted column shows, in CSS pixels. */
function titleWidth(title: string, widthOf: WidthOf): number {
  return Math.ceil(widthOf(`${title}\u00A0↓`) * bolder);
}

import type { RowLayout } from '#components/ui/table-column';
import { widest } from '#components/ui/text-lines';

type WidthOf = RowLayout['widthOf'];

/** Between which widths a column of the file and that of the support's end are fitted, in CSS pixels. */
const [leastOwn, mostOwn] = [88, 184];
const [leastSupport, mostSupport] = [112, 160];
/** How much wider letters are in bold, at most. */
const bolder = 1.17;

/** Returns the width of a column of the file: what its texts and its title take, between two bounds. */
export function ownWidth(title: string, texts: readonly string[], widthOf: WidthOf): string {
  const width = Math.max(widest(texts, widthOf, leastOwn), titleWidth(title, widthOf));
  return `minmax(${String(leastOwn)}px, ${String(Math.min(mostOwn, width))}px)`;
}

/** Returns the width of the column that says until when support runs. */
export function supportWidth(title: string, widthOf: WidthOf): string {
  const width = Math.max(leastSupport, titleWidth(title, widthOf));
  return `${String(Math.min(mostSupport, width))}px`;
}

/** Returns the width of a title with the arrow that it has once the table is sorted by it, in CSS pixels. */
function titleWidth(title: string, widthOf: WidthOf): number {
  return Math.ceil(widthOf(`${title}\u00A0↓`) * bolder);
}

import {
  computed,
  type ComputedRef,
  type MaybeRefOrGetter,
  ref,
  shallowRef,
  toValue,
  watchEffect,
} from 'vue';

import { useFormats } from '#components/formats';
import { useI18n } from '#components/i18n';
import type { HistoryColumn } from '#components/history/history-view';
import { type RunWords, useHistoryWords } from '#components/history/history-words';
import type { RowLayout, TableColumn } from '#components/ui/table-column';
import { linesOfPieces, widest } from '#components/ui/text-lines';
import { isMasked } from '#core/codes/index';
import type { HistoryCode, HistoryRow } from '#core/history/index';
import { succeed } from '#core/result';
import { itemNameOf } from '#core/verdict/index';

/** The width below which whole codes would leave no room for items, in CSS pixels. */
const besideWhole = 900;
/**
 * The width of the column of connections: what the names need, between two bounds in CSS pixels, or else this share of
 * the item's column.
 */
const [leastConnection, mostConnection, connectionShare] = [96, 168, 0.3];
/** The least width of the column of moments, in CSS pixels. */
const leastWhen = 72;
/** The gap between two columns, and between two counts with a dot, in CSS pixels. */
const [columnGap, dotWidth] = [12, 14.3];
/**
 * The share of a line that a run's name takes at most if more text is beside it; with wide letter spacing the
 * widths are only approximate.
 */
export const nameShare = 0.6;
/** By which factor bold letters are wider, at most. */
const bolder = 1.17;

export interface HistoryLayout {
  readonly columns: readonly TableColumn<HistoryColumn>[];
  /** The width below which rows have further lines, in CSS pixels; undefined if the usual width applies. */
  readonly narrowBelow: number | undefined;
  /**
   * Returns how many lines a cell takes: none if it is empty, and as many as they need for the verdicts of a run or a
   * day.
   */
  readonly linesOf: (row: HistoryRow, key: HistoryColumn, layout: RowLayout) => number;
}

/**
 * Lays out the table of the history.
 * @param codes the codes that are shown
 * @param isSorted whether the rows have an order that the agent chose, and so no headings for their days
 */
export function useHistoryLayout(
  codes: MaybeRefOrGetter<readonly HistoryCode[]>,
  isSorted: MaybeRefOrGetter<boolean>,
): ComputedRef<HistoryLayout> {
  const { t } = useI18n();
  const formats = useFormats();
  const { verdictsIn, wordsOfRun } = useHistoryWords();

  /** Once a column was wide it stays wide, so that a filter does not move the columns. */
  const [hasWhole, hasEarlier] = [ref(false), ref(false)];
  const known = new Set<string>();
  const names = shallowRef<readonly string[]>([]);
  watchEffect(() => {
    hasWhole.value ||= toValue(codes).some(({ code }) => !isMasked(code));
    hasEarlier.value ||= toValue(codes).some(({ verdicts }) => verdicts.length > 1);
  });
  watchEffect(() => {
    const shown = new Set(toValue(codes).map(({ connectionNames }) => connectionNames.join('\n')));
    if (shown.isSubsetOf(known)) return;
    for (const joined of shown) known.add(joined);
    names.value = [...known].map((joined) => formats.all(joined.split('\n')));
  });
  /** An earlier verdict is shown beside the newest if there is room. */
  const verdictWidth = computed(() =>
    hasEarlier.value
      ? { least: 160, share: 0.27, most: 264 }
      : { least: 160, share: 0.19, most: 188 },
  );
  /** The column must fit a whole code; a masked one is short. */
  const codeWidth = computed(() => (hasWhole.value ? 316 : 100));
  /** A day of each month as it is written: a row without a heading for its day may show any of them. */
  const days = Array.from({ length: 12 }, (_, month) =>
    formats.shortDate(Date.UTC(2027, month, 28, 12)),
  );
  function whenWidth(widthOf: RowLayout['widthOf']): number {
    return toValue(isSorted) ? widest(days, widthOf, leastWhen) : leastWhen;
  }
  function connectionWidth(widthOf: RowLayout['widthOf']): number {
    return Math.min(mostConnection, widest(names.value, widthOf, leastConnection));
  }

  const columns = computed(() => {
    const { least, share, most } = verdictWidth.value;
    const code = `${String(codeWidth.value)}px`;
    return [
      column(
        'verdict',
        `clamp(${String(least)}px, ${String(share * 100)}%, ${String(most)}px)`,
        '188px',
      ),
      column('code', hasWhole.value ? `minmax(0, ${code})` : code, 'minmax(0, 1fr)'),
      column('item', 'minmax(0, 1fr)'),
      {
        ...column('connection', ''),
        fitted: (widthOf) =>
          `minmax(${String(connectionWidth(widthOf))}px, ${String(connectionShare)}fr)`,
      },
      { ...column('when', ''), fitted: (widthOf) => `${String(whenWidth(widthOf))}px` },
    ];
  });

  function column(key: HistoryColumn, width: string, narrow?: string): TableColumn<HistoryColumn> {
    const title = t(`desk.history.columns.${key}`);
    return { key, title, sortable: true, width, ...(narrow !== undefined && { narrow }) };
  }

  /** The width of the first two columns with the gaps after them, in a wide table. */
  function widthBefore({ width }: RowLayout): number {
    const { least, share, most } = verdictWidth.value;
    const inVerdict = Math.min(most, Math.max(least, share * width));
    return inVerdict + codeWidth.value + 2 * columnGap;
  }

  /**
   * Counts the lines of the text about a run, in the column of items: its name and state, and below them its verdicts.
   */
  function linesOfRun({ name, standing, counts }: RunWords, layout: RowLayout): number {
    const { width, widthOf, isNarrow, isOnPhone } = layout;
    const before = isNarrow ? 0 : widthBefore(layout);
    const shared = width - before - whenWidth(widthOf) - 2 * columnGap;
    const connection = (shared * connectionShare) / (1 + connectionShare);
    const room = isOnPhone ? width : shared - Math.max(connectionWidth(widthOf), connection);
    const filled = Math.min(widthOf(name) * bolder, nameShare * room);
    const named =
      name === '' ? 0 : linesOfPieces(standing, layout, { room, filled, gap: dotWidth });
    return (
      named + (counts.length === 0 ? 0 : linesOfPieces(counts, layout, { room, gap: dotWidth }))
    );
  }

  return computed(() => ({
    columns: columns.value,
    narrowBelow: hasWhole.value ? besideWhole : undefined,
    linesOf(row, key, layout) {
      if (row.kind === 'day') {
        const room = layout.width - (layout.isNarrow ? 0 : widthBefore(layout));
        return linesOfPieces(verdictsIn(row), layout, { room, gap: dotWidth });
      }
      if (key !== 'item') return 1;
      if (row.kind === 'run') return linesOfRun(wordsOfRun(row), layout);
      return Number(itemNameOf(succeed(row.answer)) !== '');
    },
  }));
}

export interface ColumnLayout {
  readonly title: string;
  /** A track of the CSS grid: `120px`, `minmax(0, 1fr)`. */
  readonly width: string;
  /** Returns the track instead of `width`, if it depends on the widths of the column's texts. */
  readonly fitted?: (widthOf: RowLayout['widthOf']) => string;
  /**
   * The track in a narrow table; on a phone only the first two columns use theirs. The other columns move to further
   * lines of the row.
   */
  readonly narrow?: string;
  /** The track in a further line, if it differs from that in a wide table. */
  readonly further?: string;
  /** True if the column has a line to itself in a narrow table; if it has a `narrow` track, only on a phone. */
  readonly alone?: boolean;
}

/** One column of a `DataTable`. Its cells are given in the slot named after its key. */
export type TableColumn<Key extends string, SortKey extends Key = Key> = ColumnLayout &
  (
    | { readonly key: SortKey; readonly sortable: true }
    | { readonly key: Key; readonly sortable?: false }
  );

/** The present layout of a `DataTable`'s rows. */
export interface RowLayout {
  /** True if rows have further lines. */
  readonly isNarrow: boolean;
  readonly isOnPhone: boolean;
  /** The width of a whole line of a row, in CSS pixels. */
  readonly width: number;
  /** Returns how wide a text is in a row, in CSS pixels. */
  readonly widthOf: (text: string) => number;
}

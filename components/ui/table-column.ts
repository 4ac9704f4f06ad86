export interface ColumnLayout {
  readonly title: string;
  /** A track of the CSS grid: `120px`, `minmax(0, 1fr)`. */
  readonly width: string;
  /** Returns its track in place of `width` where that depends on how wide its texts are. */
  readonly fitted?: (widthOf: RowLayout['widthOf']) => string;
  /**
   * The track in a narrow table, on a phone for the first two alone; the other columns stand in further lines of the
   * row.
   */
  readonly narrow?: string;
  /** Its track in that second line, where it is another than in a wide table. */
  readonly further?: string;
  /** Whether it has a line to itself where the table is narrow; with a narrow track, on a phone alone. */
  readonly alone?: boolean;
}

/** One column of a `DataTable`. Its cells come in the slot that bears its key. */
export type TableColumn<Key extends string, SortKey extends Key = Key> = ColumnLayout &
  (
    | { readonly key: SortKey; readonly sortable: true }
    | { readonly key: Key; readonly sortable?: false }
  );

/** How the rows of a `DataTable` stand. */
export interface RowLayout {
  /** Whether a row has further lines. */
  readonly isNarrow: boolean;
  readonly isOnPhone: boolean;
  /** The width of a whole line of a row, in CSS pixels. */
  readonly width: number;
  /** Returns how wide a text is in a row, in CSS pixels. */
  readonly widthOf: (text: string) => number;
}

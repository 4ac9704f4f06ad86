export interface ColumnLayout {
  readonly title: string;
  /** A track of the CSS grid: `120px`, `minmax(0, 1fr)`. */
  readonly width: string;
  /** The track in a narrow table; columns without one stand in the row's second line there, and last among the columns. */
  readonly narrow?: string;
  /** Its track in that second line, where it is another than in a wide table. */
  readonly further?: string;
  /** Whether it has a line to itself on a phone, as sentences need; such a column stands first among those of further lines. */
  readonly alone?: boolean;
}

/** Describes one column of a `DataTable`. Its cells come in the slot that bears its key. */
export type TableColumn<Key extends string, SortKey extends Key = Key> = ColumnLayout &
  (
    | { readonly key: SortKey; readonly sortable: true }
    | { readonly key: Key; readonly sortable?: false }
  );

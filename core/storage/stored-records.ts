/** The lists that are stored as one value each, so that their order and every change are written atomically. */
export type ListName = 'connections' | 'authorities' | 'sites' | 'pinned-keys';

/** The places of stored records that this version may be unable to read. */
export type RecordSourceName =
  | ListName
  | 'jobs'
  | 'rows'
  | 'history'
  | 'history-settings'
  | 'secrets'
  | 'preferences'
  | 'reply-templates'
  | 'team';

/** A description of a record that this version cannot read, without its content. */
export interface UnreadableSummary {
  /** Identifies the record by its place and its content. */
  readonly id: string;
  readonly source: RecordSourceName;
  /** The dotted path of the first unreadable member; `$` is the whole record. */
  readonly path: string;
  /** The record's name, if it can be read. */
  readonly name?: string;
}

export interface UnreadableReport {
  readonly records: readonly UnreadableSummary[];
  /** Whether a newer version of the program stored something, which is left unchanged. */
  readonly newer: boolean;
}

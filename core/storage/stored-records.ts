/** The lists that are stored as one value each, so that their order and every change are written as a whole. */
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

/** A record that this version cannot read, without what it holds. */
export interface UnreadableSummary {
  /** The place of the record, and its content. */
  readonly id: string;
  readonly source: RecordSourceName;
  /** The first member that cannot be read, dotted; `$` is the whole record. */
  readonly path: string;
  /** The name in the record, where there is one to be read. */
  readonly name?: string;
}

export interface UnreadableReport {
  readonly records: readonly UnreadableSummary[];
  /** Whether a newer version of the program stored something that is left as it is. */
  readonly newer: boolean;
}

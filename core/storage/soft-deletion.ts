/** How long a deletion can be undone, in milliseconds. Browser alarms fire no sooner than this. */
export const undoMs = 30_000;

export interface Deletable {
  /** The deletion can be undone before this moment, epoch milliseconds; absent while the record is not deleted. */
  readonly deletedUntil?: number;
}

export function isLive({ deletedUntil }: Deletable): boolean {
  return deletedUntil === undefined;
}

/** Marks a record as deleted. If it is already deleted, it keeps its time. */
export function markedDeleted<T extends Deletable>(record: T, undoUntil: number): T {
  return isLive(record) ? { ...record, deletedUntil: undoUntil } : record;
}

/** Returns the record undeleted, or unchanged if its time is over. */
export function restoredAt<T extends Deletable>(record: T, moment: number): T {
  const { deletedUntil, ...live } = record;
  // The removed member is optional in every `T`.
  return deletedUntil !== undefined && moment < deletedUntil ? (live as T) : record;
}

export {
  type Deletable,
  isLive,
  markedDeleted,
  restoredAt,
  undoMs,
} from '#core/storage/soft-deletion';
export type { Restore, StorageFull, TooMany } from '#core/storage/storage-full';
export type { ListName, RecordSourceName, UnreadableReport } from '#core/storage/stored-records';

// The worker's door: each of its two scripts opens its records here once. No page loads it.

export type { HistoryLookup, HistoryStore, NewEntry } from '#adapters/storage/history-store';
export type { JobStore } from '#adapters/storage/job-store';
export { defineRecordBySchema } from '#adapters/storage/parse-with-schema';
export type { AppliedPolicy } from '#adapters/storage/policy-store';
export type { RecordList } from '#adapters/storage/record-list';
export type { SessionCache, SessionRecords } from '#adapters/storage/session-cache';
export type { SessionArea, StorageArea } from '#adapters/storage/storage-area';
export { createStoredSetting, type StoredSetting } from '#adapters/storage/stored-setting';
export type { RecordSource } from '#adapters/storage/tables';
export {
  type AdministrationStorage,
  openAdministrationStorage,
} from '#adapters/storage/worker/administration-storage';
export { openWorkerStorage, type WorkerStorage } from '#adapters/storage/worker/worker-storage';

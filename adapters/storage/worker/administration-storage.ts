import { createItemCache, type ItemCache } from '#adapters/storage/item-cache';
import { createJobStore, type JobStore } from '#adapters/storage/job-store';
import { forgetKeptAnswers } from '#adapters/storage/kept-answers';
import { changeLists, type ListEdit, type RecordList } from '#adapters/storage/record-list';
import { createReplyTemplateStore } from '#adapters/storage/reply-templates';
import type { StoredSetting } from '#adapters/storage/stored-setting';
import type { Fields, RecordSource } from '#adapters/storage/tables';
import { createAuthorityStore } from '#adapters/storage/worker/authority-store';
import { createEraser, type Eraser } from '#adapters/storage/worker/eraser';
import { createTeamStore, type TeamStore } from '#adapters/storage/worker/team-store';
import {
  createUnreadableRecords,
  type UnreadableRecords,
} from '#adapters/storage/worker/unreadable-records';
import type { WorkerStorage } from '#adapters/storage/worker/worker-storage';
import type { StoredAuthority } from '#core/authority/index';
import type { ReplySettings } from '#core/reply-templates/index';
import type { Result } from '#core/result';
import type { StorageFull } from '#core/storage/index';

export interface AdministrationStorage {
  /** @param secrets the source of the keys' own record */
  readonly unreadableRecords: (secrets: RecordSource) => UnreadableRecords;
  /** The settings that pages and a policy write. */
  readonly storedSettings: {
    readonly preferences: StoredSetting<Fields>;
    readonly 'reply-templates': StoredSetting<ReplySettings>;
  };
  readonly authorities: RecordList<StoredAuthority>;
  /** Changes several lists atomically. */
  readonly changeLists: (edits: readonly ListEdit[]) => Promise<Result<void, StorageFull>>;
  readonly team: TeamStore;
  readonly items: ItemCache;
  readonly jobs: JobStore;
  /** Removes the answers that pages keep in the browser's memory. */
  readonly forgetKeptAnswers: () => Promise<void>;
  readonly eraser: Eraser;
}

/** Opens the storage of the worker's second script on top of the first script's, so that no record is cached twice. */
export function openAdministrationStorage({
  tables,
  local,
  sessionArea,
  remembered,
  preferences,
  connectionStore,
}: WorkerStorage): AdministrationStorage {
  return {
    unreadableRecords: (secrets) => createUnreadableRecords(tables, local, secrets),
    storedSettings: { preferences, 'reply-templates': createReplyTemplateStore(local) },
    authorities: createAuthorityStore(tables),
    changeLists: (edits) => changeLists(tables, edits),
    team: createTeamStore(local),
    items: createItemCache(tables),
    jobs: createJobStore(tables),
    forgetKeptAnswers: () => forgetKeptAnswers(sessionArea),
    eraser: createEraser(remembered, [connectionStore]),
  };
}

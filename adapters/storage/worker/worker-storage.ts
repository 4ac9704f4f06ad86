import {
  createLicenseHandoff,
  createPendingTexts,
  type LicenseHandoff,
  type PendingTexts,
} from '#adapters/storage/handoffs';
import { createHistoryStore, type HistoryStore } from '#adapters/storage/history-store';
import { createPolicyStore, type PolicyStore } from '#adapters/storage/policy-store';
import { createPreferenceSetting } from '#adapters/storage/preference-setting';
import { type RecordList, type RememberedList, rememberList } from '#adapters/storage/record-list';
import { createSessionCache, type SessionCache } from '#adapters/storage/session-cache';
import {
  restrictToTrustedContexts,
  type StorageArea,
  type WatchedSessionArea,
  writableWhile,
} from '#adapters/storage/storage-area';
import type { StoredSetting } from '#adapters/storage/stored-setting';
import { createTables, type Fields, type Tables } from '#adapters/storage/tables';
import { createConnectionStore, createSiteStore } from '#adapters/storage/worker/connection-store';
import { type RememberedKeys, rememberedAreas } from '#adapters/storage/worker/read-once';
import type { StoredConnection } from '#core/connections/index';
import type { Site } from '#core/preferences/index';

/** The records that a check and a ticket need. */
export interface WorkerStorage {
  readonly connectionStore: RememberedList<StoredConnection>;
  readonly sites: RecordList<Site>;
  readonly history: HistoryStore;
  readonly policy: PolicyStore;
  readonly preferences: StoredSetting<Fields>;
  readonly sessionCache: SessionCache;
  readonly pendingTexts: PendingTexts;
  readonly licenseHandoff: LicenseHandoff;
  /** The browser's areas, with a cache of what every check needs. */
  readonly remembered: { readonly local: StorageArea; readonly session: StorageArea };
  readonly local: StorageArea;
  readonly sessionArea: WatchedSessionArea;
  readonly tables: Tables;
  /** Prevents content scripts from reading both areas, if the browser can. */
  readonly restrict: () => Promise<void>;
}

interface BrowserStorage {
  readonly local: StorageArea;
  readonly session: StorageArea & WatchedSessionArea;
}

/**
 * Opens the storage of the worker's first script. Only this script may change the cached values of both areas.
 * @param mayWrite called before each change, except in the session area
 */
export function openWorkerStorage(
  { local: writable, session }: BrowserStorage,
  mayWrite: () => boolean,
  keys: RememberedKeys,
): WorkerStorage {
  const local = writableWhile(writable, mayWrite);
  const remembered = rememberedAreas({ local, session }, keys);
  const tables = createTables(undefined, mayWrite);
  const connectionStore = rememberList(createConnectionStore(tables));
  return {
    connectionStore,
    sites: createSiteStore(tables),
    history: createHistoryStore(tables),
    policy: createPolicyStore(remembered.local),
    preferences: createPreferenceSetting(local),
    sessionCache: createSessionCache(remembered.session),
    pendingTexts: createPendingTexts(session),
    licenseHandoff: createLicenseHandoff(session),
    remembered,
    local,
    sessionArea: session,
    tables,
    async restrict() {
      await Promise.all([writable, session].map(restrictToTrustedContexts));
    },
  };
}

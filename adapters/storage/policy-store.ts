import * as v from 'valibot';

import { defineRecord } from '#adapters/storage/tables';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import type { StorageArea } from '#adapters/storage/storage-area';
import { createStoredSetting, type StoredSetting } from '#adapters/storage/stored-setting';
import type { DemandedKeyStorage } from '#core/policy/index';
import { type EntryIds, entryIdsSchema, noEntries } from '#core/settings-import/index';

export const policyKey = 'policy';

/** The settings of this browser that come from the organization's policy: entries and key storage. */
export interface AppliedPolicy {
  /** The text that was applied; empty for none. */
  readonly text: string;
  /** Entries that the policy added; they are removed with it. */
  readonly added: EntryIds;
  /** Entries that the policy locks, including the agent's own with the same name and address. */
  readonly locked: EntryIds;
  readonly keyStorage?: DemandedKeyStorage;
  /**
   * An application that was started but not recorded as finished: its text, and the entries that were the agent's at
   * that time.
   */
  readonly begun?: { readonly text: string; readonly own: EntryIds };
}

export interface PolicyStore {
  read(): Promise<AppliedPolicy>;
  write(applied: AppliedPolicy): ReturnType<StoredSetting<AppliedPolicy>['write']>;
}

const none: AppliedPolicy = { text: '', added: noEntries, locked: noEntries };

const policyCodec = defineRecord<AppliedPolicy>(
  parseWithSchema(
    v.object({
      text: v.string(),
      added: entryIdsSchema,
      locked: entryIdsSchema,
      keyStorage: v.exactOptional(
        v.object({
          mode: v.picklist(['device', 'passphrase', 'session']),
          lockAfterMinutes: v.exactOptional(v.number()),
        }),
      ),
      begun: v.exactOptional(v.object({ text: v.string(), own: entryIdsSchema })),
    }),
  ),
);

/** Stores what the policy has set. An unreadable record counts as none; the policy is then applied again. */
export function createPolicyStore(area: StorageArea): PolicyStore {
  const setting = createStoredSetting({
    area,
    key: policyKey,
    codec: policyCodec,
    salvage: () => none,
  });
  return {
    read: async () => (await setting.read()) ?? none,
    write: (applied) => setting.write(applied),
  };
}

import { hexOf, utf8 } from '#core/encoding/index';
import { isRecord } from '#core/record';
import type { RecordSourceName, UnreadableReport } from '#core/storage/index';
import { omitUndefined } from '#core/result';
import { createHistorySetting, entryCodec } from '#adapters/storage/history-store';
import { jobCodec, rowCodec } from '#adapters/storage/job-store';
import { pinnedKeyCodec } from '#adapters/storage/pinned-key-codec';
import { createPreferenceSetting } from '#adapters/storage/preference-setting';
import { createRecordList } from '#adapters/storage/record-list';
import { createReplyTemplateStore } from '#adapters/storage/reply-templates';
import type { StorageArea } from '#adapters/storage/storage-area';
import {
  findUnused,
  isNewerDatabase,
  type RecordCodec,
  type RecordSource,
  type Tables,
  type UnreadableRecord,
} from '#adapters/storage/tables';
import { createAuthorityStore } from '#adapters/storage/worker/authority-store';
import { createConnectionStore, createSiteStore } from '#adapters/storage/worker/connection-store';
import { createTeamStore } from '#adapters/storage/worker/team-store';

/** Records that this version of the program cannot read. They stay where they are; only the agent removes them. */
export interface UnreadableRecords {
  report(): Promise<UnreadableReport>;
  /** Returns a record as JSON text without its secrets; `undefined` if it is gone. */
  copy(id: string): Promise<string | undefined>;
  remove(id: string): Promise<void>;
}

interface FoundRecord extends UnreadableRecord {
  readonly source: RecordSourceName;
}

/** @param secrets the source of the keys' own record */
export function createUnreadableRecords(
  tables: Tables,
  local: StorageArea,
  secrets: RecordSource,
): UnreadableRecords {
  const sources: Readonly<Record<RecordSourceName, RecordSource>> = {
    connections: createConnectionStore(tables),
    authorities: createAuthorityStore(tables),
    sites: createSiteStore(tables),
    'pinned-keys': createRecordList(tables, 'pinned-keys', pinnedKeyCodec),
    jobs: openTable(tables, 'jobs', jobCodec),
    rows: openTable(tables, 'rows', rowCodec),
    history: openTable(tables, 'history', entryCodec),
    'history-settings': createHistorySetting(tables),
    secrets,
    preferences: createPreferenceSetting(local),
    'reply-templates': createReplyTemplateStore(local),
    team: createTeamStore(local),
  };
  const names = Object.keys(sources) as RecordSourceName[];

  /**
   * Finds the records by id. Ids are derived from a record's place and content, so equal records of a list share one.
   */
  async function find(): Promise<{ found: Map<string, FoundRecord>; newer: boolean }> {
    const found = new Map<string, FoundRecord>();
    const all = await Promise.all(names.map((source) => sources[source].unused()));
    for (const [at, source] of names.entries())
      for (const record of all[at]?.unreadable ?? [])
        found.set(await idOf(source, record.value), { source, ...record });
    return { found, newer: all.some(({ newer }) => newer) };
  }

  return {
    async report() {
      try {
        const { found, newer } = await find();
        const records = [...found].map(([id, { source, path, value }]) =>
          omitUndefined({ id, source, path, name: nameOf(value) }),
        );
        return { records, newer };
      } catch (error) {
        if (isNewerDatabase(error)) return { records: [], newer: true };
        throw error;
      }
    },

    async copy(id) {
      const record = (await find()).found.get(id);
      if (record === undefined) return undefined;
      const { source, path, value } = record;
      return JSON.stringify({ source, path, value: withoutSecrets(value, source) }, null, 2);
    },

    async remove(id) {
      const record = (await find()).found.get(id);
      if (record === undefined) return;
      const text = JSON.stringify(record.value);
      await sources[record.source].removeUnreadable((value) => JSON.stringify(value) === text);
    },
  };
}

/** How many records are read at once. Between two batches the worker can answer other requests. */
const portion = 500;

/** Opens a table of separate records. */
function openTable(
  tables: Tables,
  table: 'jobs' | 'rows' | 'history',
  codec: RecordCodec<object>,
): RecordSource {
  return {
    async unused() {
      const unreadable: UnreadableRecord[] = [];
      let newer = false;
      let range: IDBKeyRange | undefined;
      for (;;) {
        const [values, keys] = await tables.transact([table], 'readonly', (transaction) => {
          const store = transaction.objectStore(table);
          return Promise.all([store.getAll(range, portion), store.getAllKeys(range, portion)]);
        });
        const part = findUnused(values, codec);
        unreadable.push(...part.unreadable);
        newer ||= part.newer;
        if (keys.length < portion) return { unreadable, newer };
        range = IDBKeyRange.lowerBound(keys.at(-1), true);
      }
    },

    removeUnreadable: (isMeant) =>
      tables.transact([table], 'readwrite', async (transaction) => {
        const store = transaction.objectStore(table);
        const [values, keys] = await Promise.all([store.getAll(), store.getAllKeys()]);
        for (const [at, value] of values.entries())
          if (codec.read(value).kind === 'unreadable' && isMeant(value))
            await store.delete(IDBKeyRange.only(keys[at]));
      }),
  };
}

async function idOf(source: RecordSourceName, value: unknown): Promise<string> {
  const text = utf8(JSON.stringify([source, value]));
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 8));
}

function nameOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  return [value['name'], value['label'], value['origin']].find(
    (text): text is string => typeof text === 'string' && text !== '',
  );
}

const secretName = /token|secret|password|passphrase|api[-_]?key|credential|authorization/iu;
const leftOut = '(left out: may be secret)';

/** Leaves out every text of the key record, and elsewhere members whose name suggests a secret. */
function withoutSecrets(value: unknown, source: RecordSourceName): unknown {
  if (typeof value === 'string') return source === 'secrets' ? leftOut : value;
  if (Array.isArray(value)) return value.map((one: unknown) => withoutSecrets(one, source));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretName.test(name) ? leftOut : withoutSecrets(member, source),
    ]),
  );
}

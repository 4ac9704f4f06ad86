import { type Fields, defineRecord } from '#adapters/storage/tables';
import type { StorageArea } from '#adapters/storage/storage-area';
import {
  type NewerVersion,
  type StoredSetting,
  createStoredSetting,
} from '#adapters/storage/stored-setting';
import { mayBePreference } from '#core/preferences/index';
import { fail, omitUndefined, type Result, succeed } from '#core/result';
import { isRecord } from '#core/record';
import type { StorageFull } from '#core/storage/index';

export const preferencesKey = 'preferences';

const isReadable = ([name, value]: [string, unknown]): boolean => mayBePreference(name, value);

export const preferencesCodec = defineRecord<Fields>((fields) => {
  const members = membersOf(fields);
  const unreadable = Object.entries(members).find((member) => !isReadable(member));
  return unreadable === undefined ? succeed(members) : fail(unreadable[0]);
});

function salvage(value: unknown): Fields {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(membersOf(value)).filter(isReadable));
}

function membersOf(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'version'));
}

export function createPreferenceSetting(area: StorageArea): StoredSetting<Fields> {
  return createStoredSetting({ area, key: preferencesKey, codec: preferencesCodec, salvage });
}

/** Writes some of the preferences; another page may change others at the same time. `undefined` removes one. */
export async function changePreferences(
  area: StorageArea,
  changes: object,
): Promise<Result<void, NewerVersion | StorageFull>> {
  const written = await createPreferenceSetting(area)
    .change((present) => omitUndefined({ ...present, ...changes }))
    .catch(() => fail({ kind: 'storage-full' }));
  return written.ok ? succeed(undefined) : written;
}

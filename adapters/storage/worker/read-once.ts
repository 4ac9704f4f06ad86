import { policyKey } from '#adapters/storage/policy-store';
import { rememberValues, type StorageArea } from '#adapters/storage/storage-area';
import { isOfKind, type SessionRecords } from '#adapters/storage/session-cache';

interface Areas {
  readonly local: StorageArea;
  readonly session: StorageArea;
}

/** The values in each area that another room keeps there, and the worker alone writes. */
export interface RememberedKeys {
  readonly local: string;
  readonly session: string;
}

const paced: readonly (keyof SessionRecords)[] = ['pace', 'account', 'search'];

/**
 * Remembers, for the life of the worker, what every check reads and the worker alone writes: the key record, which is
 * ciphertext, what the policy demands, the unlocked wrapping key, pacing, and the last interrupted search. What lies on
 * the disk is read at once: the browser fetches it while the worker's script still runs.
 */
export function rememberedAreas({ local, session }: Areas, keys: RememberedKeys): Areas {
  const isPaced = isOfKind(paced);
  const onDisk = [keys.local, policyKey];
  const remembered = {
    local: rememberValues(local, (key) => onDisk.includes(key)),
    session: rememberValues(session, (key) => key === keys.session || isPaced(key)),
  };
  // A caller that needs a value which could not be read asks again.
  for (const key of onDisk) remembered.local.get(key).catch(() => undefined);
  return remembered;
}

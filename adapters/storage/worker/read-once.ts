import { policyKey } from '#adapters/storage/policy-store';
import { rememberValues, type StorageArea } from '#adapters/storage/storage-area';
import { isOfKind, type SessionRecords } from '#adapters/storage/session-cache';

interface Areas {
  readonly local: StorageArea;
  readonly session: StorageArea;
}

/** The values in each area that belong to another room and that only the worker writes. */
export interface RememberedKeys {
  readonly local: string;
  readonly session: string;
}

const paced: readonly (keyof SessionRecords)[] = ['pace', 'account', 'search'];

/**
 * Caches, while the worker runs, what every check reads and only the worker writes: the key record, which is
 * ciphertext, the policy's requirements, the unlocked wrapping key, pacing, and the last interrupted search. Values on
 * disk are requested immediately, so that the browser reads them while the worker's script still runs.
 */
export function rememberedAreas({ local, session }: Areas, keys: RememberedKeys): Areas {
  const isPaced = isOfKind(paced);
  const onDisk = [keys.local, policyKey];
  const remembered = {
    local: rememberValues(local, (key) => onDisk.includes(key)),
    session: rememberValues(session, (key) => key === keys.session || isPaced(key)),
  };
  // If a value could not be read, a caller that needs it reads it again.
  for (const key of onDisk) remembered.local.get(key).catch(() => undefined);
  return remembered;
}

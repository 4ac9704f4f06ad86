import { type SecretStore, createSecretStore } from '#adapters/secrets/secret-store';
import type { KeyStores } from '#adapters/secrets/wrapping';
import type { WrappingKeys } from '#adapters/secrets/wrapping-keys';
import type { StorageArea } from '#adapters/storage/storage-area';

/** Lets a task make `step - 1` changes to storage and stops it at the next. Returns whether it came that far. */
export async function stopAt(
  step: number,
  places: KeyStores,
  task: (secrets: SecretStore) => Promise<unknown>,
): Promise<boolean> {
  let left = step;
  const counted =
    <A extends unknown[]>(change: (...args: A) => Promise<void>) =>
    (...args: A): Promise<void> => {
      left -= 1;
      return left <= 0 ? Promise.reject(new Error('Stopped.')) : change(...args);
    };
  const area = (whole: StorageArea): StorageArea => ({
    get: (keys) => whole.get(keys),
    set: counted((items) => whole.set(items)),
    remove: counted((keys) => whole.remove(keys)),
  });
  const wrappingKeys: WrappingKeys = {
    find: (id) => places.wrappingKeys.find(id),
    keep: counted((id, key) => places.wrappingKeys.keep(id, key)),
    removeOthers: counted((id) => places.wrappingKeys.removeOthers(id)),
  };
  const failing = { local: area(places.local), session: area(places.session), wrappingKeys };
  await task(createSecretStore({ ...places, ...failing })).catch(() => undefined);
  return left <= 0;
}

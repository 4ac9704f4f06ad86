import type { SealedKey } from '#relay/store/records';

/** Returns the key of a cached reply. A new API key so finds none of the replies that the older one was given. */
export function cacheKeyOf(
  { connection, version }: Pick<SealedKey, 'connection' | 'version'>,
  end: string,
): string {
  return [connection, String(version), end].join(':');
}

import type { SealedKey } from '#relay/store/records';

/** How many bytes of a sealed key name it: the random ones that its encryption began with. */
const nameBytes = 12;

/**
 * Returns the key of a cached reply. Only what the very same API key was given is found by it: its version begins at 1 again when a
 * connection is removed and added anew, what it was encrypted with never does.
 */
export function cacheKeyOf(
  { connection, sealed }: Pick<SealedKey, 'connection' | 'sealed'>,
  end: string,
): string {
  const name = Buffer.from(sealed.subarray(0, nameBytes)).toString('hex');
  return [connection, name, end].join(':');
}

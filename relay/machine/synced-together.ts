import { inBatches } from '#relay/machine/batches';

/**
 * Returns a function that syncs a file once for all simultaneous calls. After a failure it fails permanently.
 * @param recovers tells whether what was written before a failure is on the disk nevertheless
 */
export function syncedTogether(
  sync: () => Promise<void>,
  recovers: (failure: Error) => boolean,
): () => Promise<void> {
  let failure: Error | undefined;
  // A call during a sync waits for the next one, since the present one may not include its write.
  const together = inBatches<undefined, undefined>(async (all) => {
    // After a failed sync the system may treat the pages as written, so a later sync proves nothing.
    if (failure !== undefined && recovers(failure)) failure = undefined;
    if (failure !== undefined) throw failure;
    await sync().catch((error: unknown) => {
      failure = error as Error;
      throw failure;
    });
    return all;
  });
  return () => together(undefined);
}

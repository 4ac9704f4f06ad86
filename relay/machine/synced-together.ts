import { inBatches } from '#relay/machine/batches';

/**
 * Returns what syncs a file once for all who ask at the same time. After a failure it fails for good.
 * @param recovers tells whether what was written before a failure is on the disk all the same
 */
export function syncedTogether(
  sync: () => Promise<void>,
  recovers: (failure: Error) => boolean,
): () => Promise<void> {
  let failure: Error | undefined;
  // Whoever comes while a sync runs waits for the next, since that one may not hold what they wrote.
  const together = inBatches<undefined, undefined>(async (all) => {
    // The system may take pages for written whose sync has failed, so that no later one proves anything.
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

import { inBatches } from '#relay/machine/batches';

/**
 * Returns what syncs a file once for all who ask at the same time. After a failure it fails for good.
 * @param recovers tells whether what was written before a failure is on the disk all the same
 */
export function syncedTogether(
  sync: () => Promise<void>,
  recovers: (failure: unknown) => boolean,
): () => Promise<void> {
  let failed: { readonly reason: unknown } | undefined;
  // Whoever comes while a sync runs waits for the next, since that one may not hold what they wrote.
  const together = inBatches<undefined, undefined>(async (all) => {
    // The system may take pages for written whose sync has failed, so that no later one proves anything.
    if (failed !== undefined && recovers(failed.reason)) failed = undefined;
    if (failed !== undefined) throw failed.reason;
    await sync().catch((reason: unknown) => {
      failed = { reason };
      throw reason;
    });
    return all;
  });
  return () => together(undefined);
}

import type { StoreClocks } from '#relay/store/store';

/** Reads the machine's clock for expiry, and one that never jumps while the process runs for the pace. */
export const machineClocks: StoreClocks = {
  now: Date.now,
  paceNow: () => performance.timeOrigin + performance.now(),
};

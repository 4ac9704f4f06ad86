import type { Vault } from '#relay/keys/vault';
import type { RelayLog } from '#relay/observe/log';
import type { RelayMetrics } from '#relay/observe/metrics';
import type { ServingStore, StoreClocks } from '#relay/store/store';
import type { Upstream } from '#relay/upstream/send';

/** Holds what a call is answered with. */
export interface CallParts {
  readonly store: ServingStore;
  readonly vault: Vault;
  readonly upstream: Upstream;
  readonly clocks: StoreClocks;
  readonly log: RelayLog;
  readonly metrics: RelayMetrics;
  /** Returns 0 to 1, for the jitter of `Retry-After`. */
  readonly random: () => number;
  /** Names this process as the holder of leases. */
  readonly instance: string;
}

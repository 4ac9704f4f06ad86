import type { Result } from '#core/result';

/** Says that the browser has no room left: nothing of a change was stored. */
export interface StorageFull {
  readonly kind: 'storage-full';
}

/** Stores again what was removed, as it was. */
export type Restore = () => Promise<Result<void, StorageFull>>;

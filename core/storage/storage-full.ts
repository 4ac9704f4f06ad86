import type { Result } from '#core/result';

/** Says that the browser has no room left: nothing of a change was stored. */
export interface StorageFull {
  readonly kind: 'storage-full';
}

/** Says that a list has as many entries as it may have. */
export interface TooMany {
  readonly kind: 'too-many';
}

/** Stores again what was removed, as it was. */
export type Restore = () => Promise<Result<void, StorageFull>>;

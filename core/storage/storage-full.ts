import type { Result } from '#core/result';

/** The browser has no room left; no part of the change was stored. */
export interface StorageFull {
  readonly kind: 'storage-full';
}

/** A list has the maximum number of entries. */
export interface TooMany {
  readonly kind: 'too-many';
}

/** Restores what was removed. */
export type Restore = () => Promise<Result<void, StorageFull>>;

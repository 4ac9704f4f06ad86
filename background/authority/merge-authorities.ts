import type { StoredAuthority } from '#adapters/storage/authority-store';
import type { LicenseAuthority } from '#core/authority/authority';
import { freeId, type MergedList, mergeList } from '#core/settings/merge-list';
import { isSameAuthority } from '#core/settings/same-entry';

export interface MergedAuthorities extends MergedList<StoredAuthority> {
  /** Counts authorities that stay live or test, though the file says otherwise. */
  readonly kindsKept: number;
}

/**
 * Merges imported authorities. One with the same address and the same id or name takes the file's name and products, and keeps
 * its control token. It stays live or test as it is: no file opens a live authority to rehearsals. The same id at another
 * address becomes a new authority.
 */
export function mergeAuthorities(
  present: readonly StoredAuthority[],
  imported: readonly LicenseAuthority[],
  createId: () => string,
): MergedAuthorities {
  let kindsKept = 0;
  const merged = mergeList(present, imported, {
    nameOf: ({ name }) => name,
    isSame: isSameAuthority,
    create: (one, list): StoredAuthority => ({ ...one, id: freeId(one.id, list, createId) }),
    change(before, one) {
      const { id, kind, controlToken } = before;
      if (kind !== one.kind) kindsKept += 1;
      if (isUnchanged(before, one)) return undefined;
      return { ...one, id, kind, ...(controlToken !== undefined && { controlToken }) };
    },
  });
  return { ...merged, kindsKept };
}

function isUnchanged(
  { name, products, deletedUntil }: StoredAuthority,
  one: LicenseAuthority,
): boolean {
  return (
    deletedUntil === undefined &&
    name === one.name &&
    products.join('\n') === one.products.join('\n')
  );
}

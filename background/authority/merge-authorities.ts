import type { StoredAuthority } from '#adapters/storage/authority-store';
import type { LicenseAuthority } from '#core/authority/authority';
import type { NamedChanges } from '#core/settings/named-changes';

export interface MergedAuthorities {
  readonly authorities: readonly StoredAuthority[];
  readonly changes: NamedChanges;
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
  const authorities = [...present];
  const added: string[] = [];
  const changed: string[] = [];
  let kindsKept = 0;
  for (const one of imported) {
    const at = authorities.findIndex(
      ({ id, name, address }) => address === one.address && (id === one.id || name === one.name),
    );
    const before = authorities[at];
    if (before === undefined) {
      const isTaken = authorities.some(({ id }) => id === one.id);
      authorities.push({ ...one, id: isTaken ? createId() : one.id });
      added.push(one.name);
      continue;
    }
    if (before.kind !== one.kind) kindsKept += 1;
    if (isUnchanged(before, one)) continue;
    const { controlToken } = before;
    authorities[at] = {
      ...one,
      ...{ id: before.id, kind: before.kind },
      ...(controlToken !== undefined && { controlToken }),
    };
    changed.push(one.name);
  }
  return { authorities, changes: { added, changed }, kindsKept };
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

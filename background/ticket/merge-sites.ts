import type { NamedChanges } from '#core/settings/named-changes';
import type { Site } from '#core/ticket/site';

export interface MergedSites {
  readonly sites: readonly Site[];
  readonly changes: NamedChanges;
}

/** Merges imported help desks by their origin. What the file does not say of one stays as it is. */
export function mergeSites(present: readonly Site[], imported: readonly Site[]): MergedSites {
  const sites = [...present];
  const added: string[] = [];
  const changed: string[] = [];
  for (const one of imported) {
    const at = sites.findIndex(({ origin }) => origin === one.origin);
    const before = sites[at];
    if (before === undefined) {
      sites.push(one);
      added.push(one.origin);
      continue;
    }
    const after = { ...before, ...one };
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    sites[at] = after;
    changed.push(one.origin);
  }
  return { sites, changes: { added, changed } };
}

/** Names what an import adds to a list and what it changes in it. */
export interface NamedChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
}

/** Holds the list after an import, and what the import did to it. */
export interface MergedList<Entry> {
  readonly list: readonly Entry[];
  readonly changes: NamedChanges;
}

interface MergeRules<Entry, Imported> {
  readonly nameOf: (imported: Imported) => string;
  /** Tells whether an entry is the one that an imported one may change. */
  readonly isSame: (entry: Entry, imported: Imported) => boolean;
  /** Returns the entry to add, given the list so far. */
  readonly create: (imported: Imported, list: readonly Entry[]) => Entry;
  /** Returns the changed entry; undefined when nothing changes. */
  readonly change: (before: Entry, imported: Imported) => Entry | undefined;
}

/** Merges an imported list into a present one: an entry for which the list has its same is changed, any other is added. */
export function mergeList<Entry extends object, Imported>(
  present: readonly Entry[],
  imported: readonly Imported[],
  { nameOf, isSame, create, change }: MergeRules<Entry, Imported>,
): MergedList<Entry> {
  const list = [...present];
  const added: string[] = [];
  const changed: string[] = [];
  for (const one of imported) {
    const at = list.findIndex((entry) => isSame(entry, one));
    const before = list[at];
    if (before === undefined) {
      list.push(create(one, list));
      added.push(nameOf(one));
      continue;
    }
    const after = change(before, one);
    if (after === undefined) continue;
    list[at] = after;
    changed.push(nameOf(one));
  }
  return { list, changes: { added, changed } };
}

/** Returns the id of an imported entry, or a new one where the list has the id already. */
export function freeId(
  id: string,
  list: readonly { readonly id: string }[],
  createId: () => string,
): string {
  return list.some((entry) => entry.id === id) ? createId() : id;
}

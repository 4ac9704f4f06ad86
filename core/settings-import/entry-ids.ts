import * as v from 'valibot';

/**
 * Ids of entries that a team or a policy added: entries by their ids, sites by their origins, public keys by their
 * hexadecimal digits, templates by `templateKey`.
 */
export interface EntryIds {
  readonly connections: readonly string[];
  readonly authorities: readonly string[];
  readonly sites: readonly string[];
  readonly keys: readonly string[];
  readonly templates: readonly string[];
}

const ids = v.array(v.string());

/** Combines two records list by list. */
function combine(
  one: EntryIds,
  other: EntryIds,
  lists: (one: readonly string[], other: readonly string[]) => readonly string[],
): EntryIds {
  const parts = Object.keys(one) as (keyof EntryIds)[];
  const combined = parts.map((part) => [part, lists(one[part], other[part])]);
  return Object.fromEntries(combined) as EntryIds;
}

export const noEntries: EntryIds = {
  connections: [],
  authorities: [],
  sites: [],
  keys: [],
  templates: [],
};

export const entryIdsSchema = v.object({
  connections: ids,
  authorities: ids,
  sites: ids,
  keys: ids,
  templates: ids,
});

/** Returns the ids that are in one record but not in another. */
export function withoutEntries(all: EntryIds, gone: EntryIds): EntryIds {
  return combine(all, gone, (kept, others) => kept.filter((id) => !others.includes(id)));
}

/** Returns the distinct ids of two records. */
export function unionOfEntries(first: EntryIds, second: EntryIds): EntryIds {
  return combine(first, second, (all, others) => [...new Set([...all, ...others])]);
}

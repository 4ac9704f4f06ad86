import * as v from 'valibot';

/**
 * Lists what somebody else than the agent brought: entries by their ids, sites by their origins, public keys by their hexadecimal
 * digits, templates by `templateKey`.
 */
export interface Entries {
  readonly connections: readonly string[];
  readonly authorities: readonly string[];
  readonly sites: readonly string[];
  readonly keys: readonly string[];
  readonly templates: readonly string[];
}

/** Lists nothing. */
export const noEntries: Entries = {
  connections: [],
  authorities: [],
  sites: [],
  keys: [],
  templates: [],
};

const entryNames = v.array(v.string());

/** Validates entries as they are stored. What a policy brought was noted without keys before. */
export const entriesSchema = v.object({
  connections: entryNames,
  authorities: entryNames,
  sites: entryNames,
  keys: v.optional(entryNames, []),
  templates: entryNames,
});

/** Combines each list of two records with each other. */
export function combineEntries(
  one: Entries,
  other: Entries,
  combine: (one: readonly string[], other: readonly string[]) => readonly string[],
): Entries {
  const parts = Object.keys(one) as (keyof Entries)[];
  const combined = parts.map((part) => [part, combine(one[part], other[part])]);
  return Object.fromEntries(combined) as Entries;
}

/** Returns the names of a list that another does not hold. */
export function without(names: readonly string[], gone: readonly string[]): readonly string[] {
  return names.filter((name) => !gone.includes(name));
}

/** Returns the names of two lists, each once. */
export function union(names: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set([...names, ...others])];
}

/**
 * An expected outcome, as data. A programming error is a thrown `Error` instead. JSON-safe, so it can be sent from the
 * worker to a page.
 */
export type Result<T, F> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: F };

export function succeed<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail<const F>(fault: F): { readonly ok: false; readonly fault: F } {
  return { ok: false, fault };
}

type Present<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Copies an object without the members that are `undefined`, as `exactOptionalPropertyTypes` requires.
 * @example omitUndefined({ id: 'a', label: undefined }) // { id: 'a' }
 */
export function omitUndefined<const T extends object>(fields: T): Present<T> {
  const present: Record<string, unknown> = {};
  for (const name of Object.keys(fields) as (keyof T & string)[])
    if (fields[name] !== undefined) present[name] = fields[name];
  return present as Present<T>;
}

type Present<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Copies an object without the members that are `undefined`, as `exactOptionalPropertyTypes` asks for.
 * @example omitUndefined({ id: 'a', label: undefined }) // { id: 'a' }
 */
export function omitUndefined<T extends object>(fields: T): Present<T> {
  const present: Record<string, unknown> = {};
  for (const name of Object.keys(fields) as (keyof T & string)[])
    if (fields[name] !== undefined) present[name] = fields[name];
  return present as Present<T>;
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The same fields without those that are `undefined`: what a reply leaves out is left out, not there and empty. */
export function omitUndefined<T extends object>(fields: T): Present<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Present<T>;
}

import * as v from 'valibot';

import { safeUrl } from '#core/seller/safe-url';
import { parseTimestamp } from '#core/time/timestamp';

/**
 * The values that stand in replies, read in each shape that real deployments send where its meaning is certain:
 * decimals as strings, booleans as 0 and 1, an empty map as `[]`, an absent field as `null`.
 */

const decimal = /^-?(?:\d+|\d{1,3}(?:,\d{3})+(?=\.))(?:\.\d+)?$/;

/** Text for people or a word of an open set; a bare number is taken by its digits. */
export const text = wire((value) => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
});

/** A purchase code. A number too large to be exact is none. */
export const code = wire((value) => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
});

/** A decimal amount. `29,00` could be 29 or 2900, so it is refused; `1,234.50` can only be one. */
export const amount = wire((value) => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 32) return undefined;
  return decimal.test(value.trim()) ? Number(value.replaceAll(',', '')) : undefined;
});

export const identifier = wire((value) => {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
});

const flags = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
]);

export const flag = wire((value) => flags.get(value));

/** Epoch milliseconds of an ISO 8601 timestamp. */
export const moment = wire((value) =>
  typeof value === 'string' ? parseTimestamp(value) : undefined,
);

/** Optional: absent and `null` are the same, anything else must be readable. */
export const optionalMoment = v.nullish(moment);
export const optionalText = v.nullish(text, '');

/** A safe link or nothing; whatever else stands there is no link. */
export const link = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' ? safeUrl(value) : undefined)),
  ),
);

/** A list, also as the object with number keys that PHP makes of a list with gaps. */
const list = v.nullish(wire(asList), []);

export const textList = v.pipe(
  list,
  v.array(text),
  v.transform((entries) => entries.filter((entry) => entry !== '')),
);

export const linkList = v.pipe(
  list,
  v.transform((entries) =>
    entries.flatMap((entry) => (typeof entry === 'string' ? (safeUrl(entry) ?? []) : [])),
  ),
);

/** An open map in the order sent, as pairs, so that no key of a reply ever becomes a key of ours. */
export const pairs = v.nullish(
  wire((value): [string, unknown][] | undefined => {
    if (isEmptyList(value)) return [];
    return isRecord(value) ? Object.entries(value) : undefined;
  }),
  [],
);

type Group<Entries extends v.ObjectEntries> = v.NullishSchema<
  v.SchemaWithPipe<
    readonly [
      v.UnknownSchema,
      v.TransformAction<unknown, unknown>,
      v.ObjectSchema<Entries, undefined>,
    ]
  >,
  Record<string, never>
>;

/** An object of known fields, all others ignored; an empty one may come as `[]`, an absent one as `null`. */
export function group<Entries extends v.ObjectEntries>(entries: Entries): Group<Entries> {
  return v.nullish(
    v.pipe(
      v.unknown(),
      v.transform((value) => (isEmptyList(value) ? {} : value)),
      v.object(entries),
    ),
    {},
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of a list as PHP may send it, `undefined` when it is no list. */
export function asList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (!isRecord(value)) return undefined;
  return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function wire<T>(read: (value: unknown) => T | undefined) {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const value = read(dataset.value);
      if (value !== undefined) return value;
      addIssue();
      return NEVER;
    }),
  );
}

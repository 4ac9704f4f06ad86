import * as v from 'valibot';

import { parseTimestamp } from '#core/time/timestamp';

// The values of replies, read in each form that deployments send where its meaning is certain: decimals as text, booleans as 0
// and 1, an absent field as `null`.

const decimal = /^-?(?:\d+|\d{1,3}(?:,\d{3})+(?=\.))(?:\.\d+)?$/;

/** Reads text for people or a word of an open set; a number by its digits. */
export const text = wire((value) => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
});

/** Reads a purchase code. A number too large to be exact is none. */
export const code = wire((value) => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
});

/** Reads a decimal amount. `29,00` could be 29 or 2900, so it is refused; `1,234.50` can only be one. */
export const amount = wire((value) => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 32) return undefined;
  return decimal.test(value.trim()) ? Number(value.replaceAll(',', '')) : undefined;
});

/** Reads an id: a whole number, also as at most 16 digits. */
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

/** Reads a boolean, also as 0 and 1 or their text. */
export const flag = wire((value) => flags.get(value));

/** Reads an ISO 8601 timestamp to epoch milliseconds. */
export const moment = wire((value) =>
  typeof value === 'string' ? parseTimestamp(value) : undefined,
);

/** Absent and `null` are the same, anything else must be readable. */
export const optionalMoment = v.nullish(moment);

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the entries of a list, also of the object with number keys that PHP makes of a list with gaps; undefined for anything else. */
export function asList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (!isRecord(value)) return undefined;
  return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined;
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

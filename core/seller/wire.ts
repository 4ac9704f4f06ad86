import * as v from 'valibot';

import { parseTimestamp } from '#core/time/timestamp';

// Deployments send decimals as text, booleans as 0 and 1, and an absent field as `null`.

const decimal = /^-?(?:\d+|\d{1,3}(?:,\d{3})+(?=\.))(?:\.\d+)?$/;

/** Reads text, or a number as its digits. */
export const text = wire((value) => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
});

/** Reads a purchase code, also as a number that is a safe integer. */
export const code = wire((value) => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
});

/** Reads a decimal amount. Refuses `29,00`, which could mean 29 or 2900; accepts `1,234.50`. */
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

/** Reads a timestamp that may be absent or `null`; any other value must be readable. */
export const optionalMoment = v.nullish(moment);

/** Tells whether a value is an object and not a list. */
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

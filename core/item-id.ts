import * as v from 'valibot';

/** Identifies an item within its account; in some marketplaces it is text. */
export type ItemId = number | string;

/** Validates an item's id in storage, messages and files. */
export const itemIdSchema: v.GenericSchema<unknown, ItemId> = v.union([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.pipe(v.string(), v.regex(/^(?!\d+$)[\w=-]{1,64}$/u)),
]);

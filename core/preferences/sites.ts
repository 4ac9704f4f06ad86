import type { ExpectedItem } from '#core/items/index';
import { itemIdSchema } from '#core/item-id';
import { isSafeOrigin } from '#core/address/index';
import { omitUndefined } from '#core/result';
import * as v from 'valibot';

/** A help desk on whose pages verdicts are shown. */
export interface Site {
  /** The origin as the browser writes it, such as `https://desk.example.com`. */
  readonly origin: string;
  /** Whether codes are checked when they appear rather than when a chip is clicked. */
  readonly automatic: boolean;
  /** The item that its tickets are about, if the agent chose one. */
  readonly expectedItem?: ExpectedItem;
}

export const maxSites = 100;

/** In UTF-16 units. */
const maxOrigin = 300;

/**
 * Returns the origin of a page where the ticket script may run: https, or http on loopback, of at most 300 UTF-16
 * units.
 * @returns undefined for any other page
 */
export function siteOriginOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.origin.length <= maxOrigin && isSafeOrigin(url) ? url.origin : undefined;
}

export const siteOriginSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.maxLength(maxOrigin),
  v.check((text) => siteOriginOf(text) === text),
);

const expectedItemFields = {
  connectionId: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
  itemId: itemIdSchema,
  name: v.pipe(v.string(), v.maxLength(1000)),
};

export const expectedItemSchema: v.GenericSchema<unknown, ExpectedItem> =
  v.object(expectedItemFields);

export const siteSchema: v.GenericSchema<unknown, Site> = v.object({
  origin: siteOriginSchema,
  automatic: v.boolean(),
  expectedItem: v.exactOptional(expectedItemSchema),
});

/** Validates a site in a settings file. Refuses unknown members, since one could be a secret. */
export const sharedSiteSchema: v.GenericSchema<unknown, Site> = v.strictObject({
  origin: siteOriginSchema,
  automatic: v.boolean(),
  expectedItem: v.exactOptional(v.strictObject(expectedItemFields)),
});

export function withoutExpectedItem(site: Site): Site {
  return omitUndefined({ ...site, expectedItem: undefined });
}

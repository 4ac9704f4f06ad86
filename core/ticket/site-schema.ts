import * as v from 'valibot';

import type { ExpectedItem } from '#core/check/check-report';
import { itemIdSchema } from '#core/marketplaces/wire';
import { type Site, siteBounds, siteOriginOf } from '#core/ticket/site';

/** Validates a site's origin. */
export const siteOriginSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.maxLength(siteBounds.origin),
  v.check((text) => siteOriginOf(text) === text),
);

const expectedItemFields = {
  connectionId: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
  itemId: itemIdSchema,
  name: v.pipe(v.string(), v.maxLength(1000)),
};

/** Validates an expected item in storage and in messages. */
export const expectedItemSchema: v.GenericSchema<unknown, ExpectedItem> =
  v.object(expectedItemFields);

/** Validates a site in storage and in messages. */
export const siteSchema: v.GenericSchema<unknown, Site> = v.object({
  origin: siteOriginSchema,
  automatic: v.boolean(),
  expectedItem: v.exactOptional(expectedItemSchema),
});

/** Validates a site in a settings file: refuses unknown members, of which one could be a secret. */
export const sharedSiteSchema: v.GenericSchema<unknown, Site> = v.strictObject({
  origin: siteOriginSchema,
  automatic: v.boolean(),
  expectedItem: v.exactOptional(v.strictObject(expectedItemFields)),
});

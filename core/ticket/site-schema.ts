import * as v from 'valibot';

import { type Site, siteBounds, siteOriginOf } from '#core/ticket/site';

/** Validates a site's origin. */
export const siteOriginSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.maxLength(siteBounds.origin),
  v.check((text) => siteOriginOf(text) === text),
);

/** Validates a site in storage and in messages. */
export const siteSchema: v.GenericSchema<unknown, Site> = v.object({
  origin: siteOriginSchema,
  automatic: v.boolean(),
});

import * as v from 'valibot';

import { type Site, siteBounds, siteOriginOf } from '#core/ticket/site';

/** Sites as they are kept and as messages name them; apart from `site`, so that a page need not bring the reader along. */
export const siteOriginSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.maxLength(siteBounds.origin),
  v.check((text) => siteOriginOf(text) === text),
);

export const siteSchema: v.GenericSchema<unknown, Site> = v.object({
  origin: siteOriginSchema,
  automatic: v.boolean(),
});

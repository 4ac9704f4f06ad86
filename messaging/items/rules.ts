import * as v from 'valibot';

import { connectionIdSchema } from '#core/connections/connection-schema';
import { maxUrlLength } from '#core/seller/safe-url';
import { boundedText } from '#messaging/body-schemas';
import type { ItemsProtocol } from '#messaging/topics/items';
import type { RulesOf } from '#messaging/rule';
import { checkPages, deskPage } from '#messaging/senders';

export const itemsRules: RulesOf<ItemsProtocol> = {
  'items.all': { from: deskPage, body: v.strictObject({ connectionId: connectionIdSchema }) },
  'items.item': {
    from: deskPage,
    body: v.strictObject({
      connectionId: connectionIdSchema,
      itemId: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    }),
  },
  'items.media': {
    from: checkPages,
    body: v.strictObject({ connectionId: connectionIdSchema, address: boundedText(maxUrlLength) }),
  },
};

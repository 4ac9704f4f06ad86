import * as v from 'valibot';

import { maxApiKeyLength } from '#core/connections/api-key';
import {
  connectionBounds,
  connectionIdSchema as id,
  connectionNameSchema,
  dialectSchema,
} from '#core/connections/connection-schema';
import { boundedText, codeSchema, noBody } from '#messaging/body-schemas';
import type { ConnectionsProtocol } from '#messaging/topics/connections';
import type { RulesOf } from '#messaging/rule';
import { checkPages, optionsPage } from '#messaging/senders';

export const connectionsRules: RulesOf<ConnectionsProtocol> = {
  'connections.list': { from: [...checkPages, 'verifier'], body: noBody },
  'connections.save': {
    from: optionsPage,
    body: v.strictObject({
      id: v.exactOptional(id),
      name: connectionNameSchema,
      baseAddress: boundedText(connectionBounds.baseAddress),
      apiKey: v.exactOptional(boundedText(maxApiKeyLength)),
      dialect: dialectSchema,
    }),
  },
  'connections.delete': { from: optionsPage, body: v.strictObject({ id }) },
  'connections.restore': { from: optionsPage, body: v.strictObject({ id }) },
  'connections.reorder': {
    from: optionsPage,
    body: v.strictObject({ ids: v.pipe(v.array(id), v.maxLength(connectionBounds.connections)) }),
  },
  'connections.test': { from: [...optionsPage, 'desk'], body: v.strictObject({ id }) },
  'connections.detect': { from: optionsPage, body: v.strictObject({ id, code: codeSchema }) },
  // One click in the popup mends a connection whose server turns browsers away.
  'connections.plain-user-agent': {
    from: checkPages,
    body: v.strictObject({ id, on: v.boolean() }),
  },
};

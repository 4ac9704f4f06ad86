import * as v from 'valibot';

import type { Dialect } from '#core/connections/connection';

/** Limits the texts of a connection, in UTF-16 units, and the number of connections. */
export const connectionBounds = {
  id: 64,
  name: 80,
  baseAddress: 2048,
  codePattern: 128,
  connections: 200,
} as const;

/** Validates a dialect; refuses unknown members. */
export const dialectSchema: v.GenericSchema<unknown, Dialect> = v.strictObject({
  keyPlacement: v.picklist(['parameter', 'X-API-Key', 'Authorization']),
  encoding: v.picklist(['form', 'json', 'multipart', 'query']),
  proven: v.boolean(),
  plainUserAgent: v.boolean(),
  requestsPerMinute: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(6000)),
  codePattern: v.exactOptional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(connectionBounds.codePattern)),
  ),
});

/** Validates a connection's id. Refuses names such as `__proto__`, since an id is used as a property name. */
export const connectionIdSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.maxLength(connectionBounds.id),
  v.regex(/^(?!(?:__proto__|prototype|constructor)$)[\w-]+$/u),
);

/** Validates a connection's name, which must not be blank. */
export const connectionNameSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/\S/u),
  v.maxLength(connectionBounds.name),
);

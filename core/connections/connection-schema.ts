import * as v from 'valibot';

import type { Dialect } from '#core/connections/connection';

/** Longest texts of a connection, in UTF-16 units. One place for the gate, the store and the settings file. */
export const connectionBounds = {
  id: 64,
  name: 80,
  baseAddress: 2048,
  codePattern: 128,
  connections: 200,
} as const;

/** Unknown members are refused: what is kept for good is what was understood. */
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

/** A connection's id names members of records, so what every object has by itself is none. */
export const connectionIdSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.maxLength(connectionBounds.id),
  v.regex(/^(?!(?:__proto__|prototype|constructor)$)[\w-]+$/u),
);

export const connectionNameSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/\S/u),
  v.maxLength(connectionBounds.name),
);

import * as v from 'valibot';

import { defineRecord, type RecordCodec, type RecordParser } from '#adapters/storage/tables';
import { fail, succeed } from '#core/result';

/** Parses with a schema, which drops what it does not know: the version is no part of a record in memory. */
export function parseWithSchema<T>(schema: v.GenericSchema<unknown, T>): RecordParser<T> {
  return (fields) => {
    const read = v.safeParse(schema, fields, { abortEarly: true });
    return read.success ? succeed(read.output) : fail(v.getDotPath(read.issues[0]) ?? '$');
  };
}

/** Defines how records are stored whose members a schema describes. */
export function defineRecordBySchema<T extends object>(
  schema: v.GenericSchema<unknown, T>,
): RecordCodec<T> {
  return defineRecord(parseWithSchema(schema));
}

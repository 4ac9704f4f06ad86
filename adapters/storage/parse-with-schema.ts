import * as v from 'valibot';

import { defineRecord, type RecordCodec, type RecordParser } from '#adapters/storage/tables';
import { fail, succeed } from '#core/result';

/** Parses with a schema, which drops unknown members, such as the version, which records in memory do not have. */
export function parseWithSchema<T>(schema: v.GenericSchema<unknown, T>): RecordParser<T> {
  return (fields) => {
    const read = v.safeParse(schema, fields, { abortEarly: true });
    return read.success ? succeed(read.output) : fail(v.getDotPath(read.issues[0]) ?? '$');
  };
}

/** Defines the stored form of records from a schema of their members. */
export function defineRecordBySchema<T extends object>(
  schema: v.GenericSchema<unknown, T>,
): RecordCodec<T> {
  return defineRecord(parseWithSchema(schema));
}

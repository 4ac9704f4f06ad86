import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { defineRecord } from '#adapters/storage/tables';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';

const codec = defineRecord(
  parseWithSchema(v.object({ label: v.string(), lifetimeMs: v.number() })),
);
const record = { label: 'A', lifetimeMs: 2000 };

describe('a stored record', () => {
  it('says its version when it is written, and reads back', () => {
    expect(codec.write(record)).toEqual({ ...record, version: 1 });
    expect(codec.read(codec.write(record))).toEqual({ kind: 'readable', record });
  });

  it('of a newer version is not judged', () => {
    expect(codec.read({ version: 2, anything: 1 })).toEqual({ kind: 'newer', version: 2 });
  });

  it.each([
    [{ version: 1, label: 'A' }, 'lifetimeMs'],
    [{ label: 'A' }, 'lifetimeMs'],
    [record, 'version'],
    [{ ...record, version: 0 }, 'version'],
    [{ ...record, version: -1 }, 'version'],
    [{ ...record, version: 1.5 }, 'version'],
    [{ ...record, version: '1' }, 'version'],
    [{ ...record, version: null }, 'version'],
    ['text', '$'],
    [[], '$'],
    [undefined, '$'],
  ])('that cannot be read, as %j, names its member', (stored, path) => {
    expect(codec.read(stored)).toEqual({ kind: 'unreadable', path });
  });
});

it('no value makes reading throw', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true }), (value) => {
      expect(['readable', 'newer', 'unreadable']).toContain(codec.read(value).kind);
    }),
  );
});

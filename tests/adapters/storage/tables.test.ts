import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { type Fields, defineForm, defineFormWith, migrationSteps } from '#adapters/storage/tables';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';

const seconds = v.object({ label: v.string(), lifetimeMs: v.number() });
const form = defineFormWith(
  [
    ({ name, ...rest }) => ({ ...rest, label: name }),
    ({ lifetime, ...rest }: Fields) => ({ ...rest, lifetimeMs: Number(lifetime) * 1000 }),
  ],
  parseWithSchema(seconds),
);

describe('a stored record', () => {
  it.each([
    ['without a version', { name: 'A', lifetime: 2 }],
    ['of version 1', { version: 1, label: 'A', lifetime: 2 }],
    ['of the present version', { version: 2, label: 'A', lifetimeMs: 2000 }],
  ])('%s is brought up by the steps it lacks', (_, stored) => {
    const before = structuredClone(stored);
    expect(form.read(stored)).toEqual({
      kind: 'readable',
      record: { label: 'A', lifetimeMs: 2000 },
    });
    expect(stored).toEqual(before);
  });

  it('says its version when it is written, and reads back', () => {
    const record = { label: 'A', lifetimeMs: 2000 };
    expect(form.write(record)).toEqual({ ...record, version: 2 });
    expect(form.read(form.write(record))).toEqual({ kind: 'readable', record });
  });

  it('of a newer version is not judged', () => {
    expect(form.read({ version: 3, anything: 1 })).toEqual({ kind: 'newer', version: 3 });
  });

  it.each([
    [{ version: 2, label: 'A' }, 'lifetimeMs'],
    [{ name: 'A', lifetime: 'x' }, 'lifetimeMs'],
    [{ version: -1 }, 'version'],
    [{ version: 1.5 }, 'version'],
    [{ version: null, name: 1, lifetime: 2 }, 'label'],
    ['text', '$'],
    [[], '$'],
    [undefined, '$'],
  ])('that cannot be read, as %j, names its member', (stored, path) => {
    expect(form.read(stored)).toEqual({ kind: 'unreadable', path });
  });
});

it.each(Object.keys(migrationSteps) as (keyof typeof migrationSteps)[])(
  'no value makes the steps of a %s throw',
  (kind) => {
    const any = defineForm(kind, (fields) => ({ ok: true, value: fields }));
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true }), (value) => {
        expect(['readable', 'newer', 'unreadable']).toContain(any.read(value).kind);
      }),
    );
  },
);

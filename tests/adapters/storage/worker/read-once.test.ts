import { expect, test } from 'vitest';

import { secretKeys } from '#adapters/secrets/secret-record';
import { sessionKey } from '#adapters/storage/session-cache';
import type { StorageArea } from '#adapters/storage/storage-area';
import { rememberedAreas } from '#adapters/storage/worker/read-once';
import { policyKey } from '#adapters/storage/policy-store';
import { createMemoryArea } from '#tests/adapters/memory-area';

function noted() {
  const area = createMemoryArea();
  const read: unknown[] = [];
  return {
    area: {
      ...area,
      get: (keys) => {
        read.push(keys);
        return area.get(keys);
      },
    } satisfies StorageArea,
    read,
  };
}

test.each([
  ['local', secretKeys.local, 1],
  ['local', 'preferences', 2],
  ['session', secretKeys.session, 1],
  ['session', sessionKey('pace', { id: 'one', revision: 1 }), 1],
  ['session', sessionKey('account', { id: 'one', revision: 1 }), 1],
  ['session', sessionKey('search', { id: 'one', revision: 1 }), 1],
  ['session', sessionKey('reply', { id: 'one', revision: 1, code: 'code' }), 2],
] as const)('of %s storage, %s that is read twice costs reads: %i', async (name, key, reads) => {
  const areas = { local: noted(), session: noted() };
  await areas[name].area.set({ [key]: 'value' });
  const { local, session } = areas;
  const remembered = rememberedAreas({ local: local.area, session: session.area }, secretKeys);
  for (let time = 0; time < 2; time += 1)
    expect(await remembered[name].get(key)).toEqual({ [key]: 'value' });
  expect(areas[name].read.filter((each) => each === key)).toHaveLength(reads);
});

test('what every check needs of the disk is being read before anything asks for it', () => {
  const { area, read } = noted();
  rememberedAreas({ local: area, session: noted().area }, secretKeys);
  expect(read).toEqual([secretKeys.local, policyKey]);
});

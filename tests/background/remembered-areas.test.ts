import { expect, test } from 'vitest';

import { secretRecordKey, unlockedKey } from '#adapters/secrets/wrapping';
import { sessionKey } from '#adapters/storage/session-store';
import type { StorageArea } from '#adapters/storage/storage-area';
import { rememberedAreas } from '#background/remembered-areas';
import { createMemoryArea } from '#tests/adapters/memory-area';

/** An area that counts how often it is read. */
function counted() {
  const area = createMemoryArea();
  let reads = 0;
  return {
    area: {
      ...area,
      get: (keys) => {
        reads += 1;
        return area.get(keys);
      },
    } satisfies StorageArea,
    reads: () => reads,
  };
}

test.each([
  ['local', secretRecordKey, 1],
  ['local', 'preferences', 2],
  ['session', unlockedKey, 1],
  ['session', sessionKey('pace', { id: 'one', revision: 1 }), 1],
  ['session', sessionKey('account', { id: 'one', revision: 1 }), 1],
  ['session', sessionKey('search', { id: 'one', revision: 1 }), 1],
  ['session', sessionKey('reply', { id: 'one', revision: 1, code: 'code' }), 2],
] as const)('of %s storage, %s that is read twice costs reads: %i', async (name, key, reads) => {
  const areas = { local: counted(), session: counted() };
  const remembered = rememberedAreas({ local: areas.local.area, session: areas.session.area });
  await areas[name].area.set({ [key]: 'value' });
  for (let time = 0; time < 2; time += 1)
    expect(await remembered[name].get(key)).toEqual({ [key]: 'value' });
  expect(areas[name].reads()).toBe(reads);
});

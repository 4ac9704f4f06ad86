import { beforeEach, describe, expect, it, vi } from 'vitest';

import { rememberValues, type StorageArea } from '#adapters/storage/storage-area';
import { type MemoryArea, createMemoryArea } from '#tests/adapters/memory-area';

let area: MemoryArea;
let remembering: StorageArea;
beforeEach(() => {
  area = createMemoryArea();
  remembering = rememberValues(area, (key) => key.startsWith('kept'));
});

describe('a remembered value', () => {
  it('is read once, also when it is not there', async () => {
    await area.set({ kept: 1 });
    const get = vi.spyOn(area, 'get');
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await remembering.get('kept')).toEqual({ kept: 1 });
      expect(await remembering.get('kept-not')).toEqual({});
    }
    expect(get).toHaveBeenCalledTimes(2);
  });

  it('is read once by all that ask at the same time, and again when that failed', async () => {
    const get = vi.spyOn(area, 'get').mockRejectedValueOnce(new Error('The disk is slow.'));
    const both = [remembering.get('kept'), remembering.get('kept')];
    await expect(Promise.all(both)).rejects.toThrow('slow');
    expect(get).toHaveBeenCalledTimes(1);
    expect(await remembering.get('kept')).toEqual({});
  });

  it('counts from the moment it is set or removed', async () => {
    void remembering.set({ kept: 2 });
    expect(await remembering.get('kept')).toEqual({ kept: 2 });
    void remembering.remove(['kept']);
    expect(await remembering.get('kept')).toEqual({});
    expect(area.dump()).toBe('[]');
  });

  it('is read anew when it could not be stored', async () => {
    await remembering.set({ kept: 1 });
    area.limitTo(0);
    await expect(remembering.set({ kept: 2 })).rejects.toThrow();
    expect(await remembering.get('kept')).toEqual({ kept: 1 });
  });

  it('is not the one that was being read while it was set', async () => {
    await area.set({ kept: 1 });
    const reading = remembering.get('kept');
    await remembering.set({ kept: 2 });
    await reading;
    expect(await remembering.get('kept')).toEqual({ kept: 2 });
  });
});

it('reads all other values each time', async () => {
  await remembering.set({ other: 1, kept: 1 });
  await area.set({ other: 2 });
  expect(await remembering.get('other')).toEqual({ other: 2 });
  expect(await remembering.get(null)).toEqual({ other: 2, kept: 1 });
});

import { expect, test } from 'vitest';

import { createEraseEverything } from '#background/connections/erase-everything';
import { createSerialQueue } from '#background/serial-queue';
import { createWorkerHarness } from '#tests/background/worker-harness';

/** Erases over parts that note what happens to them, one of which may fail. */
function erasing(failing?: string) {
  const seen: string[] = [];
  const note = (step: string) => (): Promise<never> => {
    seen.push(step);
    return step === failing ? Promise.reject(new Error(step)) : Promise.resolve(null as never);
  };
  const erase = createEraseEverything({
    eraser: { erase: note('storage erased') },
    permissions: { giveUpAll: note('origins given back') },
    locking: { reset: note('keys reset') },
    applyRules: note('rules applied'),
    sitesChanged: note('scripts ended'),
    publishErasure: () => void seen.push('pages told'),
    runExclusive: createSerialQueue(),
  });
  return { erase, seen };
}

test('answers under way are cut off first, and scripts end while messages still reach them', async () => {
  const { erase, seen } = erasing();
  expect(await erase()).toBeNull();
  expect(seen).toEqual([
    'keys reset',
    'storage erased',
    'rules applied',
    'scripts ended',
    'origins given back',
    'pages told',
  ]);
});

test.each(['rules applied', 'scripts ended', 'origins given back'])(
  'open pages are told even where a later step fails: %s',
  async (step) => {
    const { erase, seen } = erasing(step);
    await expect(erase()).rejects.toThrow(step);
    expect(seen.at(-1)).toBe('pages told');
  },
);

test('all is erased even where the keys could not be reset, and that is reported', async () => {
  const { erase, seen } = erasing('keys reset');
  await expect(erase()).rejects.toThrow('keys reset');
  expect(seen).toContain('storage erased');
  expect(seen.at(-1)).toBe('pages told');
});

test('pages are not told of what was not erased', async () => {
  const { erase, seen } = erasing('storage erased');
  await expect(erase()).rejects.toThrow('storage erased');
  expect(seen).not.toContain('pages told');
});

test('keys that a newer version of the program stored go with all else', async () => {
  const harness = await createWorkerHarness();
  await harness.connect('/market');
  await harness.local.set({ secrets: { version: 99 } });
  await harness.restart().catch(() => undefined);
  expect(await harness.ask('settings.erase', {})).toBeNull();
  expect(harness.local.dump()).toBe('[]');
  expect(await harness.ask('connections.list', {})).toEqual([]);
  await harness.close();
});

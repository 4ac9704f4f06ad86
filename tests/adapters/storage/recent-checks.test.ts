import { expect, test } from 'vitest';

import { createRecentChecks } from '#adapters/storage/recent-checks';
import { createSessionCache } from '#adapters/storage/session-cache';
import { createMemoryArea } from '#tests/adapters/memory-area';
import { code, genuine } from '#tests/stores/check/samples';

const checked = [
  { code, checks: [{ connectionId: 'market', report: genuine({ code, connectionId: 'market' }) }] },
];

test('what was checked is kept while the history is on, and removed once it is off', async () => {
  const history = { isOn: true };
  const area = createMemoryArea();
  const recent = createRecentChecks(area, () => Promise.resolve(history.isOn));
  expect(await recent.read()).toEqual([]);
  await recent.change(() => checked);
  expect(await recent.read()).toEqual(checked);
  history.isOn = false;
  expect(await recent.read()).toEqual([]);
  await recent.change(() => checked);
  history.isOn = true;
  expect(await recent.read()).toEqual([]);
});

test('a lock removes what was checked with all other cached answers', async () => {
  const area = createMemoryArea();
  const recent = createRecentChecks(area, () => Promise.resolve(true));
  await recent.change(() => checked);
  const cache = createSessionCache(area);
  await cache.forget('market');
  expect(await recent.read()).toEqual(checked);
  await cache.forget();
  expect(await recent.read()).toEqual([]);
});

test('what two views check at the same moment is both kept', async () => {
  const area = createMemoryArea();
  const isOn = (): Promise<boolean> => Promise.resolve(true);
  const views = [createRecentChecks(area, isOn), createRecentChecks(area, isOn)];
  await Promise.all(
    views.map((recent, at) => recent.change((kept) => [{ code: String(at), checks: [] }, ...kept])),
  );
  expect((await views[0]?.read())?.map((each) => each.code).toSorted()).toEqual(['0', '1']);
});

test('an answer that is being written while a lock removes it is not kept', async () => {
  const area = createMemoryArea();
  const recent = createRecentChecks(area, () => Promise.resolve(true));
  await recent.change(() => checked);
  const writing = recent.change((kept) => kept);
  await createSessionCache(area).forget();
  await writing;
  expect(await recent.read()).toEqual([]);
});

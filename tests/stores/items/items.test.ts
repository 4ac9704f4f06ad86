import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { Body } from '#messaging/index';
import { useItems } from '#stores/items/items';
import { askPort } from '#stores/ports';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { withWorker } from '#tests/stores/with-worker';

let harness: WorkerHarness;
let market: string;
let demo: string;
beforeEach(async () => {
  harness = await createWorkerHarness();
  ({ id: market } = await harness.connect('/market'));
  ({ id: demo } = await harness.connect('/demo'));
  return () => harness.close();
});

/** The store, with the worker's replies about each of these connections held back until it is released. */
function held(...connectionIds: readonly string[]) {
  const gates = new Map(connectionIds.map((id) => [id, Promise.withResolvers<undefined>()]));
  const items = useItems(
    withWorker(harness, (app) =>
      app.provide(askPort, async (topic, body) => {
        const reply = await harness.ask(topic, body);
        const { connectionId = '' } = body as Partial<Body<'items.all'>>;
        if (topic.startsWith('items.')) await gates.get(connectionId)?.promise;
        return reply;
      }),
    ),
  );
  return {
    items,
    release: (connectionId: string) => {
      gates.get(connectionId)?.resolve(undefined);
    },
  };
}

describe('the items of a connection', () => {
  test('are fetched when none are cached, and read offline afterwards', async () => {
    const items = useItems(withWorker(harness));
    await items.show(market);
    expect(items.shown.length).toBeGreaterThan(0);
    expect(items.busy).toBe(false);
    await harness.requests();

    const later = useItems(withWorker(harness));
    await later.show(market);
    expect(later.shown).toEqual(items.shown);
    expect(await harness.requests()).toEqual([]);
  });

  test('are found by every word of the search, in any order and case, and by category', async () => {
    const items = useItems(withWorker(harness));
    await items.show(market);
    const [first] = items.shown;
    if (first === undefined) throw new Error('There is no item.');
    items.wanted = first.item.name.toUpperCase().split(' ').toReversed().join('  ');
    expect(items.shown.map(({ item }) => item.id)).toContain(first.item.id);
    items.wanted = `${first.item.name} no-such-word`;
    expect(items.shown).toEqual([]);
    items.wanted = '';
    items.category = first.item.category;
    expect(new Set(items.shown.map(({ item }) => item.category))).toEqual(
      new Set([first.item.category]),
    );
    expect(items.categories).toContain(first.item.category);
  });

  test('stay when a refresh fails, and the fault is told', async () => {
    const items = useItems(withWorker(harness));
    await items.show(market);
    const before = items.shown;
    harness.granted.clear();
    await items.refresh();
    expect(items.fault?.kind).toBe('not-permitted');
    expect(items.shown).toEqual(before);
    expect(items.busy).toBe(false);
  });
});

describe('an item', () => {
  test('is found in the cache without a request', async () => {
    const items = useItems(withWorker(harness));
    await items.show(market);
    const id = items.shown[0]?.item.id ?? 0;
    await harness.requests();
    expect((await items.find(market, id))?.item.id).toBe(id);
    expect(await harness.requests()).toEqual([]);
  });

  test('that the server does not know gives the server’s message', async () => {
    const items = useItems(withWorker(harness));
    expect(await items.find(market, 987_654)).toBeUndefined();
    expect(items.missing).toEqual(expect.any(String));
  });
});

describe('stale answers', () => {
  test('items of the connection shown before do not replace those of the one shown after it', async () => {
    const { items, release } = held(market);
    const older = items.show(market);
    await items.show(demo);
    const shown = items.shown;
    release(market);
    await older;
    expect(items.connectionId).toBe(demo);
    expect(items.shown).toEqual(shown);
  });

  test('a refresh of the connection shown before changes nothing once another is shown', async () => {
    const { items, release } = held(market, demo);
    const busy = (): Promise<void> =>
      vi.waitFor(() => {
        expect(items.busy).toBe(true);
      });
    const older = items.show(market);
    await busy();
    const newer = items.show(demo);
    await busy();
    release(market);
    await older;
    expect([items.busy, items.shown]).toEqual([true, []]);
    release(demo);
    await newer;
    expect(items.busy).toBe(false);
  });

  test('a look-up that ends late says nothing about the one after it', async () => {
    const { items, release } = held(market);
    const older = items.lookUp(market, 987_654);
    await items.lookUp(demo, 987_655);
    const { missing } = items;
    items.missing = undefined;
    release(market);
    await older;
    expect(missing).toEqual(expect.any(String));
    expect(items.missing).toBeUndefined();
  });
});

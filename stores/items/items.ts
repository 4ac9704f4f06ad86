import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import type { CachedItem, CachedItems } from '#core/items/index';
import type { Fault } from '#core/marketplaces/index';
import type { Refusal } from '#messaging/index';
import { latest } from '#stores/latest';
import { itemsPort } from '#stores/items/ports';
import { askPort, usePort } from '#stores/ports';
import type { ItemId } from '#core/item-id';

type ItemsFault = Refusal<'items.all'>;

/** The items of one connection, from the cache; fetched if the cache is empty or the agent asks for it. */
export const useItems = defineStore('items', () => {
  const ask = usePort(askPort);
  const port = usePort(itemsPort);

  const connectionId = ref('');
  const cached = shallowRef<CachedItems>();
  const busy = ref(false);
  const fault = shallowRef<ItemsFault>();
  const wanted = ref('');
  const category = ref('');

  const lookUpFault = shallowRef<Fault>();
  /** The server's message if it knows no item with that id. */
  const missing = ref<string>();

  const listings = latest();
  const lookUps = latest();

  const entries = computed(() =>
    (cached.value?.items ?? []).map((entry) => ({ entry, text: searchTextOf(entry) })),
  );
  const categories = computed(() =>
    [...new Set((cached.value?.items ?? []).map(({ item }) => item.category))]
      .filter((name) => name !== '')
      .toSorted((a, b) => a.localeCompare(b)),
  );
  const shown = computed(() => {
    const words = wanted.value
      .toLowerCase()
      .split(/\s+/u)
      .filter((word) => word !== '');
    return entries.value
      .filter(
        ({ entry, text }) =>
          (category.value === '' || entry.item.category === category.value) &&
          words.every((word) => text.includes(word)),
      )
      .map(({ entry }) => entry);
  });

  async function show(id: string): Promise<void> {
    if (id === connectionId.value && cached.value !== undefined) return;
    const { isLatest } = listings.begin();
    connectionId.value = id;
    cached.value = undefined;
    busy.value = false;
    fault.value = undefined;
    category.value = '';
    const read = await port.read(id);
    if (!isLatest()) return;
    cached.value = read;
    if (read.listing === undefined) await refresh();
  }

  async function refresh(): Promise<void> {
    const { isLatest } = listings.begin();
    const id = connectionId.value;
    busy.value = true;
    fault.value = undefined;
    const refreshed = await ask('items.all', { connectionId: id }).finally(() => {
      if (isLatest()) busy.value = false;
    });
    const read = refreshed.ok ? await port.read(id) : undefined;
    if (!isLatest()) return;
    if (read !== undefined) cached.value = read;
    if (!refreshed.ok) fault.value = refreshed.fault;
  }

  /** Returns the item from the cache, else from the server; undefined if neither has it. */
  async function find(id: string, itemId: ItemId): Promise<CachedItem | undefined> {
    return (await port.find(id, itemId)) ?? (await lookUp(id, itemId));
  }

  /** Fetches one item from the server, bypassing the cache. */
  async function lookUp(id: string, itemId: ItemId): Promise<CachedItem | undefined> {
    const { isLatest } = lookUps.begin();
    lookUpFault.value = undefined;
    missing.value = undefined;
    const reply = await ask('items.item', { connectionId: id, itemId });
    if (reply.ok && reply.value.kind !== 'not-found') {
      const read = await port.read(id);
      if (connectionId.value === id) cached.value = read;
      return port.find(id, itemId);
    }
    if (!isLatest()) return undefined;
    if (!reply.ok) lookUpFault.value = reply.fault;
    else if (reply.value.kind === 'not-found') missing.value = reply.value.msg;
    return undefined;
  }

  return {
    connectionId,
    cached,
    busy,
    fault,
    wanted,
    category,
    categories,
    shown,
    lookUpFault,
    missing,
    show,
    refresh,
    find,
    lookUp,
  };
});

function searchTextOf({ item }: CachedItem): string {
  const { id, name, category, subCategory, version, tags, options } = item;
  return [String(id), name, category, subCategory, version, ...tags, ...options]
    .join('\n')
    .toLowerCase();
}

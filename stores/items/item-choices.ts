import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { useConnections } from '#stores/connections/connections';
import { itemsPort } from '#stores/items/ports';
import { latest } from '#stores/latest';
import { askPort, usePort } from '#stores/ports';
import type { ExpectedItem } from '#core/items/index';

/** An item that can be chosen by name or picture. */
export interface ItemChoice extends ExpectedItem {
  readonly connectionId: string;
  /** Address of its picture. */
  readonly thumbnail?: string | undefined;
}

/** The number of matches shown; another word narrows them down. */
const maxMatches = 50;

/** The cached items of all connections, to choose one from. */
export const useItemChoices = defineStore('item-choices', () => {
  const ask = usePort(askPort);
  const port = usePort(itemsPort);
  const connections = useConnections();
  const choices = shallowRef<ItemChoice[]>([]);
  const reads = latest();
  /** The connections whose items are cached, and those that this page has asked for theirs. */
  let listed: ReadonlySet<string> = new Set();
  const asked = new Set<string>();
  const fetches = ref(0);
  const fetching = computed(() => fetches.value > 0);

  async function load(): Promise<void> {
    const { isLatest } = reads.begin();
    const list = connections.list ?? (await connections.load());
    const read = await Promise.all(
      list.map(async ({ id: connectionId }) => ({
        connectionId,
        ...(await port.read(connectionId)),
      })),
    );
    if (!isLatest()) return;
    listed = new Set(
      read.filter(({ listing }) => listing !== undefined).map(({ connectionId }) => connectionId),
    );
    choices.value = read.flatMap(({ connectionId, items }) =>
      items.map(({ item: { id, name, media } }) => ({
        connectionId,
        itemId: id,
        name,
        thumbnail: media.thumbnail,
      })),
    );
  }

  /**
   * Fetches the items of connections that have none cached. Each connection is asked at most once, even if it fails.
   * @param connectionIds all connections if undefined
   */
  async function fetchMissing(connectionIds?: readonly string[]): Promise<void> {
    if (connectionIds?.every((id) => listed.has(id)) === true) return;
    fetches.value += 1;
    try {
      await load();
      const ids = connectionIds ?? (connections.list ?? []).map(({ id }) => id);
      const missing = ids.filter((id) => !listed.has(id) && !asked.has(id));
      if (missing.length === 0) return;
      for (const id of missing) asked.add(id);
      await Promise.all(missing.map((connectionId) => ask('items.all', { connectionId })));
      await load();
    } finally {
      fetches.value -= 1;
    }
  }

  /**
   * Returns the items whose name or id contains every word of a text; an item with exactly that id comes first.
   * @param connectionIds the connections whose items are offered; all if undefined
   */
  function matching(text: string, connectionIds?: readonly string[]): ItemChoice[] {
    const words = text
      .toLowerCase()
      .split(/\s+/u)
      .filter((word) => word !== '');
    const isExact = ({ itemId }: ItemChoice): number => (String(itemId) === text.trim() ? 0 : 1);
    return choices.value
      .filter(
        ({ connectionId, itemId, name }) =>
          connectionIds?.includes(connectionId) !== false &&
          words.every((word) => `${name} ${String(itemId)}`.toLowerCase().includes(word)),
      )
      .toSorted((a, b) => isExact(a) - isExact(b))
      .slice(0, maxMatches);
  }

  return { choices, fetching, load, fetchMissing, matching };
});

/** Parses a typed item id; undefined if the text is not one. */
export function itemIdIn(text: string): number | undefined {
  const digits = /^\s*#?(\d{1,15})\s*$/u.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

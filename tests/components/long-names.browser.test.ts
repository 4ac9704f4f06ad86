import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type Component, defineComponent, h } from 'vue';

import AccountPage from '#components/account/AccountPage.vue';
import BulkInput from '#components/bulk/BulkInput.vue';
import CheckPanel from '#components/check/CheckPanel.vue';
import HistoryPage from '#components/history/HistoryPage.vue';
import ItemsPage from '#components/items/ItemsPage.vue';
import { summariseAnswer } from '#core/check/index';
import { succeed } from '#core/result';
import { useConnections } from '#stores/connections/connections';
import { historyPort } from '#stores/history/ports';
import { itemsPort } from '#stores/items/ports';
import { mounting, noHistory } from '#tests/components/mounted';
import { account, code, connection, item, now, purchase } from '#tests/stores/check/samples';

const long = 'The marketplace for scripts, themes, sounds and whatever else we may sell there';
const [market, demo] = [connection({ name: long }), connection({ id: 'demo', name: `${long}!` })];
const entry = {
  codeId: 'one',
  code,
  checkedAt: now,
  by: 'agent' as const,
  question: 'one',
  answer: summariseAnswer({ kind: 'purchase', purchase: purchase() }),
};

/** Shows a view over two connections with long names. */
function show(view: Component, section: string): void {
  const Page = defineComponent(() => {
    void useConnections().load();
    return () => h('div', { style: 'padding: 16px' }, h(view, { route: { section } }));
  });
  mounting(Page, {
    script: {
      'connections.list': () => [market, demo],
      'connections.test': () => succeed(account),
    },
    ports: (app) =>
      app
        .provide(itemsPort, {
          read: () =>
            Promise.resolve({
              listing: { fetchedAt: now, unreadable: 0 },
              items: [long, `${long}!`].map((category, id) => ({
                item: { ...item, id, category },
                fetchedAt: now,
                lookedUp: false,
              })),
            }),
          find: () => Promise.resolve(undefined),
        })
        .provide(historyPort, {
          ...noHistory,
          latest: () =>
            Promise.resolve(
              [market, demo].map(({ id: connectionId, name: connectionName }, id) => ({
                ...entry,
                id,
                connectionId,
                connectionName,
              })),
            ),
        }),
  });
}

afterEach(async () => {
  await page.viewport(414, 896);
});

test.each([
  ['the check', 'check', CheckPanel, 1],
  ['a bulk check', 'bulk', BulkInput, 1],
  ['the items', 'items', ItemsPage, 2],
  ['the account', 'account', AccountPage, 1],
  ['the history', 'history', HistoryPage, 2],
])(
  '%s is no wider than a narrow page, however long a name is',
  async (_, section, view, selects) => {
    await page.viewport(320, 640);
    show(view, section);
    await expect.poll(() => document.querySelectorAll('select')).toHaveLength(selects);
    await expect.poll(() => document.querySelector('select option')).not.toBeNull();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  },
);

import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';

import type { UnreadableReport, UnreadableSummary } from '#core/storage/stored-records';
import { type SaveFile, saveFilePort } from '#stores/ports';
import { mounting, type PageHarness } from '#tests/components/mounted';
import UnreadableRecords from '#components/connections/UnreadableRecords.vue';

const shop: UnreadableSummary = {
  id: 'four',
  source: 'connections',
  path: 'dialect.tint',
  name: 'Old shop',
};
const keys: UnreadableSummary = { id: 'seven', source: 'secrets', path: '$' };

const button = (name: string) => page.getByRole('button', { name, exact: true });
const newer = page.getByText(/^A newer version of Counterfoil stored some of this data/);

let saved: Parameters<SaveFile>[0][];
beforeEach(() => {
  saved = [];
});

/** Shows the notice over a worker that holds these records. */
function notice({ records, newer: isNewer }: UnreadableReport): PageHarness {
  let left = records;
  const report = () => ({ records: left, newer: isNewer });
  return mounting(UnreadableRecords, {
    script: {
      'unreadable.list': report,
      'unreadable.copy': ({ id }) => (id === 'four' ? '{"tint":"blue"}' : null),
      'unreadable.remove': ({ id }) => {
        left = left.filter((record) => record.id !== id);
        return report();
      },
    },
    ports: (app) => {
      app.provide(saveFilePort, (file) => {
        saved.push(file);
      });
    },
  });
}

test('nothing is shown when every record could be read', async () => {
  const { events } = notice({ records: [], newer: false });
  await expect.poll(() => events).toEqual(['unreadable.list']);
  expect(document.querySelector('.notice')).toBeNull();
});

test('each record is named with the part that cannot be read', async () => {
  notice({ records: [shop, keys], newer: false });
  const region = page.getByRole('region', { name: 'Some stored data could not be read' });
  await expect.element(region).toBeVisible();
  const items = region.getByRole('listitem');
  const texts = items.elements().map((item) => item.textContent);
  expect(texts[0]).toContain('Connection Old shop · unreadable part: dialect.tint');
  expect(texts[1]).toContain('Stored API keys · unreadable part: $');
  expect(newer.query()).toBeNull();
});

test('records of a newer version are told of, and nothing can be removed', async () => {
  notice({ records: [], newer: true });
  await expect.element(newer).toBeVisible();
  expect(page.getByRole('button').query()).toBeNull();
});

test('a copy is saved as a file, unless the record is gone', async () => {
  const { events } = notice({ records: [shop, keys], newer: false });
  await button('Download a copy').nth(0).click();
  await button('Download a copy').nth(1).click();
  await expect.poll(() => events.filter((event) => event === 'unreadable.copy')).toHaveLength(2);
  expect(saved).toEqual([
    { name: 'counterfoil-record-four.json', type: 'application/json', content: '{"tint":"blue"}' },
  ]);
});

test('a record is removed by the second click alone, and the others stay', async () => {
  const { bodies } = notice({ records: [shop, keys], newer: false });
  await button('Remove this record').nth(0).click();
  expect(bodies('unreadable.remove')).toEqual([]);
  // The click on another record's button confirms nothing.
  await button('Remove this record').click();
  await expect.element(button('Remove this record')).toBeVisible();
  await button('Remove it for good').click();
  await expect.element(button('Remove this record')).toBeVisible();
  expect(bodies('unreadable.remove')).toEqual([{ id: 'seven' }]);
  await expect.element(page.getByText(/Old shop/)).toBeVisible();
  await expect.element(button('Download a copy')).toHaveFocus();
});

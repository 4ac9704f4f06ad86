import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import { mountKeyPanel } from '#tests/components/verifier/keys/key-panel';
import { pinned } from '#tests/core/license/documents';
import { signer } from '#tests/core/license/inspect/inspecting';
import { createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';

test('what is typed while a key is being stored does not count as kept', async () => {
  const ring = createMemoryKeyRing([pinned(signer)]);
  const stored = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const waiting = [...stored];
  const change: typeof ring.change = async (act) => {
    await waiting.shift()?.promise;
    return ring.change(act);
  };
  mountKeyPanel({ ...ring, change });
  await page.getByText('Main key', { exact: true }).click();
  const label = page.getByLabelText('Label', { exact: true });
  const keep = page.getByRole('button', { name: 'Save changes', exact: true });
  await label.fill('First');
  await keep.click();
  await label.fill('Second');
  stored[0]?.resolve(undefined);
  await expect.element(page.getByText('First', { exact: true })).toBeVisible();
  expect(page.getByText('Saved', { exact: true }).elements()).toEqual([]);
  stored[1]?.resolve(undefined);
  await keep.click();
  await expect.element(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Second', { exact: true })).toBeVisible();
});

test.each([360, 474])(
  'at %i px the name of a key begins beside the arrow, however long it is',
  async (width) => {
    await page.viewport(width, 740);
    const label = 'Produktionsschlüssel der Großkundenverwaltung 2026, Nordwest und Übersee';
    mountKeyPanel(createMemoryKeyRing([{ ...pinned(signer), label }]));
    await expect.element(page.getByText(label)).toBeVisible();
    const name = page.getByText(label).element();
    const summary = name.closest('summary');
    const first = name.getBoundingClientRect();
    const { top, left } = summary?.getBoundingClientRect() ?? first;
    expect(first.top - top).toBeLessThan(12);
    expect(first.left - left).toBeGreaterThan(8);
    expect(summary?.scrollWidth).toBe(summary?.clientWidth);
  },
);

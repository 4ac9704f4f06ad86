import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import UndoBar from '#components/ui/UndoBar.vue';
import { succeed } from '#core/result';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { mounting } from '#tests/components/mounted';

test('the button keeps its word whole beside a long message on a narrow page', async () => {
  await page.viewport(360, 740);
  mounting(
    defineComponent(() => {
      const undo = () => Promise.resolve(succeed(undefined));
      const name = 'Fenwick Studio, the account of the second shop, on the other marketplace';
      useUndoOffer().show({ list: 'connections', id: '1', name, undo }, Infinity);
      return () => h(UndoBar);
    }),
    { script: {} },
  );
  const button = page.getByRole('button', { name: 'Undo' });
  await expect.element(button).toBeVisible();
  const word = document.createRange();
  word.selectNodeContents(button.element());
  expect(new Set([...word.getClientRects()].map(({ top }) => top)).size).toBe(1);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
});

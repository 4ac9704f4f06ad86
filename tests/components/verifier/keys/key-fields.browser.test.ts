import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import { mountKeyPanel } from '#tests/components/verifier/keys/key-panel';

test.each([320, 360, 640])('the days of a key do not cover each other at %d px', async (width) => {
  await page.viewport(width, 740);
  mountKeyPanel();
  await page.getByText('Main key', { exact: true }).click();
  const from = page.getByLabelText('Signs from');
  await expect.element(from).toBeVisible();
  const [one, other] = [from, page.getByLabelText('Signs until')].map((field) =>
    field.element().getBoundingClientRect(),
  );
  if (one === undefined || other === undefined) throw new Error('A day has no field.');
  expect(one.right <= other.left || one.bottom <= other.top).toBe(true);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});

import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { mountKeyPanel } from '#tests/components/verifier/key-panel';

const field = page.getByLabelText('Public key');
const rfcKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

/** Presses a button by keyboard. */
async function press(name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}

beforeEach(mountKeyPanel);

describe('a key that waits for its confirmation', () => {
  beforeEach(async () => {
    await field.fill(rfcKey);
    await press('Pin key');
    await expect.element(page.getByText('Is this the authority’s fingerprint?')).toHaveFocus();
  });

  test('leads to the field for the next one when it is pinned', async () => {
    await press('Confirm');
    await expect.element(page.getByRole('button', { name: 'Confirm' })).not.toBeInTheDocument();
    await expect.element(field).toHaveFocus();
  });

  test('leads back to the field when it is another one', async () => {
    await press('It is another one');
    await expect.element(field).toHaveFocus();
  });
});

test('a key that is removed leads to the field', async () => {
  await page.getByText('Main key', { exact: true }).click();
  await press('Remove');
  await expect.element(field).toHaveFocus();
});

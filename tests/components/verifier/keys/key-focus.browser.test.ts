import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { sampleKeys } from '#components/verifier/sample-license';
import { useVerifierKeys } from '#stores/verifier/index';
import { mountKeyPanel } from '#tests/components/verifier/keys/key-panel';
import { pinned } from '#tests/core/license/documents';
import { signer } from '#tests/core/license/inspect/inspecting';

const field = page.getByLabelText('Public key');
const rfcKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

/** Presses a button by keyboard. */
async function press(name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}

let ring: ReturnType<typeof mountKeyPanel>;
beforeEach(() => {
  ring = mountKeyPanel();
});

describe('a key that waits for its confirmation', () => {
  beforeEach(async () => {
    await field.fill(rfcKey);
    await press('Pin key');
    await expect.element(page.getByText('Is this the license server’s fingerprint?')).toHaveFocus();
  });

  test('shows its fingerprint from left to right in a language written from right to left', () => {
    document.documentElement.dir = 'rtl';
    const [first, second] = [...document.querySelectorAll('.fingerprint-groups > span')].map(
      (group) => group.getBoundingClientRect().left,
    );
    document.documentElement.removeAttribute('dir');
    expect(first).toBeLessThan(second ?? 0);
  });

  test('leads to the field for the next one when it is pinned', async () => {
    await press('Confirm');
    await expect.element(page.getByRole('button', { name: 'Confirm' })).not.toBeInTheDocument();
    await expect.element(field).toHaveFocus();
  });

  test('says why it could not be stored', async () => {
    ring.full = true;
    await press('Confirm');
    const said = 'The browser could not store it. Free some space, or leave private browsing.';
    await expect.element(page.getByRole('alert').getByText(said)).toBeVisible();
  });

  test('leads back to the field when it is a different one', async () => {
    await press('It is a different one');
    await expect.element(field).toHaveFocus();
  });
});

test('a private key does not stay in the field that says it was not kept', async () => {
  await field.fill(
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----',
  );
  await press('Pin key');
  await expect.element(page.getByText(/^This is a private key/)).toBeVisible();
  await expect.element(field).toHaveValue('');
  await field.fill('another');
  await expect.element(page.getByText(/^This is a private key/)).not.toBeInTheDocument();
});

test('a key that is removed leads to the field', async () => {
  await page.getByText('Main key', { exact: true }).click();
  await press('Remove');
  await expect.element(field).toHaveFocus();
});

test('what another window has set of a key outlives a change that is made here', async () => {
  await page.getByText('Main key', { exact: true }).click();
  const key = pinned(signer, { validTo: 5 });
  ring.changeElsewhere([key]);
  await page.getByLabelText('Label').fill('Renamed');
  await press('Save changes');
  await expect.element(page.getByText('Renamed', { exact: true })).toBeVisible();
  expect(await ring.read()).toEqual([{ ...key, label: 'Renamed' }]);
});

test('a change is said to be kept until something is typed', async () => {
  await page.getByText('Main key', { exact: true }).click();
  await page.getByLabelText('Label').fill('Renamed');
  await press('Save changes');
  await expect.element(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByLabelText('Label').fill('Renamed again');
  await expect.element(page.getByText('Saved', { exact: true })).not.toBeInTheDocument();
});

test('what is no key leaves the formats in view that are', async () => {
  await field.fill('no key at all');
  await press('Pin key');
  await expect.element(page.getByText('No readable key was found in this.')).toBeVisible();
  const formats = page.getByText(/^PEM, JWK/u);
  await expect.element(formats).toBeVisible();
  const described = field.element().getAttribute('aria-describedby') ?? '';
  const note = document.getElementById(described)?.textContent;
  expect(note).toContain('No readable key was found in this.');
  expect(note).toContain(formats.element().textContent.trim());
});

test('the key of the made-up license is canceled, since there is nothing it could differ from', async () => {
  await useVerifierKeys().propose(JSON.stringify(sampleKeys));
  await expect.element(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await expect.element(page.getByText('It is a different one')).not.toBeInTheDocument();
  await press('Cancel');
  await expect.element(field).toHaveFocus();
});

test('a key that cannot be read leads back to its field', async () => {
  await field.fill('not a key');
  await press('Pin key');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field).toHaveFocus();
});

import { expect, type Page } from '@playwright/test';

/** Opens the form of the only connection. */
export async function editConnection(options: Page): Promise<void> {
  await options.getByRole('button', { name: 'Edit', exact: true }).click();
}

/** Saves the open form. Ends when the form is closed. */
export async function saveConnection(options: Page): Promise<void> {
  await options.getByRole('button', { name: 'Save', exact: true }).click();
  await options.getByLabel('API key', { exact: true }).waitFor({ state: 'detached' });
}

/** Enters another API key for the only connection. */
export async function replaceApiKey(options: Page, apiKey: string): Promise<void> {
  await editConnection(options);
  await options.getByLabel('API key', { exact: true }).fill(apiKey);
  await saveConnection(options);
}

export async function deleteFirstConnection(options: Page): Promise<void> {
  await options
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
}

/** Tests the first connection, one to the sandbox's demo shop. Ends when its account is shown. */
export async function testFirstConnection(options: Page): Promise<void> {
  await options
    .getByRole('button', { name: /^Test connection/ })
    .first()
    .click();
  await expect(options.getByText('fenwick-studio').first()).toBeVisible();
}

/** Picks where the API keys are stored, by the start of the label. */
export async function pickKeyStorage(options: Page, label: RegExp): Promise<void> {
  await options.getByRole('radio', { name: label }).check();
}

/** Encrypts the API keys under a passphrase. */
export async function setPassphrase(options: Page, passphrase: string): Promise<void> {
  await pickKeyStorage(options, /^With a passphrase/);
  await options.getByLabel('New passphrase', { exact: true }).fill(passphrase);
  await options.getByLabel('New passphrase, again').fill(passphrase);
  await options.getByRole('button', { name: 'Use this' }).click();
  await expect(options.getByText('Done: keys are now kept with a passphrase.')).toBeVisible();
}

/** Enters the passphrase on whichever page asks for it. */
export async function unlock(page: Page, passphrase: string): Promise<void> {
  await page.getByLabel('Passphrase').fill(passphrase);
  await page.getByRole('button', { name: 'Unlock' }).click();
}

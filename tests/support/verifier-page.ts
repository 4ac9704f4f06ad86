import type { Locator, Page } from '@playwright/test';

import { textFile } from '#tests/support/license-files';

/** Pins a key as an agent does: paste, compare, confirm. */
export async function pinKey(page: Page, publicKey: string): Promise<void> {
  await page.getByLabel('Public key').fill(publicKey);
  await page.getByRole('button', { name: 'Pin key' }).click();
  const confirm = page.getByRole('button', { name: 'Confirm' });
  await confirm.click();
  // The form goes once the key is stored; until then it says Live as well.
  await confirm.waitFor({ state: 'detached' });
  await page.getByText('Live', { exact: true }).first().waitFor();
}

/** Drops files on the page, as the operating system does. */
export async function dropFiles(
  page: Page,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<void> {
  const transfer = await page.evaluateHandle((dropped) => {
    const data = new DataTransfer();
    for (const { name, text } of dropped) data.items.add(new File([text], name));
    return data;
  }, files);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
}

export async function chooseFiles(
  page: Page,
  ...files: readonly (readonly [name: string, text: string])[]
): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles(files.map(([name, text]) => textFile(name, text)));
}

/** The result that shows this file's name. */
export function resultOf(page: Page, name: string): Locator {
  return page.locator('[data-standing]', { hasText: name });
}

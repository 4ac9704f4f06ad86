import { expect, type Locator, type Page } from '@playwright/test';

import type { Standing } from '#core/license/index';
import { textFile } from '#tests/support/license-files';

/** Enters a key, which then waits for its confirmation. */
export async function enterKey(page: Page, publicKey: string): Promise<void> {
  await page.getByLabel('Public key').fill(publicKey);
  await page.getByRole('button', { name: 'Pin key' }).click();
}

/** Pins a key as an agent does: paste, compare, confirm. */
export async function pinKey(page: Page, publicKey: string): Promise<void> {
  await enterKey(page, publicKey);
  await page.getByRole('radio', { name: 'Live' }).check();
  const confirm = page.getByRole('button', { name: 'Confirm' });
  await confirm.click();
  // The form goes once the key is stored; until then it says Live as well.
  await confirm.waitFor({ state: 'detached' });
  // Beside a file the keys are folded then.
  await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' });
}

/** Drops files on the page, as the operating system does. @param times that the page is given each */
export async function dropFiles(
  page: Page,
  files: readonly { readonly name: string; readonly text: string }[],
  times = 1,
): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([dropped, count]) => {
      const data = new DataTransfer();
      for (let left = count; left > 0; left -= 1)
        for (const { name, text } of dropped) data.items.add(new File([text], name));
      return data;
    },
    [files, times] as const,
  );
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
}

/** Chooses files through the file dialog. */
export async function chooseFiles(
  page: Page,
  ...files: readonly (readonly [name: string, text: string])[]
): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles(files.map(([name, text]) => textFile(name, text)));
}

export function resultOf(page: Page, name: string): Locator {
  return page.locator('[data-standing]', { hasText: name });
}

/** Waits until the file's result shows this standing. */
export async function expectStanding(
  page: Page,
  name: string,
  standing: Standing | 'unverified',
): Promise<void> {
  await expect(resultOf(page, name)).toHaveAttribute('data-standing', standing);
}

/** Returns the headline of the file's result. */
export function headlineOf(page: Page, name: string): Locator {
  return resultOf(page, name).getByRole('heading', { level: 2 });
}

/** Returns the badge beside the headline of the file's result. */
export function badgeOf(page: Page, name: string): Locator {
  return headlineOf(page, name).locator('.chip').first();
}

/** Waits until the only open document shows this standing. */
export async function expectOpenStanding(
  page: Page,
  standing: Standing | 'unverified',
): Promise<void> {
  await expect(page.locator('.result')).toHaveAttribute('data-standing', standing);
}

/** Returns the row of one check of the open document, with its `data-outcome`. */
export function checkRow(page: Page, check: string): Locator {
  return page.locator(`[data-check="${check}"]`);
}

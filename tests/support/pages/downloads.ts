import { readFile } from 'node:fs/promises';

import type { Locator, Page } from '@playwright/test';

/** Presses the button and returns the bytes of the file that the page saves. */
export async function savedBytes(page: Page, button: Locator): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFile(await download.path());
}

/** Presses the button and returns the text of the file that the page saves. */
export async function savedText(page: Page, button: Locator): Promise<string> {
  return (await savedBytes(page, button)).toString('utf8');
}

import { readFile } from 'node:fs/promises';

import type { Locator, Page } from '@playwright/test';

/** Presses the button and returns the text of the file that the page saves. */
export async function savedText(page: Page, button: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFile(await download.path(), 'utf8');
}

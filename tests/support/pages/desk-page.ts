import { expect, type Page } from '@playwright/test';

import type { RunningExtension } from '#tests/support/extension';

export type DeskSection = 'items' | 'account' | 'history' | 'reply';

export function openDesk(extension: RunningExtension, section: DeskSection): Promise<Page> {
  return extension.open(`desk.html#/${section}`);
}

/** Starts a bulk check of the codes in this text. Ends when its table is shown. */
export async function startBulkCheck(desk: Page, text: string): Promise<void> {
  await desk.getByLabel('Codes, or a file').fill(text);
  await desk.getByRole('button', { name: /^Check \d/ }).click();
  await expect(desk.getByRole('grid', { name: 'Codes of this bulk check' })).toBeVisible();
}

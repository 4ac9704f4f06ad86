import { expect } from '@playwright/test';

import type { RunningExtension } from '#tests/support/extension';
import { type HiddenPage, hiddenPage, verdictIn } from '#tests/support/ticket';

/** Waits until the side panel that the browser opened by itself shows this verdict. */
export async function hiddenPanelWith(
  extension: Pick<RunningExtension, 'now'>,
  verdict: string,
): Promise<HiddenPage> {
  const panel = await hiddenPage(extension, 'sidepanel.html');
  await expect.poll(() => verdictIn(panel)).toBe(verdict);
  return panel;
}

import { expect, type Locator, type Page } from '@playwright/test';

import { recentChecksName } from '#adapters/storage/kept-answers';
import type { CheckedCode } from '#core/check/index';

/** Returns the field for the code. The side panel has the same one. */
export function codeField(popup: Page): Locator {
  return popup.getByRole('textbox', { name: 'Purchase code' });
}

/**
 * Starts a check and waits for nothing. `checkCode` of `scripts/running/agent.ts` waits for the verdict and returns it.
 */
export async function enterCode(popup: Page, text: string): Promise<void> {
  const field = codeField(popup);
  await field.fill(text);
  await field.press('Enter');
}

/** Returns the verdicts that no request is under way for. */
export function settledVerdicts(popup: Page): Locator {
  return popup.locator('[data-verdict]:not([aria-busy])');
}

export async function expectVerdict(popup: Page, verdict: string): Promise<void> {
  await expect(popup.locator(`[data-verdict="${verdict}"]`)).toBeVisible();
}

export function connectionChoice(popup: Page): Locator {
  return popup.getByRole('combobox', { name: 'Connection' });
}

/**
 * Waits until the next page will show the answer about a code. It is kept after it is shown, and a page that is closed
 * before leaves a check that is asked again.
 */
export async function expectKept(popup: Page, code: string): Promise<void> {
  const kept = async (): Promise<string[]> => {
    const all = await popup.evaluate(
      async (name) => (await chrome.storage.session.get(name))[name] ?? [],
      recentChecksName,
    );
    return (all as CheckedCode[])
      .filter(({ checks }) => checks.every(({ report }) => report !== undefined))
      .map((each) => each.code);
  };
  await expect.poll(kept).toContain(code);
}

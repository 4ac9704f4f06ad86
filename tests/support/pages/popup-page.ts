import { expect, type Locator, type Page } from '@playwright/test';

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

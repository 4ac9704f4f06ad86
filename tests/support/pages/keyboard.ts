import type { Page } from '@playwright/test';

/** Presses Tab until what has the focus bears this name. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      if (element === null || element === document.body) return '';
      const label = (element as HTMLInputElement).labels?.[0]?.textContent ?? '';
      return `${element.getAttribute('aria-label') ?? ''} ${label} ${element.textContent}`;
    });
    if (name.test(focused)) return;
  }
  throw new Error(`The keyboard does not reach ${String(name)}.`);
}

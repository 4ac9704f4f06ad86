import type { BrowserContext, Page } from '@playwright/test';

const taken = new WeakSet<Page>();

/**
 * Returns an empty tab: the one that the browser starts with, or else a new one, which costs more than most pages. A
 * browser on a screen ends when its only tab is closed, one without a screen does not.
 */
export async function takeTab(context: BrowserContext): Promise<Page> {
  const [first] = context.pages();
  const isFree = first !== undefined && !taken.has(first) && first.url() === 'about:blank';
  const page = isFree ? first : await context.newPage();
  taken.add(page);
  return page;
}

/** Empties a tab for whoever takes the next. */
export async function giveBackTab(page: Page): Promise<void> {
  await page.goto('about:blank');
  taken.delete(page);
}

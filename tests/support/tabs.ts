import type { BrowserContext, Page } from '@playwright/test';

const taken = new WeakSet<Page>();
const givenBack = new WeakSet<Page>();

/**
 * Returns a tab that nobody uses: the one that the browser starts with or that was given back, or else a new one, which
 * costs more than most pages. A browser on a screen ends when its only tab is closed, one without a screen does not.
 */
export async function takeTab(context: BrowserContext): Promise<Page> {
  const [first] = context.pages();
  const isFree =
    first !== undefined &&
    !taken.has(first) &&
    (givenBack.has(first) || first.url() === 'about:blank');
  const page = isFree ? first : await context.newPage();
  taken.add(page);
  return page;
}

/** Leaves a tab as it stands to whoever takes the next: the browser would begin a process to empty it. */
export function giveBackTab(page: Page): void {
  taken.delete(page);
  givenBack.add(page);
}

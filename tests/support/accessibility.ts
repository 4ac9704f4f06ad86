import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** The rules of axe whose answer depends on how a page is drawn; all others read what it holds. */
const drawnRules = ['color-contrast', 'link-in-text-block', 'target-size'];

/**
 * Lists what axe finds on a page as it stands, one line for each element: empty when all is well.
 * @param rules `drawn` where the same page is looked at once more, in other colours
 */
export async function accessibilityProblems(
  page: Page,
  rules: 'all' | 'drawn' = 'all',
): Promise<string[]> {
  await endTransitions(page);
  const framed = page.frames().length > 1;
  if (!framed && !(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // It would send axe, half a megabyte, twice for each analysis.
  const { violations } = await new AxeBuilder({ page, ...(!framed && { axeSource: 'undefined' }) })
    .options({
      // WCAG 2.2, 2.5.8: axe leaves it out unless asked.
      rules: { 'target-size': { enabled: true } },
      ...(rules === 'drawn' && { runOnly: drawnRules }),
      resultTypes: ['violations'],
    })
    // Else it opens a tab for each analysis, to put together what its frames have found.
    .setLegacyMode(!framed)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`,
    ),
  );
}

/**
 * Lists what axe finds on a page as it stands, in light, and in dark whatever depends on colours; leaves it in light.
 */
export async function problemsInLightAndDark(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const problems = await accessibilityProblems(page, colorScheme === 'light' ? 'all' : 'drawn');
    found.push(...problems.map((problem) => `in ${colorScheme}, ${problem}`));
  }
  return found;
}

/**
 * Ends each transition of a colour or a place. They are not waited for: one in a part that is not drawn never ends by
 * itself. Where a colour is inherited, the end of one begins another.
 */
async function endTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const isTransition = (animation: Animation) => animation instanceof CSSTransition;
    for (let depth = 0; depth < 20; depth += 1) {
      const running = document.getAnimations().filter(isTransition);
      if (running.length === 0) return;
      for (const transition of running) transition.finish();
    }
  });
}

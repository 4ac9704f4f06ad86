import type { BrowserContext } from '@playwright/test';

import { devtoolsOf } from '#scripts/running/extension';

/**
 * Ends a browser whose profile is needed no longer: at once, since closing it writes all of that first. A test may have
 * closed it.
 */
export async function killBrowser(context: BrowserContext): Promise<void> {
  if (context.browser()?.isConnected() !== true) return;
  const devtools = await devtoolsOf({ context });
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  const browser = processInfo.find(({ type }) => type === 'browser');
  if (browser === undefined) throw new Error('The browser does not name its process.');
  const closed = context.waitForEvent('close');
  process.kill(browser.id, 'SIGKILL');
  await closed;
}

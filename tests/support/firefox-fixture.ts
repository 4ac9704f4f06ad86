import { join } from 'node:path';

import { test as base } from '@playwright/test';
import type { Browser, Page } from 'puppeteer-core';

import { root } from '#scripts/processes';
import { launchFirefox, openExtensionPage } from '#tests/support/firefox';
import { openSandbox, type TestSandbox } from '#tests/support/sandbox';

/** The production build in a stock Firefox, with a sandbox beside it. */
export interface RunningFirefox {
  readonly browser: Browser;
  readonly sandbox: TestSandbox;
  /** Address of the sandbox's help desk. */
  readonly desk: string;
  /** Opens a page of the extension in a tab. */
  open(path: string): Promise<Page>;
  /** Adds a connection through the options page, as an agent does, and leaves that page open. */
  connect(): Promise<Page>;
}

/** Playwright's `test` with one Firefox for each test; skipped where there is none. */
export const test = base.extend<{ firefox: RunningFirefox }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  firefox: async ({}, use) => {
    const executable = process.env['FIREFOX'] ?? '';
    base.skip(
      executable === '',
      'There is no Firefox on this machine and none could be installed.',
    );
    base.setTimeout(300_000);
    const sandbox = await openSandbox();
    const build = join(root, '.output/firefox-mv3');
    const browser = await launchFirefox(executable, build, 'counterfoil@example.org');
    const open = (path: string): Promise<Page> => openExtensionPage(browser, path);
    await use({
      browser,
      sandbox,
      desk: `${sandbox.origin.replace('127.0.0.1', 'localhost')}/desk`,
      open,
      async connect() {
        const { name, baseAddress, apiKey } = sandbox.connection('/demo', 'Fenwick');
        const options = await open('options.html');
        await press(options, 'Add connection');
        await fillField(options, 'Name', name);
        await fillField(options, 'Base address', baseAddress);
        await options.locator('input[type="password"]').fill(apiKey);
        await press(options, 'Save');
        await options.waitForFunction(
          () => document.querySelector('input[type="password"]') === null,
        );
        return options;
      },
    });
    await browser.close();
    await sandbox.close();
  },
});

export { expect } from '@playwright/test';

/** Fills a text field, found by its accessible name. */
export async function fillField(page: Page, name: string, text: string): Promise<void> {
  await page.locator(`::-p-aria([name="${name}"][role="textbox"])`).fill(text);
}

/** Clicks a button by its accessible name. */
export async function press(page: Page, name: string): Promise<void> {
  await page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
}

/** Checks a code in the popup or the panel. @returns the settled verdict */
export async function verdictOn(page: Page, code: string): Promise<string | null | undefined> {
  await page.locator('textarea').fill(code);
  await press(page, 'Check');
  const verdict = await page.waitForSelector('[data-verdict]:not([aria-busy])');
  return verdict?.evaluate((element) => element.getAttribute('data-verdict'));
}

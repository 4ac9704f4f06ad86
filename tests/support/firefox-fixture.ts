import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'puppeteer-core';

import { root } from '#scripts/processes';
import { test as base } from '#tests/support/extension';
import { installBuild, launchFirefox, openExtensionPage } from '#tests/support/firefox';
import { firefoxPolicy, type PolicyFile } from '#tests/support/policy-files';
import type { TestSandbox } from '#tests/support/sandbox';

/** The production build in a stock Firefox, with a sandbox beside it. */
export interface RunningFirefox {
  /** The browser as it is now; a restart makes another. */
  readonly browser: Browser;
  readonly sandbox: TestSandbox;
  /** Address of the sandbox's help desk. */
  readonly desk: string;
  /** The folder that files are saved in. */
  readonly downloads: string;
  /** Opens a page of the extension in a tab. */
  open(path: string): Promise<Page>;
  /** Adds a connection through the options page, as an agent does, and leaves that page open. */
  connect(base?: Parameters<TestSandbox['connection']>[0]): Promise<Page>;
  /** Allows a help desk with a real click on the options page. */
  allow(options: Page, origin: string): Promise<void>;
  /** Closes the browser and opens it on the same profile. */
  restart(): Promise<void>;
}

/** Returns the machine's Firefox; skips the test where there is none. */
function findFirefox(): string {
  const executable = process.env['FIREFOX'] ?? '';
  base.skip(executable === '', 'There is no Firefox on this machine and none could be installed.');
  base.setTimeout(300_000);
  return executable;
}

interface Fixtures {
  firefox: RunningFirefox;
  /** A Firefox whose administrator can set something. */
  managedFirefox: { readonly firefox: RunningFirefox; readonly policy: PolicyFile };
}

/** Playwright's `test` with one Firefox for each test; skipped where there is none. */
export const test = base.extend<Fixtures>({
  firefox: ({ sandbox }, use) => runFirefox(findFirefox(), sandbox, use),

  managedFirefox: async ({ sandbox }, use) => {
    const policy = await firefoxPolicy(findFirefox());
    try {
      await runFirefox(policy.executable, sandbox, (firefox) => use({ firefox, policy }));
    } finally {
      await policy.remove();
    }
  },
});

/** Runs the build in a Firefox with a profile of its own, for as long as it is used. */
async function runFirefox(
  executable: string,
  sandbox: TestSandbox,
  use: (firefox: RunningFirefox) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-'));
  const [profile, downloads] = [join(folder, 'profile'), join(folder, 'downloads')];
  await mkdir(downloads);
  await installBuild(join(root, '.output/firefox-mv3'), profile);
  let browser = await launchFirefox(executable, profile, downloads);
  const open = (path: string): Promise<Page> => openExtensionPage(browser, path);
  await use({
    get browser() {
      return browser;
    },
    sandbox,
    desk: `${sandbox.origin.replace('127.0.0.1', 'localhost')}/desk`,
    downloads,
    open,
    async connect(at = '/demo') {
      const { name, baseAddress, apiKey } = sandbox.connection(at, 'Fenwick');
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
    async allow(options, origin) {
      // Listed first, then permitted with a real click.
      await options.evaluate(
        async (body) => {
          await chrome.runtime.sendMessage({
            topic: 'sites.allow',
            nonce: crypto.randomUUID(),
            body,
          });
        },
        { origin },
      );
      await options.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await options.locator('.sites-list .button').click();
      await options.waitForFunction(() => document.querySelector('.sites-list .notice') === null);
    },
    async restart() {
      await browser.close();
      browser = await launchFirefox(executable, profile, downloads);
    },
  });
  await browser.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

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

/** Waits until the page shows this text. */
export async function waitForText(page: Page, text: string): Promise<void> {
  const shown = (): Promise<string> => page.evaluate(() => document.body.innerText);
  await base.expect.poll(shown, { timeout: 60_000 }).toContain(text);
}

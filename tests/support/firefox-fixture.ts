import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'puppeteer-core';

import { filesIn, zipArchive } from '#scripts/packages/archives';
import { root } from '#scripts/machine/processes';
import { test as base } from '#tests/support/extension';
import {
  installBuild,
  launchFirefox,
  openExtensionPage,
  removeBuild,
  untilExtensionRuns,
} from '#tests/support/firefox';
import { firefoxPolicy } from '#tests/support/policy-files';
import type { TestSandbox } from '#tests/support/sandbox';

/** Runs the production build in a stock Firefox, with a sandbox beside it. */
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

/** A Firefox on a profile of its own. */
interface OwnFirefox {
  readonly browser: Browser;
  readonly downloads: string;
  /** Puts a new installation of the build in place of what was there and had been stored. */
  reinstall(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the machine's Firefox; skips the test where there is none. */
function findFirefox(): string {
  const executable = process.env['FIREFOX'] ?? '';
  base.skip(executable === '', 'There is no Firefox on this machine and none could be installed.');
  base.setTimeout(600_000);
  return executable;
}

interface TestFixtures {
  firefox: RunningFirefox;
  /**
   * Opens a Firefox whose administrator has set this; closes it before where it is open. The value is a text, unless it
   * is to be wrong.
   */
  firefoxWithPolicy: (settings: unknown) => Promise<RunningFirefox>;
}

/**
 * Gives Playwright's `test` a new installation in Firefox for each test; tests are skipped where there is no Firefox.
 */
export const test = base.extend<TestFixtures>({
  firefox: async ({ sandbox, kept }, use) => {
    const executable = findFirefox();
    const firefox = await kept('a Firefox', async () => {
      const value = await openFirefox(executable);
      return { value, end: () => value.close() };
    });
    await firefox.reinstall();
    await use(operate(firefox, sandbox));
  },

  firefoxWithPolicy: async ({ sandbox }, use) => {
    const policy = await firefoxPolicy(findFirefox());
    let firefox: OwnFirefox | undefined;
    try {
      await use(async (settings) => {
        await policy.write(settings);
        if (firefox === undefined) {
          firefox = await openFirefox(policy.executable);
          await firefox.reinstall();
        } else await firefox.restart();
        return operate(firefox, sandbox);
      });
    } finally {
      await firefox?.close();
      await policy.remove();
    }
  },
});

async function openFirefox(executable: string): Promise<OwnFirefox> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-'));
  const [profile, downloads] = [join(folder, 'profile'), join(folder, 'downloads')];
  const archive = join(folder, 'build.xpi');
  await mkdir(downloads);
  await writeFile(archive, await zipArchive(await filesIn(join(root, '.output/firefox-mv3'))));
  const launch = (): Promise<Browser> => launchFirefox(executable, profile, downloads);
  let browser = await launch();
  return {
    get browser() {
      return browser;
    },
    downloads,
    async reinstall() {
      await removeBuild(browser);
      await rm(downloads, { recursive: true });
      await mkdir(downloads);
      await installBuild(browser, archive);
    },
    async restart() {
      await browser.close();
      browser = await launch();
      await untilExtensionRuns(browser);
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function operate(firefox: OwnFirefox, sandbox: TestSandbox): RunningFirefox {
  const open = (path: string): Promise<Page> => openExtensionPage(firefox.browser, path);
  return {
    get browser() {
      return firefox.browser;
    },
    sandbox,
    desk: `${sandbox.origin.replace('127.0.0.1', 'localhost')}/desk`,
    downloads: firefox.downloads,
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
    restart: () => firefox.restart(),
  };
}

export { expect } from '@playwright/test';

// Firefox searches by accessible name through every element of a page, which takes it seconds: these go by the words on
// a control.

/** Fills a text field, found by the text of its label. */
export async function fillField(page: Page, name: string, text: string): Promise<void> {
  await page.bringToFront();
  await page.locator(`::-p-xpath(//*[@id=//label[normalize-space()="${name}"]/@for])`).fill(text);
}

/**
 * Clicks a button, found by its text. The page comes to the front: Firefox draws a tab behind another ever more rarely,
 * and a click waits for frames.
 */
export async function press(page: Page, name: string): Promise<void> {
  await page.bringToFront();
  await page.locator(`::-p-xpath(//button[normalize-space()="${name}"])`).click();
}

/** Checks a code in the popup or the panel. @returns the settled verdict */
export async function verdictOn(page: Page, code: string): Promise<string | null | undefined> {
  // It is typed key by key: the code of a chip that was clicked just now may come in between.
  const typed = async (): Promise<string> => {
    await page.locator('textarea').fill(code);
    return page.$eval('textarea', ({ value }) => value);
  };
  await base.expect.poll(typed).toBe(code);
  await press(page, 'Check');
  const verdict = await page.waitForSelector('[data-verdict]:not([aria-busy])');
  return verdict?.evaluate((element) => element.getAttribute('data-verdict'));
}

export async function waitForText(page: Page, text: string): Promise<void> {
  const shown = (): Promise<string> => page.evaluate(() => document.body.innerText);
  await base.expect.poll(shown, { timeout: 60_000, intervals: [100] }).toContain(text);
}

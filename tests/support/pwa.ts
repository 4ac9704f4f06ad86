import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type BrowserContext, chromium, type LaunchOptions, type Page } from '@playwright/test';

import { verifierSite } from '#scripts/build/build';
import { withoutFeatures, withoutScreen } from '#scripts/running/extension';
import { fewerProcesses, test as base } from '#tests/support/extension';
import { killBrowser } from '#tests/support/kill-browser';
import { takeTab } from '#tests/support/tabs';
import { type ServedPwa, servePwa } from '#scripts/running/serve-pwa';

/** Runs the built verifier on a server of its own, in a session of its own of a browser that tests share. */
export interface RunningPwa {
  readonly address: string;
  readonly context: BrowserContext;
  /** What pages have written to the console as errors, and faults that nobody caught. */
  readonly errors: readonly string[];
  open(): Promise<Page>;
  /** Ends the server: whatever works now works offline. */
  stopServing(): Promise<void>;
}

/** Runs the same in a browser of its own, which can be closed and opened on the same profile. */
export interface InstalledPwa extends RunningPwa {
  restart(): Promise<void>;
}

interface TestFixtures {
  pwa: RunningPwa;
  installedPwa: InstalledPwa;
}

export function launchOptions(): LaunchOptions {
  const executablePath = process.env['CHROMIUM'] ?? '';
  if (executablePath === '') throw new Error('No Chromium here: "npm test" gets one.');
  return {
    executablePath,
    headless: true,
    args: [
      ...withoutScreen,
      '--no-sandbox',
      '--disable-background-networking',
      withoutFeatures,
      ...fewerProcesses,
    ],
    ignoreDefaultArgs: ['--headless'],
  };
}

const permissions = ['clipboard-read', 'clipboard-write'];

function close({ server }: ServedPwa): Promise<void> {
  return new Promise((done) => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close(() => {
      done();
    });
  });
}

/**
 * Serves the production build from a sub-path, lets a test use it in the browser that it names, and ends the server.
 */
async function withServer(
  context: () => BrowserContext,
  use: (pwa: RunningPwa) => Promise<void>,
): Promise<void> {
  let served: ServedPwa | undefined = await servePwa(verifierSite, { at: '/tools/verifier/' });
  const { address } = served;
  const errors: string[] = [];
  const stop = async (): Promise<void> => {
    if (served !== undefined) await close(served);
    served = undefined;
  };
  await use({
    address,
    get context() {
      return context();
    },
    errors,
    async open() {
      const page = await takeTab(context());
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(address);
      return page;
    },
    stopServing: stop,
  });
  await stop();
}

/** Gives Playwright's `test` the production build of the site. */
export const test = base.extend<TestFixtures>({
  pwa: async ({ colorScheme, kept }, use) => {
    const browser = await kept('a browser for the site', async () => {
      const value = await chromium.launch(launchOptions());
      return { value, end: () => value.close() };
    });
    const context = await browser.newContext({ colorScheme, permissions });
    await withServer(() => context, use);
    await context.close();
  },

  installedPwa: async ({ colorScheme }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'counterfoil-pwa-'));
    const launch = async (): Promise<BrowserContext> =>
      chromium.launchPersistentContext(profile, { ...launchOptions(), colorScheme, permissions });
    let context = await launch();
    await withServer(
      () => context,
      async (pwa) => {
        const restart = async (): Promise<void> => {
          await context.close();
          context = await launch();
        };
        await use(Object.assign(pwa, { restart }));
      },
    );
    await killBrowser(context);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  },
});

export { expect } from '@playwright/test';

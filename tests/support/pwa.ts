import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext, Page } from '@playwright/test';
import { chromium } from '@playwright/test';

import { withoutFeatures, withoutScreen } from '#scripts/extension';
import { root } from '#scripts/processes';
import { test as base } from '#tests/support/extension';
import { killBrowser } from '#tests/support/kill-browser';
import { takeTab } from '#tests/support/tabs';
import { servePwa } from '#sandbox/serve-pwa';
import type { ServedPwa } from '#sandbox/serve-pwa';

/** The built verifier on a server of its own, in a browser of its own that can be closed and opened on the same profile. */
export interface RunningPwa {
  readonly address: string;
  readonly context: BrowserContext;
  /** What pages have written to the console as errors, and faults that nobody caught. */
  readonly errors: readonly string[];
  open(): Promise<Page>;
  /** Ends the server: whatever works now works offline. */
  stopServing(): Promise<void>;
  /** Serves another folder at the same address. */
  serveAgain(folder: string): Promise<void>;
  restart(): Promise<void>;
}

export const builtPwa = join(root, 'dist/pwa');

async function launch(profile: string, colorScheme: 'light' | 'dark'): Promise<BrowserContext> {
  const executablePath = process.env['CHROMIUM'] ?? '';
  if (executablePath === '') throw new Error('No Chromium here: "npm test" gets one.');
  return chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    colorScheme,
    permissions: ['clipboard-read', 'clipboard-write'],
    args: [...withoutScreen, '--no-sandbox', '--disable-background-networking', withoutFeatures],
    ignoreDefaultArgs: ['--headless'],
  });
}

function close({ server }: ServedPwa): Promise<void> {
  return new Promise((done) => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close(() => {
      done();
    });
  });
}

/** Playwright's `test` with the production build of the site, served from a sub-path, on a fresh profile for each test. */
export const test = base.extend<{ pwa: RunningPwa }>({
  pwa: async ({ colorScheme }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'counterfoil-pwa-'));
    const scheme = colorScheme === 'dark' ? 'dark' : 'light';
    let served: ServedPwa | undefined = await servePwa(builtPwa, { at: '/tools/verifier/' });
    const { address } = served;
    const errors: string[] = [];
    let context = await launch(profile, scheme);
    const stop = async (): Promise<void> => {
      if (served !== undefined) await close(served);
      served = undefined;
    };
    await use({
      address,
      get context() {
        return context;
      },
      errors,
      async open() {
        const page = await takeTab(context);
        page.on('console', (message) => {
          if (message.type() === 'error') errors.push(message.text());
        });
        page.on('pageerror', (error) => errors.push(String(error)));
        await page.goto(address);
        return page;
      },
      stopServing: stop,
      async serveAgain(folder) {
        await stop();
        const port = Number(new URL(address).port);
        served = await servePwa(folder, { port, at: '/tools/verifier/' });
      },
      async restart() {
        await context.close();
        context = await launch(profile, scheme);
      },
    });
    await killBrowser(context);
    await stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  },
});

export { expect } from '@playwright/test';

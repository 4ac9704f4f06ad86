import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import {
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
  type Worker,
} from '@playwright/test';

import { root } from '#scripts/machine/processes';

export const chromiumBuild = join(root, '.output/chrome-mv3');

/**
 * The features to start Chromium without. The last such argument replaces those before it, so Playwright's own
 * come first; then the suggestions of the address bar, which are two pages of their own: over a second of work after
 * each start; then the process that is kept ready for the next site.
 */
export const withoutFeatures = `--disable-features=${[
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'TcpPortRandomizationWin',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
].join()}`;

/**
 * Starts Chromium without a screen. Its window's animations are drawn all the same: a fifth of what opening a page
 * costs.
 */
export const withoutScreen = ['--headless=new', '--animation-duration-scale=0'] as const;

/** A running Chromium with the built extension in it. */
export interface Extension {
  readonly context: BrowserContext;
  /** The worker as it was at the start; the browser may stop it and start another. */
  readonly worker: Worker;
  readonly id: string;
}

export interface LaunchOptions {
  readonly executablePath: string;
  readonly headless: boolean;
  readonly colorScheme?: 'light' | 'dark';
  /** Device pixels per CSS pixel. */
  readonly sharpness?: number;
  /** Folders of unpacked extensions to load beside ours. */
  readonly beside?: readonly string[];
  /** The folder of the build; a copy of it elsewhere has another id. */
  readonly build?: string;
  /** Further arguments for Chromium. */
  readonly args?: readonly string[];
}

/** Starts Chromium with the production build on a profile folder, which may be empty. */
export async function launchExtension(
  profile: string,
  {
    executablePath,
    headless,
    colorScheme = 'light',
    sharpness = 1,
    beside = [],
    build = chromiumBuild,
    args = [],
  }: LaunchOptions,
): Promise<Extension> {
  const folders = [build, ...beside].join(',');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless,
    colorScheme,
    deviceScaleFactor: sharpness,
    // The caller handles signals.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      ...(headless ? withoutScreen : []),
      '--no-sandbox',
      `--disable-extensions-except=${folders}`,
      `--load-extension=${folders}`,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      withoutFeatures,
      ...args,
    ],
    ignoreDefaultArgs: ['--headless', '--disable-extensions'],
  });
  const id = extensionId(build);
  return { context, worker: await workerOf(context, id), id };
}

/**
 * Returns the id that Chromium gives an unpacked extension: the first half of its path's SHA-256, with a to p as
 * digits.
 */
export function extensionId(folder: string): string {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  return digest.replaceAll(/./g, (digit) => 'abcdefghijklmnop'.charAt(parseInt(digit, 16)));
}

/** Waits until the worker runs. */
export async function workerOf(context: BrowserContext, id: string): Promise<Worker> {
  const isIts = (worker: Worker): boolean => new URL(worker.url()).host === id;
  return (
    context.serviceWorkers().find(isIts) ??
    (await context.waitForEvent('serviceworker', { predicate: isIts }))
  );
}

export async function openPage(
  { context, id }: Pick<Extension, 'context' | 'id'>,
  path: string,
  tab?: Page,
): Promise<Page> {
  const page = tab ?? (await context.newPage());
  await page.goto(`chrome-extension://${id}/${path}`);
  return page;
}

/** Opens a session with the browser itself, for what no page can ask. */
export async function devtoolsOf({ context }: Pick<Extension, 'context'>): Promise<CDPSession> {
  const session = await context.browser()?.newBrowserCDPSession();
  if (session === undefined) throw new Error('The browser is closed.');
  return session;
}

/** Returns the worker's target; undefined while it is stopped. */
export async function findWorker(devtools: CDPSession, id: string): Promise<string | undefined> {
  const { targetInfos } = await devtools.send('Target.getTargets');
  return targetInfos.find(({ type, url }) => type === 'service_worker' && new URL(url).host === id)
    ?.targetId;
}

export async function isWorkerRunning({
  context,
  id,
}: Pick<Extension, 'context' | 'id'>): Promise<boolean> {
  const devtools = await devtoolsOf({ context });
  const targetId = await findWorker(devtools, id);
  await devtools.detach();
  return targetId !== undefined;
}

/** Stops the worker, as the browser does with an idle one; the next event starts it again. */
export async function stopWorker({
  context,
  id,
}: Pick<Extension, 'context' | 'id'>): Promise<void> {
  const devtools = await devtoolsOf({ context });
  const targetId = await findWorker(devtools, id);
  if (targetId !== undefined) {
    await devtools.send('Target.closeTarget', { targetId });
    // A page may have started it again under the same id, so the wait is limited.
    const deadline = Date.now() + 500;
    while ((await findWorker(devtools, id)) === targetId && Date.now() < deadline) await pause(10);
  }
  await devtools.detach();
}

/**
 * Writes optional hosts into an empty profile as granted, since a headless browser shows no permission prompt. The
 * extension must still call `permissions.request`, which resolves to true without a prompt.
 * @param hosts match patterns; they carry no port
 * @param build the folder of the build
 */
export async function grantHosts(
  profile: string,
  hosts: readonly string[],
  build = chromiumBuild,
): Promise<void> {
  const granted = { api: [], manifest_permissions: [], scriptable_host: [], explicit_host: hosts };
  const settings = { [extensionId(build)]: { runtime_granted_permissions: granted } };
  await mkdir(join(profile, 'Default'), { recursive: true });
  await writeFile(
    join(profile, 'Default/Preferences'),
    JSON.stringify({ extensions: { settings } }),
  );
}

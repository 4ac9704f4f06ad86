import { once } from 'node:events';
import { cp } from 'node:fs/promises';

import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test';

import { verifierHeaders } from '#core/site/content-security-policy';
import { assetOf, hostSite, writeNewerSite } from '#tests/support/hosted-site';
import { launchOptions } from '#tests/support/pwa';
import { verifierSite } from '#scripts/build/build';
import { findProgram } from '#scripts/machine/system-packages';
import { projectVersion } from '#scripts/packages/archives';
import { servePwa } from '#scripts/running/serve-pwa';
import { hostStatically } from '#tests/support/static-host';

const skipWithout = (server: string): void => {
  test.skip(findProgram(server.toLowerCase()) === undefined, `${server} is not on this machine.`);
};

const kept = 'public, max-age=31536000, immutable';

for (const [server, at] of [
  ['nginx', '/verifier/'],
  ['nginx', '/'],
  ['Caddy', '/verifier/'],
  ['Caddy', '/'],
] as const) {
  test(`${server} with our configuration at ${at} sends every header, and lets only hashed files be kept`, async () => {
    skipWithout(server);
    const site = await hostSite(server, verifierSite, at);
    const script = await assetOf(site.folder, '.js');
    for (const [path, status, cache, type] of [
      ['', 200, 'no-cache', /^text\/html/],
      ['service-worker.js', 200, 'no-cache', /^(?:text|application)\/javascript/],
      ['manifest.webmanifest', 200, 'no-cache', /^application\/manifest\+json/],
      ['icon.svg', 200, 'no-cache', /^image\/svg\+xml/],
      [script, 200, kept, /^(?:text|application)\/javascript/],
      ['assets/missing.js', 404, null, /./],
    ] as const) {
      const reply = await fetch(site.address + path);
      await reply.arrayBuffer();
      const { headers } = reply;
      expect([path, reply.status, headers.get('cache-control')]).toEqual([path, status, cache]);
      for (const [name, value] of verifierHeaders) expect(headers.get(name), path).toBe(value);
      if (status === 200) expect(headers.get('content-type'), path).toMatch(type);
    }

    const bare = await fetch(at === '/' ? site.address : site.address.slice(0, -1));
    expect(bare.url).toBe(site.address);
    const shared = await fetch(`${site.address}share-target`, {
      method: 'POST',
      body: new FormData(),
      redirect: 'manual',
    });
    expect([shared.status, shared.headers.get('location')]).toEqual([303, at]);
    await site.stop();
  });
}

test('a static host with our _headers file sends every header, and lets only hashed files be kept', async () => {
  const site = await hostStatically(verifierSite);
  for (const [path, cache, type] of [
    ['', /max-age=0/, 'text/html; charset=utf-8'],
    ['service-worker.js', /max-age=0/, 'text/javascript'],
    ['manifest.webmanifest', /max-age=0/, 'application/manifest+json'],
    [await assetOf(site.folder, '.js'), kept, 'text/javascript'],
  ] as const) {
    const reply = await fetch(site.address + path);
    await reply.arrayBuffer();
    const { headers } = reply;
    expect([path, reply.status, headers.get('content-type')]).toEqual([path, 200, type]);
    expect(headers.get('cache-control'), path).toMatch(cache);
    for (const [name, value] of verifierHeaders) expect(headers.get(name), path).toBe(value);
  }
  await site.stop();
});

/** Returns what the browser itself says against installing the page's site, and where it found the manifest. */
async function installability(page: Page): Promise<{ manifest: string; problems: string[] }> {
  const devtools = await page.context().newCDPSession(page);
  const { url, errors } = await devtools.send('Page.getAppManifest');
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  await devtools.detach();
  const problems = [
    ...errors.map(({ message }) => message),
    ...installabilityErrors.map(({ errorId }) => errorId),
  ];
  return { manifest: url, problems };
}

test.describe('an installed verifier', () => {
  // Each site has an origin of its own in it.
  let browser: BrowserContext;
  test.beforeAll(async () => {
    // Nothing can be installed in a browser that keeps no profile.
    browser = await chromium.launchPersistentContext('', launchOptions());
  });
  test.afterAll(() => browser.close());

  test('copies on one host are an app each, say their version, and leave the others’ files alone', async () => {
    const ids: string[] = [];
    const places = ['/one/', '/two/', '/'];
    let kept: string[] = [];
    const { server, address } = await servePwa(verifierSite, { at: '/one/' });
    const { port } = new URL(address);
    server.close();
    for (const at of places) {
      const copy = await servePwa(verifierSite, { at, port: Number(port) });
      const page = await browser.newPage();
      await page.goto(copy.address);
      await expect(page.getByText(await projectVersion(), { exact: true })).toBeVisible();
      await expect(page.getByText('Ready to work offline.')).toBeVisible();
      kept = await page.evaluate(() => caches.keys());
      const devtools = await page.context().newCDPSession(page);
      ids.push((await devtools.send('Page.getAppId')).appId ?? '');
      await page.close();
      // The next copy has its port, and the browser must not go on with a connection of this one.
      const isClosed = once(copy.server, 'close');
      copy.server.close();
      if ('closeAllConnections' in copy.server) copy.server.closeAllConnections();
      await isClosed;
    }
    expect(new Set(ids).size).toBe(places.length);
    expect(kept).toHaveLength(places.length);
  });

  // Caddy answers with what nginx answers with, which the tests above compare.
  for (const server of ['nginx', 'a static host'] as const)
    test(`${server} with our configuration serves a verifier that can be installed, updates, and works once the server is gone`, async () => {
      if (server !== 'a static host') skipWithout(server);
      const site = await (server === 'a static host'
        ? hostStatically(verifierSite)
        : hostSite(server, verifierSite));
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(site.address);
      await expect(page.getByText('Ready to work offline.')).toBeVisible();
      await expect(page).toHaveTitle('Counterfoil Verifier');
      expect(await installability(page)).toEqual({
        manifest: `${site.address}manifest.webmanifest`,
        problems: [],
      });

      await cp(verifierSite, site.folder, { recursive: true });
      await writeNewerSite(site.folder);
      await page.reload();
      await expect(page.getByText('A new version is ready.')).toBeVisible();
      await page.reload();
      await expect(page).toHaveTitle('Counterfoil Verifier');
      await page.getByRole('button', { name: 'Start it now' }).click();
      await expect(page).toHaveTitle('Newer Verifier');

      await site.stop();
      await page.reload();
      await expect(page).toHaveTitle('Newer Verifier');
      await page.getByRole('textbox', { name: 'License text' }).fill('not a license');
      await expect(page.locator('[data-standing]')).toBeVisible();
      expect(errors).toEqual([]);
      await page.close();
    });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from '@playwright/test';

import { alternate, type Measurement } from '#bench/measurement';
import { buildVerifierSite, verifierSite } from '#scripts/build/build';
import { servePwa } from '#scripts/running/serve-pwa';

const bare = {
  '/': '<!doctype html><title>Bare</title><script src="page.js"></script><textarea></textarea>',
  '/page.js': "navigator.serviceWorker.register('worker.js');",
  '/worker.js': `
    addEventListener('install', (event) => event.waitUntil(caches.open('bare').then((cache) => cache.addAll(['./', 'page.js']))));
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => event.respondWith(caches.match(event.request)));`,
};

/** Measures a reload without servers, until a license could be pasted. */
export const offlineReload: Measurement = {
  name: 'verifier site, offline reload to usable',
  limit: 'a bare cached page with one field',
  goal: { ratio: 1.6 },
  measure: async ({ extension: { context } }) => {
    await buildVerifierSite(console.error);
    const server = createServer(({ url = '/' }, response) => {
      const body = Object.entries(bare).find(([path]) => path === url)?.[1];
      response.statusCode = body === undefined ? 404 : 200;
      response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
      response.end(body);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const served = await servePwa(verifierSite);
    const [limit, ours] = [await context.newPage(), await context.newPage()];
    await limit.goto(`http://127.0.0.1:${String(port)}/`);
    await ours.goto(served.address);
    for (const page of [limit, ours]) await page.evaluate(() => navigator.serviceWorker.ready);
    for (const each of [server, served.server]) each.close();
    const samples = await alternate(
      () => reload(limit),
      () => reload(ours),
      { rounds: 15 },
    );
    await limit.close();
    await ours.close();
    return samples;
  },
};

/** Returns milliseconds from the start of the navigation to the first contentful paint. */
async function reload(page: Page): Promise<number> {
  await page.reload();
  await page.locator('textarea').first().focus();
  return page.evaluate(async () => {
    const field = document.querySelector('textarea');
    if (field === null) throw new Error('There is no field.');
    await new Promise((done) => requestAnimationFrame(done));
    const [entry] = performance.getEntriesByType('navigation');
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    return painted ?? (entry as PerformanceNavigationTiming).domContentLoadedEventEnd;
  });
}

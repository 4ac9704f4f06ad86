import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { alternate, type Measurement } from '#bench/measurement';
import { buildVerifierSite, verifierSite } from '#scripts/build/build';
import { root } from '#scripts/machine/processes';
import { servePwa } from '#scripts/running/serve-pwa';

const vue = join(root, 'node_modules/vue/dist/vue.runtime.global.prod.js');

const bare = {
  '/': '<!doctype html><title>Bare</title><link rel="stylesheet" href="page.css" /><script src="page.js" defer></script><div id="app"></div>',
  '/page.css': 'textarea { width: 100%; font: 14px sans-serif; }',
  '/page.js': `${readFileSync(vue, 'utf8')}
    navigator.serviceWorker.register('worker.js');
    Vue.createApp({ render: () => Vue.h('textarea') }).mount('#app');`,
  '/worker.js': `
    addEventListener('install', (event) => event.waitUntil(caches.open('bare').then((cache) => cache.addAll(['./', 'page.js', 'page.css']))));
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => event.respondWith(caches.match(event.request)));`,
};

/** The site is built once, however many runs there are. */
let built: Promise<unknown> | undefined;

/** Measures a reload without servers, until a license could be pasted. */
export const offlineReload: Measurement = {
  name: 'verifier site, offline reload to usable',
  limit: 'a cached page: a style sheet, Vue, one field',
  goal: { ratio: 1.4 },
  measure: async ({ extension: { context } }) => {
    built ??= buildVerifierSite(console.error);
    await built;
    const server = createServer(({ url = '/' }, response) => {
      const body = Object.entries(bare).find(([path]) => path === url)?.[1];
      response.statusCode = body === undefined ? 404 : 200;
      const type = url.endsWith('.js') ? 'javascript' : url.endsWith('.css') ? 'css' : 'html';
      response.setHeader('content-type', `text/${type}`);
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

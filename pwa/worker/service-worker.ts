import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

import {
  dropShared,
  keepShared,
  peekShared,
  sharedTextLifetime,
} from '#adapters/storage/share-target';
import { verifierHeaders } from '#core/verifier/content-security-policy';
import { delay } from '#core/time/delay';

declare const self: ServiceWorkerGlobalScope;

// The shell alone is cached, at install; no other answer is ever kept.
addPlugins([{ handlerWillRespond: ({ response }) => Promise.resolve(withPolicy(response)) }]);
precacheAndRoute(self.__WB_MANIFEST, { ignoreURLParametersMatching: [] });
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html')));

registerRoute(
  ({ url }) => url.href === new URL('share-target', self.registration.scope).href,
  async ({ request }) => {
    // Nothing shared is looked at here: the page shows it as inert text first.
    await keepShared(await request.formData(), Date.now()).catch(() => undefined);
    return Response.redirect('./', 303);
  },
  'POST',
);

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), peekShared(Date.now())]));
});

self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: unknown };
  // Only the agent's own word starts a new version.
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting());
  if (type === 'SHARED_WAITS') event.waitUntil(expireShared());
});

/** As far as the browser lets this worker live; the page and the next start look at the time as well. */
async function expireShared(): Promise<void> {
  await delay(sharedTextLifetime);
  const shared = await peekShared(Date.now());
  if (shared === undefined) await dropShared();
}

/** A worker's policy is that of its own response: what comes from the cache carries it, whatever the server sent. */
function withPolicy(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of verifierHeaders) headers.set(name, value);
  return new Response(response.body, {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
}

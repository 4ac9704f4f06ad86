import {
  PrecacheStrategy,
  addPlugins,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

import { keepShare, peekWaiting } from '#adapters/browser/waiting-files';
import { verifierHeaders } from '#core/site/content-security-policy';
import { isForeignShare } from '#core/site/share-rule';

declare const self: ServiceWorkerGlobalScope;

/** The part of a service worker's static routing that is used here; TypeScript's library does not have it yet. */
interface RoutableInstallEvent extends ExtendableEvent {
  addRoutes(rule: {
    readonly condition: { readonly requestDestination: RequestDestination };
    readonly source: { readonly cacheName: string };
  }): Promise<void>;
}

// Only the shell is cached, when the worker is installed.
addPlugins([{ handlerWillRespond: ({ response }) => Promise.resolve(withPolicy(response)) }]);
precacheAndRoute(self.__WB_MANIFEST, { ignoreURLParametersMatching: [] });
self.addEventListener('install', (event) => {
  // Browsers that can read the style sheet from the cache without running this worker.
  if ('addRoutes' in event)
    event.waitUntil(
      (event as RoutableInstallEvent).addRoutes({
        condition: { requestDestination: 'style' },
        source: { cacheName: new PrecacheStrategy().cacheName },
      }),
    );
});
registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html')));

registerRoute(
  ({ url }) => url.href === new URL('share-target', self.registration.scope).href,
  async ({ request }) => {
    const sender = { origin: request.headers.get('origin'), referrer: request.referrer };
    if (isForeignShare(sender, self.location.origin))
      return new Response('Forbidden', { status: 403 });
    // The page shows shared content as inert text first, so it is not read here.
    await keepShare(request, Date.now()).catch(() => undefined);
    return Response.redirect('./', 303);
  },
  'POST',
);

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), peekWaiting(Date.now())]));
});

self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: unknown };
  // A new version starts only when the agent asks for it.
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting());
});

/** Adds the policy to a cached response, since a worker takes its policy from its own response. */
function withPolicy(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of verifierHeaders) headers.set(name, value);
  return new Response(response.body, {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
}

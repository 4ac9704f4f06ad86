import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

import {
  keepShare,
  keepTooLargeNotice,
  peekShare,
  readShareForm,
} from '#adapters/storage/share-target';
import { verifierHeaders } from '#core/verifier/content-security-policy';
import { isForeignShare } from '#core/verifier/share-rule';

declare const self: ServiceWorkerGlobalScope;

// Only the shell is cached, at install.
addPlugins([{ handlerWillRespond: ({ response }) => Promise.resolve(withPolicy(response)) }]);
precacheAndRoute(self.__WB_MANIFEST, { ignoreURLParametersMatching: [] });
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html')));

registerRoute(
  ({ url }) => url.href === new URL('share-target', self.registration.scope).href,
  async ({ request }) => {
    const sender = { origin: request.headers.get('origin'), referrer: request.referrer };
    if (isForeignShare(sender, self.location.origin))
      return new Response('Forbidden', { status: 403 });
    // The page shows shared content as inert text first, so it is not read here.
    await storeShare(request).catch(() => undefined);
    return Response.redirect('./', 303);
  },
  'POST',
);

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), peekShare(Date.now())]));
});

self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: unknown };
  // A new version starts only when the agent asks for it.
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting());
});

async function storeShare(request: Request): Promise<void> {
  const form = await readShareForm(request);
  await (form.ok ? keepShare(form.value, Date.now()) : keepTooLargeNotice(Date.now()));
}

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

import { type Context, Hono, type MiddlewareHandler } from 'hono';

import type { SandboxEnvironment } from '#sandbox/seller/request-log';
import { type JsonObject, parseJson } from '#core/encoding/index';
import { frameworkPage, homePage } from '#sandbox/pages/layout';
import { sameSecret } from '#sandbox/gate';
import type { Base, Deployment, Endpoint, PostPlace } from '#sandbox/seller/deployments';
import type { SellerStore, StoredAccount, StoredPurchase } from '#sandbox/seller/seller-store';
import { isRecord } from '#core/record';
import { type AccountId, momentAt, type SeedItem } from '#sandbox/seed/shape';

const windowMs = 60_000;

/** How many more requests a client may make, or how long it has to wait. */
type Allowance =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/**
 * Counts requests for each client address in windows of one minute that begin with its first request.
 *
 * @param limit requests a window
 */
function createRateLimit(limit: number): (client: string, now: number) => Allowance {
  const windows = new Map<string, { readonly began: number; count: number }>();
  return (client, now) => {
    let window = windows.get(client);
    if (window === undefined || now >= window.began + windowMs) {
      window = { began: now, count: 0 };
      windows.set(client, window);
    }
    if (window.count >= limit) {
      const waitMs = window.began + windowMs - now;
      return { allowed: false, retryAfterSeconds: Math.ceil(waitMs / 1000) };
    }
    window.count += 1;
    return { allowed: true, remaining: limit - window.count };
  };
}

/** The body of a 200; `undefined` stands for the spec's one error of that endpoint (section 7). */
type Answer = JsonObject | undefined;

type C = Context<SandboxEnvironment>;

/** The one error of each endpoint (spec section 7), at the status that public deployments give it. */
const errors: Readonly<Record<Endpoint, { readonly status: 401 | 404; readonly msg: string }>> = {
  account: { status: 401, msg: 'Invalid request' },
  items: { status: 404, msg: 'No items found' },
  item: { status: 404, msg: 'Item Not Found' },
  validation: { status: 404, msg: 'Invalid purchase code' },
};

/**
 * Creates the seller API of one deployment (spec section 4), to be mounted at its base address.
 *
 * Answers a wrong or missing key with each endpoint's own error, the only one that the spec shows.
 * @param now epoch milliseconds
 */
export function createSellerApi(
  deployment: Deployment,
  store: SellerStore,
  now: () => number,
): Hono<SandboxEnvironment> {
  const { account, base } = deployment;
  const shop = (c: C) => ({
    account,
    currency: store.account(account).currency,
    origin: new URL(c.req.url).origin,
  });

  const answers: Record<Endpoint, (c: C, parameters: Parameters) => Answer> = {
    account: (c) => ({ data: accountBody(store.account(account), shop(c).origin) }),

    items: (c) => {
      const items = store.items(account);
      if (items.length === 0 || (deployment.hidesOnlyItem && items.length === 1)) return undefined;
      return { items: items.map((item) => itemBody(item, shop(c))) };
    },

    item: (c, parameters) => {
      const id = parameters.get('item_id') ?? '';
      const item = /^\d{1,15}$/.test(id) ? store.item(account, Number(id)) : undefined;
      return item && { item: itemBody(item, shop(c)) };
    },

    validation: (c, parameters) => {
      const purchase = store.purchase(account, parameters.get('purchase_code') ?? '');
      const item = purchase && store.item(account, purchase.item);
      if (purchase === undefined || item === undefined) return undefined;
      const { currency } = shop(c);
      const sold = {
        item: itemBody(item, shop(c)),
        supportOff: item.supportOff === true,
        currency,
      };
      return { data: { purchase: purchaseBody(purchase, sold, now()) } };
    },
  };

  const respond =
    (endpoint: Endpoint) =>
    async (c: C): Promise<Response> => {
      const parameters = await readParameters(c, deployment);
      const allowed = sameSecret(readKey(c, deployment, parameters) ?? '', store.apiKeys()[base]);
      const answer = allowed ? answers[endpoint](c, parameters) : undefined;
      const { status, msg } = errors[endpoint];
      return answer === undefined
        ? write(c, deployment, endpoint, status, { status: 'error', msg })
        : write(c, deployment, endpoint, 200, { status: 'success', ...answer });
    };

  const api = new Hono<SandboxEnvironment>({ strict: false });
  api.get('/', (c) => c.html(homePage(deployment, store.account(account))));
  if (deployment.off) return api;
  if (deployment.turnsBrowsersAway) api.use('/api/*', turnsBrowsersAway(base));
  if (deployment.limit !== undefined) api.use('/api/*', limits(deployment.limit, now));
  api.get('/api/account/details', respond('account'));
  api.get('/api/items/all', respond('items'));
  api.get('/api/items/item', respond('item'));
  api.post('/api/purchases/validation', respond('validation'));
  for (const path of ['/api/account/details', '/api/items/all', '/api/items/item']) {
    api.all(path, (c) => c.html(frameworkPage(405), 405, { allow: 'GET, HEAD' }));
  }
  api.all('/api/purchases/validation', (c) => c.html(frameworkPage(405), 405, { allow: 'POST' }));
  return api;
}

function write(
  c: C,
  deployment: Deployment,
  endpoint: Endpoint,
  status: 200 | 401 | 404,
  reply: JsonObject,
): Response {
  const shaped = deployment.shape?.(endpoint, reply) ?? reply;
  const before = deployment.before ?? { text: '', contentType: 'application/json' };
  return c.body(before.text + JSON.stringify(shaped), status, {
    'content-type': before.contentType,
    'cache-control': 'no-cache, private',
  });
}

function turnsBrowsersAway(base: Base): MiddlewareHandler<SandboxEnvironment> {
  return async (c, next) => {
    if (/Mozilla|Chrome|Firefox|Opera|Edge/i.test(c.req.header('user-agent') ?? '')) {
      return c.redirect(`${new URL(c.req.url).origin}${base}`, 302);
    }
    await next();
    return undefined;
  };
}

function limits(limit: number, now: () => number): MiddlewareHandler<SandboxEnvironment> {
  const ask = createRateLimit(limit);
  return async (c, next) => {
    const allowance = ask(c.env.incoming.socket.remoteAddress ?? '', now());
    if (!allowance.allowed) {
      return tooManyRequests(c, allowance.retryAfterSeconds, {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
      });
    }
    await next();
    c.header('x-ratelimit-limit', String(limit));
    c.header('x-ratelimit-remaining', String(allowance.remaining));
    return undefined;
  };
}

/** Answers as public deployments do over their rate limit: 429, and the seconds to wait in `Retry-After`. */
export function tooManyRequests(
  c: Context<SandboxEnvironment>,
  retryAfterSeconds: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return c.json({ message: 'Too Many Attempts.' }, 429, {
    ...headers,
    'retry-after': String(retryAfterSeconds),
  });
}

type Parameters = ReadonlyMap<string, string>;

/** Reads the parameters of a request from the places that this deployment supports. Trims every value. */
async function readParameters(
  c: Context<SandboxEnvironment>,
  deployment: Deployment,
): Promise<Parameters> {
  const places: readonly PostPlace[] =
    c.req.method === 'POST' ? deployment.readsPostFrom : ['query'];
  const found = await Promise.all(places.map((place) => read[place](c)));
  // The first place that knows a name wins, as an earlier entry of the list is looked into first.
  return new Map(found.reverse().flat());
}

/** Reads the request's API key from the places that this deployment supports. */
function readKey(
  c: Context<SandboxEnvironment>,
  deployment: Deployment,
  parameters: Parameters,
): string | undefined {
  for (const place of deployment.readsKeyFrom) {
    const value =
      place === 'parameters'
        ? parameters.get('api_key')
        : c.req.header(place)?.replace(/^Bearer /i, '');
    if (value !== undefined) return value;
  }
  return undefined;
}

type Pairs = (readonly [string, string])[];

const read: Record<PostPlace, (c: Context<SandboxEnvironment>) => Promise<Pairs>> = {
  query: (c) => Promise.resolve(pairs(new URL(c.req.url).searchParams)),
  form: (c) => readForm(c, 'application/x-www-form-urlencoded'),
  multipart: (c) => readForm(c, 'multipart/form-data'),
  json: (c) => {
    const value =
      mediaType(c) === 'application/json'
        ? parseJson(new TextDecoder().decode(c.get('body')))
        : undefined;
    return Promise.resolve(isRecord(value) ? pairs(Object.entries(value)) : []);
  },
};

async function readForm(c: Context<SandboxEnvironment>, type: string): Promise<Pairs> {
  if (mediaType(c) !== type) return [];
  const fields = await c.req.parseBody().catch(() => ({}));
  return pairs(Object.entries(fields));
}

/** Numbers count as their digits, so that a JSON `item_id` may be either. */
function pairs(entries: Iterable<readonly [string, unknown]>): Pairs {
  return [...entries].flatMap(([name, value]): Pairs => {
    if (typeof value === 'number') return [[name, String(value)]];
    return typeof value === 'string' ? [[name, value.trim()]] : [];
  });
}

function mediaType(c: Context): string {
  return (c.req.header('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
}

/** Writes the account as `data` of account details (spec section 2, "Account"). */
function accountBody(account: StoredAccount, origin: string): JsonObject {
  const media = `${origin}/media/${account.id}`;
  return {
    name: {
      firstname: account.firstname,
      lastname: account.lastname,
      full_name: `${account.firstname} ${account.lastname}`,
    },
    username: account.username,
    email: account.email,
    balance: account.balance,
    currency: account.currency,
    profile: {
      heading: account.heading,
      description: account.description,
      contact: { email: account.contactEmail },
      social_links: { ...account.socialLinks },
      media: { avatar: `${media}/avatar.svg`, cover: `${media}/cover.svg` },
    },
    registered_at: timestamp(Date.parse(account.registeredAt)),
  };
}

/** Writes an item by the presence rules of its media (spec section 2, "Item media"). */
function itemBody(
  item: SeedItem,
  shop: { readonly account: AccountId; readonly currency: string; readonly origin: string },
): JsonObject {
  const media = `${shop.origin}/media/${shop.account}/${String(item.id)}`;
  const screenshots = Array.from(
    { length: item.screenshots ?? 0 },
    (_, index) => `${media}/screenshot-${String(index + 1)}.svg`,
  );
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    category: item.category,
    sub_category: item.subCategory,
    options: [...item.options],
    version: item.version,
    demo_link: `${shop.origin}/preview/${shop.account}/${String(item.id)}`,
    tags: [...item.tags],
    media: {
      thumbnail: `${media}/thumbnail.svg`,
      ...(item.kind === 'audio' ? {} : { preview_image: `${media}/preview.svg` }),
      ...(item.kind === 'video' ? { preview_video: `${media}/preview.webm` } : {}),
      ...(item.kind === 'audio' ? { preview_audio: `${media}/preview.wav` } : {}),
      ...(screenshots.length > 0 ? { screenshots } : {}),
    },
    price: { regular: item.regular, extended: item.extended },
    currency: shop.currency,
    published_at: timestamp(Date.parse(item.publishedAt)),
  };
}

/**
 * Writes a purchase, `supported_until` left out where support is off or was not bought (spec section 2, "Purchase").
 */
function purchaseBody(
  purchase: StoredPurchase,
  sold: { readonly item: JsonObject; readonly supportOff: boolean; readonly currency: string },
  now: number,
): JsonObject {
  const until = sold.supportOff ? undefined : purchase.supportedUntil;
  return {
    purchase_code: purchase.code,
    license_type: purchase.license,
    price: purchase.price,
    currency: sold.currency,
    item: sold.item,
    ...(until === undefined ? {} : { supported_until: timestamp(momentAt(until, now)) }),
    downloaded: purchase.downloaded,
    date: timestamp(momentAt(purchase.bought, now)),
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

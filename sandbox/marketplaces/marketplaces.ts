import { randomBytes } from 'node:crypto';

import { type Context, Hono, type MiddlewareHandler } from 'hono';

import { dayMs } from '#core/time/units';
import {
  type MarketplaceBase,
  marketplaceBases,
  marketplaceCodes,
  ownStore,
} from '#sandbox/marketplaces/codes';
import { injectFault, type PendingFaults, takeFault } from '#sandbox/seller/faults';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';

/**
 * Names the tokens of each marketplace. `limited` lacks the permission that a code is looked up with; `nameless` may look a code up,
 * and may not tell whose account it is.
 */
const tokenKinds = {
  '/envato': ['whole', 'limited', 'nameless'],
  '/gumroad': ['whole', 'limited'],
  '/lemon-squeezy': ['whole'],
} as const satisfies Readonly<Record<MarketplaceBase, readonly string[]>>;

/** Holds the tokens of the emulated marketplaces; random, and new at every start. */
export type AllTokens = {
  readonly [B in MarketplaceBase]: Readonly<Record<(typeof tokenKinds)[B][number], string>>;
};

type C = Context<SandboxEnvironment>;

/** Makes the tokens of one run. */
export function createTokens(): AllTokens {
  const tokensOf = (base: MarketplaceBase): Readonly<Record<string, string>> =>
    Object.fromEntries(tokenKinds[base].map((kind) => [kind, randomBytes(20).toString('hex')]));
  return Object.fromEntries(marketplaceBases.map((base) => [base, tokensOf(base)])) as AllTokens;
}

/**
 * Emulates the marketplaces that have an API of their own, each below its path, in their own shapes and with their own errors, as
 * far as their documentation and the source of open clients tell (docs/marketplaces.md).
 * @param now returns epoch milliseconds
 */
export function createMarketplaces(
  tokens: AllTokens,
  faults: PendingFaults,
  now: () => number,
): Hono<SandboxEnvironment> {
  const app = new Hono<SandboxEnvironment>();
  for (const base of marketplaceBases) app.use(`${base}/*`, injecting(base, faults));
  app.route('/envato', envato(tokens['/envato'], now));
  app.route('/gumroad', gumroad(tokens['/gumroad'], now));
  app.route('/lemon-squeezy', lemonSqueezy(tokens['/lemon-squeezy'], now));
  return app;
}

/** Injects the pending faults of a base address; each of them counts whatever is asked. */
function injecting(
  base: MarketplaceBase,
  faults: PendingFaults,
): MiddlewareHandler<SandboxEnvironment> {
  return async (c, next) => {
    const command = takeFault(faults, base, 'validation');
    if (command === undefined) {
      await next();
      return undefined;
    }
    if (command.fault !== 'too-many-429') return injectFault(c, next, command);
    return c.json({ error: 429, description: 'Rate limit exceeded' }, 429, {
      'retry-after': String(command.retryAfter),
    });
  };
}

function tokenOf(c: C): string | undefined {
  return /^Bearer (\S+)$/u.exec(c.req.header('authorization') ?? '')?.[1];
}

function moment(at: number): string {
  return new Date(at).toISOString();
}

const themeItem = {
  id: 17_022_701,
  name: 'Lighthouse',
  number_of_sales: 412,
  author_username: 'fenwick',
  author_url: 'https://themeforest.example/user/fenwick',
  url: 'https://themeforest.example/item/lighthouse/17022701',
  updated_at: '2026-05-02T15:57:41+11:00',
  description: 'A theme for harbours.',
  site: 'themeforest.net',
  classification: 'wordpress/creative',
  price_cents: 5900,
  rating: 4.8,
  rating_count: 120,
  published_at: '2021-07-13T19:07:03+10:00',
  trending: false,
  tags: ['harbour', 'theme'],
  wordpress_theme_metadata: { theme_name: 'Lighthouse', author_name: 'Fenwick', version: '3.1.0' },
  previews: {
    icon_with_landscape_preview: {
      icon_url: 'https://img.example/i.png',
      landscape_url: 'https://img.example/l.png',
    },
    live_site: { href: '/item/lighthouse/full_screen_preview/17022701' },
  },
};

/** Emulates the API of Envato Market. It answers 401 to a missing token and 403 to a wrong one or one without the permission. */
function envato(tokens: AllTokens['/envato'], now: () => number): Hono<SandboxEnvironment> {
  const codes = marketplaceCodes['/envato'];
  const supportEnds = new Map<string, number | null>([
    [codes.supported, 120 * dayMs],
    [codes.lapsed, -70 * dayMs],
    [codes.noSupport, null],
    [codes.guest, 30 * dayMs],
  ]);
  const app = new Hono<SandboxEnvironment>();
  app.use(async (c, next) => {
    const token = tokenOf(c);
    if (token === undefined)
      return c.json({ error: 'invalid_request', error_description: 'Missing token' }, 401);
    if (!Object.values<string>(tokens).includes(token))
      return c.json({ error: 'invalid_token', error_description: 'The token is invalid' }, 403);
    await next();
    return undefined;
  });
  app.get('/v1/market/private/user/username.json', (c) =>
    tokenOf(c) === tokens.nameless
      ? c.json({ error: 'forbidden', description: 'No permission for the username' }, 403)
      : c.json({ username: 'fenwick' }),
  );
  app.get('/v1/market/private/user/email.json', (c) =>
    c.json({ error: 'forbidden', description: 'No permission for the email address' }, 403),
  );
  app.get('/v1/market/private/user/account.json', (c) =>
    c.json({
      account: {
        image: 'https://img.example/fenwick.png',
        firstname: 'Ada',
        surname: 'Fenwick',
        available_earnings: '310.40',
        total_deposits: '0.00',
        balance: '310.40',
        country: 'Denmark',
      },
    }),
  );
  app.get('/v1/discovery/search/search/item', (c) =>
    c.json({
      took: 3,
      matches: c.req.query('username') === 'fenwick' ? [themeItem] : [],
      total_hits: 1,
      links: { next_page_url: null },
    }),
  );
  app.get('/v3/market/catalog/item', (c) =>
    c.req.query('id') === String(themeItem.id)
      ? c.json(themeItem)
      : c.json({ error: 404, description: 'No item was found with that id' }, 404),
  );
  app.get('/v3/market/author/sale', (c) => {
    if (tokenOf(c) === tokens.limited)
      return c.json(
        { error: 'forbidden', description: 'The token lacks the permission to view sales' },
        403,
      );
    const code = c.req.query('code') ?? '';
    const ends = supportEnds.get(code);
    if (ends === undefined)
      return c.json(
        {
          error: 404,
          description: 'No sale belonging to the current user found with that code',
        },
        404,
      );
    return c.json({
      amount: '41.30',
      sold_at: moment(now() - 245 * dayMs),
      license: 'Regular License',
      support_amount: ends === null ? '0.00' : '8.25',
      supported_until: ends === null ? null : moment(now() + ends),
      item: themeItem,
      buyer: code === codes.guest ? null : 'harbourmaster',
      purchase_count: 1,
    });
  });
  return app;
}

const products = [
  { id: 'A-m3CDDC5dlrSdKZp0RFhA==', name: 'Brush pack' },
  { id: 'kL0psVL2admJSYRNs-OCMg==', name: 'Field recorder' },
].map((product) => ({
  ...product,
  description: 'Made by hand.',
  short_url: 'https://shop.gumroad.example/l/pack',
  thumbnail_url: 'https://img.example/t.png',
  preview_url: null,
  price: 1200,
  currency: 'usd',
  formatted_price: '$12',
  published: true,
  tags: ['brushes'],
}));

/** Emulates the API of Gumroad. The verification of a license asks for no token and counts a use unless it is told not to. */
function gumroad(tokens: AllTokens['/gumroad'], now: () => number): Hono<SandboxEnvironment> {
  const codes = marketplaceCodes['/gumroad'];
  const subscription = (end: Readonly<Record<string, string>>): object => ({
    subscription_id: 'sub-1',
    subscription_ended_at: null,
    subscription_cancelled_at: null,
    subscription_failed_at: null,
    ...end,
  });
  const oneOff = { refunded: false, disputed: false, dispute_won: false, chargebacked: false };
  const said = new Map<string, object>([
    [codes.genuine, oneOff],
    [codes.secondProduct, oneOff],
    [codes.refunded, { ...oneOff, refunded: true }],
    [codes.disputed, { ...oneOff, disputed: true }],
    [codes.chargedBack, { ...oneOff, disputed: true, chargebacked: true }],
    [codes.disabled, oneOff],
    [codes.ended, subscription({ subscription_ended_at: moment(now() - 9 * dayMs) })],
    [codes.cancelled, subscription({ subscription_cancelled_at: moment(now() + 9 * dayMs) })],
    [codes.test, { ...oneOff, test: true }],
  ]);
  const uses = new Map<string, number>();
  const app = new Hono<SandboxEnvironment>();
  app.use('/v2/*', async (c, next) => {
    if (c.req.path.endsWith('/v2/licenses/verify')) {
      await next();
      return undefined;
    }
    const token = tokenOf(c);
    // A refused token is answered in a header, with an empty body.
    if (token !== tokens.whole && token !== tokens.limited) return c.body(null, 401);
    if (token === tokens.limited) return c.body(null, 403);
    await next();
    return undefined;
  });
  app.get('/v2/user', (c) =>
    c.json({
      success: true,
      user: {
        name: 'Ada Fenwick',
        user_id: 'G_-mnBf9b1j9A7a4ub4nFQ==',
        currency_type: 'usd',
        email: 'ada@fenwick.example',
      },
    }),
  );
  app.get('/v2/products', (c) => {
    // One product a page, so that a second page is asked for.
    const page = c.req.query('page_key') === undefined ? 0 : 1;
    return c.json({
      success: true,
      products: [products[page]],
      ...(page === 0 && {
        next_page_key: '20260101-1',
        next_page_url: '/v2/products?page_key=20260101-1',
      }),
    });
  });
  app.get('/v2/products/:id', (c) => {
    const product = products.find(({ id }) => id === c.req.param('id'));
    return c.json(
      product === undefined
        ? { success: false, message: 'The product was not found.' }
        : { success: true, product },
    );
  });
  app.post('/v2/licenses/verify', async (c) => {
    const form = await c.req.parseBody();
    const text = (name: string): string => (typeof form[name] === 'string' ? form[name] : '');
    const [key, productId] = [text('license_key'), text('product_id')];
    const facts = said.get(key);
    const [first, second] = products;
    const product = key === codes.secondProduct ? second : first;
    if (facts === undefined || product?.id !== productId)
      return c.json(
        { success: false, message: 'That license does not exist for the provided product.' },
        404,
      );
    if (key === codes.disabled)
      return c.json({ success: false, message: 'This license key has been disabled.' }, 404);
    if (text('increment_uses_count') !== 'false') uses.set(key, (uses.get(key) ?? 3) + 1);
    return c.json({
      success: true,
      uses: uses.get(key) ?? 3,
      purchase: {
        seller_id: 'G_-mnBf9b1j9A7a4ub4nFQ==',
        product_id: product.id,
        product_name: product.name,
        permalink: 'pack',
        email: 'buyer@harbour.example',
        full_name: 'Jo Marlin',
        price: 1200,
        currency: 'usd',
        quantity: 1,
        order_number: 524_459_935,
        sale_id: 'FO8TXN-dbxYaBdahG97Y-Q==',
        sale_timestamp: moment(now() - 40 * dayMs),
        license_key: key,
        variants: '(Studio)',
        custom_fields: {},
        ...facts,
      },
    });
  });
  return app;
}

/** Emulates the License API of Lemon Squeezy, which asks for no key, and the products and the user of its main API. */
function lemonSqueezy(
  tokens: AllTokens['/lemon-squeezy'],
  now: () => number,
): Hono<SandboxEnvironment> {
  const codes = marketplaceCodes['/lemon-squeezy'];
  const known = new Map<string, object>([
    [codes.active, { status: 'active', activation_usage: 2 }],
    [codes.inactive, { status: 'inactive' }],
    [codes.expired, { status: 'expired', expires_at: moment(now() - 12 * dayMs) }],
    [codes.disabled, { status: 'disabled' }],
    [codes.test, { status: 'active', test_mode: true }],
    [codes.otherStore, { status: 'active' }],
  ]);
  const product = {
    type: 'products',
    id: '64',
    attributes: {
      store_id: Number(ownStore),
      name: 'Ledgerline',
      slug: 'ledgerline',
      description: '<p>Keeps books.</p>',
      status: 'published',
      thumb_url: 'https://img.example/t.png',
      large_thumb_url: 'https://img.example/l.png',
      price: 4900,
      buy_now_url: 'https://fenwick.lemonsqueezy.example/buy/1',
      created_at: '2025-01-24T14:15:07.000000Z',
      updated_at: '2026-01-24T14:15:07.000000Z',
      test_mode: false,
    },
  };
  const app = new Hono<SandboxEnvironment>();
  app.use('/v1/*', async (c, next) => {
    const isOpen = c.req.path.includes('/v1/licenses/');
    if (!isOpen && tokenOf(c) !== tokens.whole) return c.json({ message: 'Unauthenticated.' }, 401);
    await next();
    return undefined;
  });
  app.get('/v1/users/me', (c) =>
    c.json({
      data: {
        type: 'users',
        id: '1',
        attributes: {
          name: 'Ada Fenwick',
          email: 'ada@fenwick.example',
          avatar_url: 'https://img.example/ada.png',
          created_at: '2024-05-24T14:08:31.000000Z',
        },
      },
    }),
  );
  app.get('/v1/products', (c) =>
    c.json({
      meta: { page: { currentPage: 1, from: 1, lastPage: 1, perPage: 100, to: 1, total: 1 } },
      data: c.req.query('filter[store_id]') === ownStore ? [product] : [],
    }),
  );
  app.get('/v1/products/:id', (c) =>
    c.req.param('id') === product.id
      ? c.json({ data: product })
      : c.json(
          { errors: [{ detail: 'The specified product was not found.', status: '404' }] },
          404,
        ),
  );
  app.post('/v1/licenses/validate', async (c) => {
    const form = await c.req.parseBody();
    const asked = typeof form['license_key'] === 'string' ? form['license_key'] : '';
    const key = asked.toUpperCase();
    const facts = known.get(key);
    if (facts === undefined)
      return c.json(
        { valid: false, error: 'license_key not found.', license_key: null, meta: null },
        404,
      );
    const isUsable = key !== codes.expired && key !== codes.disabled;
    return c.json(
      {
        valid: isUsable,
        error: isUsable ? null : 'This license key is not valid any more.',
        license_key: {
          id: 1,
          key,
          activation_limit: 5,
          activation_usage: 0,
          created_at: moment(now() - 200 * dayMs),
          expires_at: null,
          test_mode: false,
          ...facts,
        },
        instance: null,
        meta: {
          store_id: key === codes.otherStore ? 815 : Number(ownStore),
          order_id: 2,
          order_item_id: 3,
          product_id: Number(product.id),
          product_name: product.attributes.name,
          variant_id: 5,
          variant_name: 'Team',
          customer_id: 6,
          customer_name: 'Jo Marlin',
          customer_email: 'buyer@harbour.example',
        },
      },
      isUsable ? 200 : 400,
    );
  });
  return app;
}

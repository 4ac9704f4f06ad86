import { Hono } from 'hono';

import { dayMs, minuteMs } from '#core/time/index';
import { type Emulation, moment, tokenOf } from '#sandbox/marketplaces/emulation';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';

/** The codes of the seeded purchases, by situation. */
export const codes = {
  supported: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7e01',
  lapsed: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7e02',
  noSupport: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7e03',
  guest: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7e04',
  unknown: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7eff',
  unknownAt200: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7efe',
  malformed: '7c1f9a52-6c0e-4a5d-9f5b-2d1f6f1a7e0',
};

/** The permissions of each kind of token, named as `GET /whoami` names them. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  whole: ['default', 'user:username', 'user:account', 'sale:history'],
  limited: ['default', 'user:username', 'user:account'],
  nameless: ['default', 'user:account', 'sale:history'],
  many: ['default', 'user:username', 'user:account', 'sale:history'],
};

/** The scope that a path needs. */
const needed: Readonly<Record<string, string>> = {
  '/v1/market/private/user/username.json': 'user:username',
  '/v1/market/private/user/email.json': 'user:email',
  '/v1/market/private/user/account.json': 'user:account',
  '/v3/market/author/sale': 'sale:history',
};

/** How many requests the service counts to a token in a minute; no test sends as many. */
const perMinute = 6000;

const theme = {
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
  attributes: [{ name: 'demo-url', value: 'https://demo.fenwick.example/lighthouse' }],
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

/** An entry of the catalogue has 15.6 kB on average, most of it text: a page of 100 is larger than 1 MiB. */
const entryBytes = 15_600;
const manyThemes = Array.from({ length: 130 }, (_, index) => ({
  ...theme,
  id: theme.id + 1 + index,
  name: `Lighthouse ${String(index + 1)}`,
  author_username: 'fenwick-many',
  description: 'A theme for harbours. '.repeat(Math.ceil(entryBytes / 22)),
}));

const noSale = {
  error: 404,
  description: 'No sale belonging to the current user found with that code',
};
const denied = { error: 'access_denied', error_description: 'Wrong authorization header' };

/**
 * Emulates the API of Envato Market. A wrong token and one without the permission get the same 403; a malformed code
 * gets 422, and some unknown codes got their 404 in the body of a 200.
 */
export const emulation: Emulation<keyof typeof codes> = {
  title: 'Envato Market',
  knowsSupport: true,
  codes,
  situations: {
    supported: 'Supported',
    lapsed: 'Support lapsed long ago',
    noSupport: 'Bought without support',
    guest: 'Bought by a guest, supported',
    unknown: 'No such purchase',
    unknownAt200: 'No such purchase, told with a status of 200',
    malformed: 'A character is missing',
  },
  tokens: {
    whole: 'API key',
    limited: 'API key without the permission to look a code up',
    nameless: 'API key without the permission to tell the account',
    many: 'API key of an account with 130 items of 15.6 kB',
  },
  app: (kindOf, now) => {
    const supportEnds = new Map<string, number | null>([
      [codes.supported, 120 * dayMs],
      [codes.lapsed, -70 * dayMs],
      [codes.noSupport, null],
      [codes.guest, 30 * dayMs],
    ]);
    const counted = new Map<string, number>();
    const app = new Hono<SandboxEnvironment>();
    app.use(async (c, next) => {
      const token = tokenOf(c);
      if (token === undefined) return c.json({ message: 'Unauthorized' }, 401);
      const kind = kindOf(c);
      if (kind === undefined) return c.json(denied, 403);
      const scope = needed[c.req.path.replace(/^\/envato/u, '')];
      const minute = `${token} ${String(Math.floor(now() / minuteMs))}`;
      counted.set(minute, (counted.get(minute) ?? 0) + 1);
      c.header('X-Ratelimit-Total', String(perMinute));
      c.header('X-Ratelimit-Remaining', String(perMinute - (counted.get(minute) ?? 0)));
      if (scope !== undefined && !scopes[kind]?.includes(scope)) return c.json(denied, 403);
      await next();
      return undefined;
    });
    app.get('/whoami', (c) =>
      c.json({ userId: 1_201_034, scopes: scopes[kindOf(c) ?? ''], clientId: null, ttl: 0 }),
    );
    app.get('/v1/market/private/user/username.json', (c) =>
      c.json({ username: kindOf(c) === 'many' ? 'fenwick-many' : 'fenwick' }),
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
    app.get('/v1/discovery/search/search/item', (c) => {
      const all = [theme, ...manyThemes].filter(
        ({ author_username: name }) => name === c.req.query('username'),
      );
      const size = Math.min(100, Number(c.req.query('page_size') ?? 30));
      const from = (Number(c.req.query('page') ?? 1) - 1) * size;
      return c.json({
        took: 3,
        matches: all.slice(from, from + size),
        item: null,
        timed_out: false,
        total_hits: all.length,
        links: { next_page_url: null },
        author_exists: all.length > 0,
        aggregations: {},
        suggestions: [],
      });
    });
    app.get('/v3/market/catalog/item', (c) => {
      const item = [theme, ...manyThemes].find(({ id }) => String(id) === c.req.query('id'));
      return item === undefined ? c.json({ error: 404 }, 404) : c.json(item);
    });
    app.get('/v3/market/author/sale', (c) => {
      const code = c.req.query('code') ?? '';
      if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(code))
        return c.json({ error: 422, description: 'Unprocessable Entity' }, 422);
      const ends = supportEnds.get(code);
      if (ends === undefined) return c.json(noSale, code === codes.unknownAt200 ? 200 : 404);
      return c.json({
        amount: '41.30',
        sold_at: moment(now() - 245 * dayMs),
        license: 'Regular License',
        support_amount: ends === null ? '0.00' : '8.25',
        supported_until: ends === null ? null : moment(now() + ends),
        item: theme,
        buyer: code === codes.guest ? null : 'harbourmaster',
        purchase_count: 1,
      });
    });
    return app;
  },
};

import { Hono } from 'hono';

import { isRecord } from '#core/record';
import { dayMs } from '#core/time/index';
import { type C, type Emulation, moment, tokenOf } from '#sandbox/marketplaces/emulation';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';

const suffix = '-0A5C-4E0F-9B1D-6F2C8E7A4D';

/** The codes of the seeded purchases, by situation. */
export const codes = {
  granted: `TIDE-7C21B0E4${suffix}01`,
  revoked: `TIDE-7C21B0E4${suffix}02`,
  disabled: `TIDE-7C21B0E4${suffix}03`,
  expired: `TIDE-7C21B0E4${suffix}04`,
  runsOut: `TIDE-7C21B0E4${suffix}05`,
  limited: `TIDE-7C21B0E4${suffix}06`,
  refunded: `TIDE-7C21B0E4${suffix}07`,
  partlyRefunded: `TIDE-7C21B0E4${suffix}08`,
  withoutOrder: `TIDE-7C21B0E4${suffix}09`,
  otherOrganization: `TIDE-7C21B0E4${suffix}0A`,
  unknown: `TIDE-7C21B0E4${suffix}FF`,
};

/** The account’s own organization. */
export const store = '3f9a52c4-6d0b-4a57-8f21-0c6c9d1e7b55';
const benefit = '8d4c7a10-52f3-4b6e-9a0d-71e2c5b83f46';
const product = {
  id: 'b51e0c77-4a86-4d39-a2f0-5e9b61c3d870',
  name: 'Tideline',
  description: 'Charts tides.',
  is_recurring: false,
  is_archived: false,
  organization_id: store,
  created_at: '2025-03-11T08:20:00Z',
};

const notFound = (c: C, detail = 'Not found'): Response =>
  c.json({ error: 'ResourceNotFound', detail }, 404);
const pageOf = (items: readonly object[]): object => ({
  items,
  pagination: { total_count: items.length, max_page: 1 },
});
const isUuid = (text: unknown): boolean =>
  typeof text === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(text);

/** The customer of a key by the end of its code. */
const customerOf = (code: string): string => `c0ffee00-0000-4000-8000-0000000000${code.slice(-2)}`;

function keyAt(code: string, now: number): object {
  const more: Readonly<Record<string, object>> = {
    [codes.runsOut]: { expires_at: moment(now + 90 * dayMs) },
    [codes.limited]: { usage: 40, limit_usage: 100, limit_activations: 3 },
  };
  return {
    id: `11aa22bb-0000-4000-8000-0000000000${code.slice(-2)}`,
    created_at: moment(now - 200 * dayMs),
    modified_at: null,
    organization_id: store,
    customer_id: customerOf(code),
    customer: {
      id: customerOf(code),
      email: 'buyer@harbour.example',
      name: 'Jo Marlin',
      organization_id: store,
    },
    benefit_id: benefit,
    key: code,
    display_key: `****-${code.slice(-6)}`,
    status: 'granted',
    limit_activations: null,
    usage: 0,
    limit_usage: null,
    validations: 12,
    last_validated_at: moment(now - dayMs),
    expires_at: null,
    activation: null,
    ...more[code],
  };
}

function orderAt(code: string, now: number): object {
  const more: Readonly<Record<string, object>> = {
    [codes.refunded]: { status: 'refunded', refunded_amount: 3900 },
    [codes.partlyRefunded]: { status: 'partially_refunded', refunded_amount: 1000 },
  };
  return {
    id: `22bb33cc-0000-4000-8000-0000000000${code.slice(-2)}`,
    created_at: moment(now - 200 * dayMs),
    status: 'paid',
    paid: true,
    subtotal_amount: 3900,
    discount_amount: 0,
    net_amount: 3900,
    tax_amount: 0,
    total_amount: 3900,
    refunded_amount: 0,
    currency: 'usd',
    billing_reason: 'purchase',
    billing_name: 'Jo Marlin',
    billing_address: { country: 'DK', line1: 'Pier 4' },
    customer_id: customerOf(code),
    product_id: product.id,
    product,
    ...more[code],
  };
}

/** Scopes by path, and the kinds of token that lack them. */
const lacking: Readonly<Record<string, string>> = {
  limited: '/v1/orders',
  nameless: '/v1/organizations',
};

/**
 * Emulates the parts of Polar that we use: the check of a key, which needs no API key, and its main API. The server
 * ignores a trailing slash of a path.
 */
export const emulation: Emulation<keyof typeof codes> = {
  title: 'Polar',
  codes,
  situations: {
    granted: 'Granted',
    revoked: 'Revoked',
    disabled: 'Disabled',
    expired: 'Expired',
    runsOut: 'Granted, runs out in 90 days',
    limited: 'Granted, 40 of 100 uses',
    refunded: 'Granted, its order refunded',
    partlyRefunded: 'Granted, its order refunded in part',
    withoutOrder: 'Granted without an order',
    otherOrganization: 'Of another organization',
    unknown: 'No such purchase',
  },
  tokens: {
    whole: 'Organization access token',
    limited: 'Without orders:read',
    nameless: 'Without organizations:read',
  },
  store,
  app: (kindOf, now) => {
    const app = new Hono<SandboxEnvironment>();
    app.use('/v1/*', async (c, next) => {
      if (!c.req.path.includes('/customer-portal/')) {
        const kind = kindOf(c);
        if (kind === undefined) {
          const error_description =
            tokenOf(c) === undefined
              ? 'The request is missing an access token.'
              : 'The access token provided is expired, revoked, malformed, or invalid for other reasons.';
          return c.json({ error: 'invalid_token', error_description }, 401);
        }
        const lacks = lacking[kind];
        if (lacks !== undefined && c.req.path.includes(lacks))
          return c.json(
            {
              error: 'insufficient_scope',
              error_description:
                'The request requires higher privileges than provided by the access token.',
            },
            403,
          );
      }
      await next();
      return undefined;
    });
    app.get('/v1/organizations', (c) =>
      c.json(
        pageOf([
          {
            id: store,
            name: 'Fenwick',
            slug: 'fenwick',
            avatar_url: 'https://img.example/fenwick.png',
            email: 'ada@fenwick.example',
            created_at: '2024-05-24T14:08:31Z',
          },
        ]),
      ),
    );
    app.get('/v1/products', (c) => {
      const { organization_id: own = store, benefit_id: granted = benefit } = c.req.query();
      return c.json(pageOf(own === store && granted === benefit ? [product] : []));
    });
    app.get('/v1/products/:id', (c) => {
      const id = c.req.param('id');
      if (!isUuid(id))
        return c.json({ error: 'RequestValidationError', detail: [{ loc: ['path', 'id'] }] }, 422);
      return id === product.id ? c.json(product) : notFound(c);
    });
    app.get('/v1/orders', (c) => {
      const customer = c.req.query('customer_id');
      const known = Object.values(codes).filter((code) => code !== codes.withoutOrder);
      return c.json(
        pageOf(
          known.filter((code) => customerOf(code) === customer).map((code) => orderAt(code, now())),
        ),
      );
    });
    app.post('/v1/customer-portal/license-keys/validate', async (c) => {
      const sent: unknown = await c.req.json().catch(() => undefined);
      const { key, organization_id: own } = isRecord(sent) ? sent : {};
      if (typeof key !== 'string' || !isUuid(own))
        return c.json(
          { error: 'RequestValidationError', detail: [{ loc: ['body', 'organization_id'] }] },
          422,
        );
      const known = Object.values(codes).includes(key) && key !== codes.unknown;
      if (!known || key === codes.otherOrganization || own !== store) return notFound(c);
      if (key === codes.revoked || key === codes.disabled)
        return notFound(c, 'License key is no longer active.');
      if (key === codes.expired) return notFound(c, 'License key has expired.');
      return c.json(keyAt(key, now()));
    });
    return app;
  },
};

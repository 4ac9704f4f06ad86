import { Hono } from 'hono';

import { dayMs } from '#core/time/index';
import { type C, type Emulation, moment } from '#sandbox/marketplaces/emulation';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';

const begin = 'sk_G7q%^+WtOy;Pa78[6M~xL:z#Ke4';

/** The codes of the seeded purchases, by situation. */
export const codes = {
  genuine: `${begin}01`,
  unlimited: `${begin}02`,
  blocked: `${begin}03`,
  unblocked: `${begin}04`,
  cancelled: `${begin}05`,
  refunded: `${begin}06`,
  partlyRefunded: `${begin}07`,
  disputed: `${begin}08`,
  chargedBack: `${begin}09`,
  sandbox: `${begin}10`,
  given: `${begin}11`,
  oddCharacters: `sk_2&amp-Q<b"r>'?K|t=\\9(u)$w{Z}!`,
  unknown: `${begin}99`,
};

/** Numbers the account’s own product. */
export const store = '4711';
const product = {
  id: store,
  title: 'Anchorline',
  slug: 'anchorline',
  created: '2024-05-24 14:08:31',
  icon: 'https://img.example/anchorline.png',
  public_key: 'pk_8d4c7a1052f34b6e9a0d71e2c5b83',
  secret_key: 'sk_e90b1d6f2c8e7a4d7c21b0e40a5c4',
};
const plan = '9';
const planTitle = 'Professional';

/** Writes a moment as Freemius does, in UTC. */
const stamp = (at: number): string => moment(at).slice(0, 19).replace('T', ' ');

const numberOf = (code: string): number => Object.values(codes).indexOf(code) + 1;
const userOf = (code: string): string => String(7000 + numberOf(code));
const licenseOf = (code: string): string => String(3000 + numberOf(code));

function licenseAt(code: string, now: number): object {
  const more: Readonly<Record<string, object>> = {
    [codes.unlimited]: { quota: null, expiration: null },
    [codes.blocked]: { expiration: stamp(now - 40 * dayMs) },
    [codes.unblocked]: { expiration: stamp(now - 40 * dayMs), is_block_features: false },
    [codes.cancelled]: { is_cancelled: true },
    [codes.refunded]: { plan_id: '8' },
    [codes.sandbox]: { environment: 1 },
    [codes.given]: { user_id: null, expiration: null },
  };
  return {
    id: licenseOf(code),
    plugin_id: store,
    user_id: userOf(code),
    plan_id: plan,
    pricing_id: '12',
    quota: 5,
    activated: 2,
    activated_local: 1,
    expiration: stamp(now + 90 * dayMs),
    secret_key: code,
    is_free_localhost: true,
    is_block_features: true,
    is_cancelled: false,
    is_whitelabeled: false,
    environment: 0,
    source: 0,
    created: stamp(now - 275 * dayMs),
    updated: null,
    ...more[code],
  };
}

function paymentsAt(code: string, now: number): readonly object[] {
  const id = numberOf(code) * 100;
  const payment = {
    id: String(id),
    license_id: licenseOf(code),
    user_id: userOf(code),
    plugin_id: store,
    plan_id: plan,
    type: 'payment',
    gross: 79,
    vat: 0,
    currency: 'usd',
    gateway: 'stripe',
    is_renewal: false,
    ip: '192.0.2.7',
    created: stamp(now - 275 * dayMs),
    email: 'buyer@harbour.example',
    plan_name: 'professional',
  };
  const bound = (type: string, gross = -79): object => ({
    ...payment,
    id: String(id + 1),
    type,
    gross,
    bound_payment_id: payment.id,
    created: stamp(now - 270 * dayMs),
  });
  const later: Readonly<Record<string, readonly object[]>> = {
    [codes.refunded]: [bound('refund')],
    [codes.partlyRefunded]: [bound('refund', -20)],
    [codes.disputed]: [bound('disputed')],
    [codes.chargedBack]: [bound('disputed'), bound('lost_dispute')],
  };
  // The customer has other payments, so that this license's is on the second page.
  const others = Array.from({ length: 50 }, (_, at) => ({
    ...payment,
    id: String(90_000 + at),
    license_id: '1',
  }));
  return code === codes.genuine ? [...others, payment] : [payment, ...(later[code] ?? [])];
}

/** Returns the fields that a request names, or all of them if it names none. */
function selected(c: C, entity: object): object {
  const fields = c.req.query('fields')?.split(',');
  return Object.fromEntries(
    Object.entries(entity).filter(([name]) => fields?.includes(name) !== false),
  );
}

function pageOf(c: C, entries: readonly object[]): readonly object[] {
  const { count = '25', offset = '0' } = c.req.query();
  const page = entries.slice(Number(offset), Number(offset) + Math.min(50, Number(count)));
  return page.map((one) => selected(c, one));
}

function refuse(c: C, status: 401 | 404, type: string, code: string, message: string): Response {
  const error = { type, message, code, http: status, timestamp: new Date().toUTCString() };
  return c.json({ path: c.req.path, error, request: c.req.query() }, status);
}

/**
 * Emulates what we ask of Freemius below a product. Fields are those of its published OpenAPI document: the schemas
 * `License`, `Plugin`, `Plan`, `Payment` and `ApiError` of `licenses/list`, `products/retrieve`, `plans/retrieve` and
 * `payments/list`. That document has no error texts, so these are made up.
 */
export const emulation: Emulation<keyof typeof codes> = {
  title: 'Freemius',
  codes,
  situations: {
    genuine: 'Genuine, runs out in 90 days, 2 of 5 activations',
    unlimited: 'For life, without a limit of activations',
    blocked: 'Run out, features blocked',
    unblocked: 'Run out, works on without updates and support',
    cancelled: 'Cancelled by the seller',
    refunded: 'Refunded, its plan deleted',
    partlyRefunded: 'Refunded in part',
    disputed: 'Payment disputed',
    chargedBack: 'Dispute lost',
    sandbox: 'Bought in the sandbox environment',
    given: 'Given away, nobody has it yet',
    oddCharacters: 'Genuine, odd characters in its key',
    unknown: 'No such purchase',
  },
  tokens: { whole: 'Bearer token of the product', other: 'Bearer token of another product' },
  store,
  app: (kindOf, now) => {
    const app = new Hono<SandboxEnvironment>();
    app.use('/v1/products/*', async (c, next) => {
      const id = c.req.path.split('/v1/products/')[1]?.split(/[/.]/u)[0];
      const kind = kindOf(c);
      if (kind === 'whole' && id === store) {
        await next();
        return undefined;
      }
      const message =
        kind === undefined
          ? 'The authorization header is invalid.'
          : 'The token is not allowed to access this product.';
      return refuse(c, 401, 'UnauthorizedAccess', 'unauthorized_access', message);
    });
    app.get(`/v1/products/${store}.json`, (c) => c.json(selected(c, product)));
    app.get(`/v1/products/${store}/licenses.json`, (c) => {
      const { search = '' } = c.req.query();
      const found = Object.values(codes).filter(
        (code) => code !== codes.unknown && (code.includes(search) || licenseOf(code) === search),
      );
      return c.json({
        licenses: pageOf(
          c,
          found.map((code) => licenseAt(code, now())),
        ),
      });
    });
    app.get(`/v1/products/${store}/plans/:file`, (c) =>
      c.req.param('file') === `${plan}.json`
        ? c.json(
            selected(c, { id: plan, plugin_id: store, name: 'professional', title: planTitle }),
          )
        : refuse(c, 404, 'EntityNotFound', 'plan_not_found', 'The plan was not found.'),
    );
    app.get(`/v1/products/${store}/payments.json`, (c) => {
      const user = c.req.query('search_user_id');
      const code = Object.values(codes).find((one) => userOf(one) === user);
      return c.json({ payments: code === undefined ? [] : pageOf(c, paymentsAt(code, now())) });
    });
    return app;
  },
};

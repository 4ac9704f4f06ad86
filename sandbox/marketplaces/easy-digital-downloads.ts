import { Hono } from 'hono';

import { dayMs } from '#core/time/index';
import { type C, type Emulation, moment } from '#sandbox/marketplaces/emulation';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';

const begin = '7c21b0e40a5c4e0f9b1d6f2c8e7a4d';

/** The codes of the seeded purchases, by situation. */
export const codes = {
  valid: `${begin}01`,
  inactive: `${begin}02`,
  elsewhere: `${begin}03`,
  expired: `${begin}04`,
  disabled: `${begin}05`,
  runsOut: `${begin}06`,
  wantsItem: `${begin}07`,
  expiredOfItem: `${begin}08`,
  unknown: `${begin}ff`,
};

const item = { id: 712, name: 'Harbour Forms' };
const products = [
  { info: { id: 655, slug: 'quay', title: 'Quay Gallery', thumbnail: false } },
  {
    info: {
      id: item.id,
      slug: 'harbour-forms',
      title: item.name,
      create_date: '2024-05-24 14:08:31',
      status: 'publish',
      link: 'https://shop.example/downloads/harbour-forms/',
      excerpt: 'Forms that stay afloat.',
      thumbnail: false,
    },
    pricing: { amount: '49.00' },
    licensing: { enabled: true, version: '4.1.0' },
  },
];

const statusOf: Readonly<Record<string, string>> = {
  [codes.valid]: 'valid',
  [codes.inactive]: 'inactive',
  [codes.elsewhere]: 'site_inactive',
  [codes.expired]: 'expired',
  [codes.disabled]: 'disabled',
  [codes.runsOut]: 'valid',
  [codes.wantsItem]: 'valid',
  [codes.expiredOfItem]: 'expired',
};
const wantItems = new Set([codes.wantsItem, codes.expiredOfItem]);

/** Writes a moment as WordPress does. */
const stamp = (at: number): string => moment(at).slice(0, 19).replace('T', ' ');

async function fieldsOf(c: C): Promise<Readonly<Partial<Record<string, string>>>> {
  return { ...c.req.query(), ...Object.fromEntries(new URLSearchParams(await c.req.text())) };
}

function license(code: string, id: string, now: number): object {
  const known = statusOf[code];
  const base = { item_id: id === '' ? false : Number(id), item_name: '', checksum: begin };
  if (known === undefined) return { success: false, license: 'invalid', ...base };
  const other = id !== '' && id !== String(item.id);
  const status = other
    ? 'invalid_item_id'
    : id === '' && wantItems.has(code)
      ? 'item_name_mismatch'
      : known;
  const expires: Readonly<Record<string, string>> = {
    [codes.expired]: stamp(now - 40 * dayMs),
    [codes.expiredOfItem]: stamp(now - 40 * dayMs),
    [codes.runsOut]: stamp(now + 90 * dayMs),
  };
  return {
    success: true,
    license: status,
    ...base,
    expires: expires[code] ?? 'lifetime',
    payment_id: 5000 + Number.parseInt(code.slice(-2), 16),
    customer_name: 'Jo Marlin',
    customer_email: 'buyer@harbour.example',
    license_limit: code === codes.elsewhere ? 0 : 5,
    site_count: 2,
    activations_left: code === codes.elsewhere ? 'unlimited' : 3,
    price_id: false,
  };
}

/** Emulates a shop with Easy Digital Downloads: the check of a key, and the REST API with public key and token. */
export const emulation: Emulation<keyof typeof codes> = {
  title: 'Easy Digital Downloads',
  codes,
  situations: {
    valid: 'Valid',
    inactive: 'Active nowhere',
    elsewhere: 'Active at other sites, without a limit',
    expired: 'Expired',
    disabled: 'Disabled, as after a refund',
    runsOut: 'Valid, runs out in 90 days',
    wantsItem: 'Valid, told with its item alone',
    expiredOfItem: 'Expired, told with its item alone',
    unknown: 'No such purchase',
  },
  tokens: { whole: 'Public key of a shop manager', limited: 'Without view_shop_reports' },
  app: (kindOf, now) => {
    const app = new Hono<SandboxEnvironment>();
    app.all('/', async (c) => {
      const { edd_action: action, license: code, item_id: id } = await fieldsOf(c);
      return action === 'check_license'
        ? c.json(license(code ?? '', id ?? '', now()))
        : c.html('<!doctype html><title>Harbour shop</title>');
    });
    app.all('/edd-api/v2/products', async (c) => {
      const { product, number = '10', page = '1' } = await fieldsOf(c);
      if (product === undefined) {
        const start = (Number(page) - 1) * Number(number);
        return c.json({ products: products.slice(start, start + Number(number)) });
      }
      const found = products.filter(({ info }) => String(info.id) === product);
      return c.json(
        found.length > 0 ? { products: found } : { error: `Product ${product} not found!` },
      );
    });
    app.all('/edd-api/v2/:mode', async (c) => {
      const { key = '', token = '', id } = await fieldsOf(c);
      if (key === '') return c.json({ error: 'You must specify both a token and API key!' }, 401);
      const kind = kindOf(c, token === '' ? key : `${key}:${token}`);
      if (kind === undefined) return c.json({ error: 'Invalid API key!' }, 403);
      const isWhole = kind === 'whole';
      if (c.req.param('mode') === 'info')
        return c.json({
          info: {
            integrations: { software_licensing: true },
            ...(isWhole && { permissions: { view_shop_reports: true } }),
            site: { currency: 'EUR' },
          },
        });
      if (!isWhole) return c.json({ request_speed: 0.01 });
      return c.json({
        sales: [
          {
            ID: id,
            total: 49,
            email: 'buyer@harbour.example',
            date: stamp(now() - 200 * dayMs),
            products: [{ ...item, quantity: 1, price: 49, price_name: '' }],
          },
        ],
      });
    });
    return app;
  },
};

import * as v from 'valibot';

import { correctedSpelling, sameCode } from '#core/codes/index';
import {
  askItems,
  itemIdOf,
  itemPage,
  type ItemPages,
  ownerCall,
  bareItem,
  bearerGet,
  type Body,
  buyerOf,
  completePurchase,
  licensePost,
  messageIn,
  openJson,
  onSuccess,
  pageAfter,
  readFound,
  readProblem,
  refusal,
  recordIn,
  usesOf,
  withErrorFields,
} from '#core/marketplaces/json-api';
import type { SellerRequest } from '#core/http/exchange';
import type { Fault } from '#core/marketplaces/fault';
import type {
  Complete,
  PurchaseReply,
  Reader,
  RelayRules,
  RequestAccess,
  SellerCall,
} from '#core/marketplaces/marketplace';
import { readAt, readAskedItem } from '#core/marketplaces/reply';
import type { Item, Purchase, PurchaseProblem } from '#core/marketplaces/resources';
import {
  asList,
  identifier,
  lenientFields,
  type LenientFields,
  objectOf,
  text,
} from '#core/marketplaces/wire';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { isRecord } from '#core/record';

const pageSize = '100';

function get(
  access: RequestAccess,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): SellerRequest {
  const jsonApi = 'application/vnd.api+json';
  return bearerGet(access, path, parameters, { Accept: jsonApi, 'Content-Type': jsonApi });
}

/** Reads a product of the JSON:API, whose prices are in hundredths. */
const productSchema = objectOf(
  { id: identifier, attributes: v.looseObject({ name: text }) },
  ({ id, attributes }): Item => {
    const fields = lenientFields(attributes);
    return omitUndefined({
      ...bareItem(id, attributes.name),
      description: fields.text('description'),
      demoLink: fields.link('buy_now_url'),
      media: omitUndefined({
        thumbnail: fields.link('thumb_url'),
        previewImage: fields.link('large_thumb_url'),
        screenshots: [],
      }),
      price: omitUndefined({ regular: fields.cents('price') }),
      publishedAt: fields.moment('created_at'),
    });
  },
);

const keySchema = v.looseObject({
  key: text,
  status: v.picklist(['inactive', 'active', 'expired', 'disabled']),
});
const metaSchema = v.looseObject({
  store_id: identifier,
  product_id: identifier,
  product_name: text,
});

type Status = v.InferOutput<typeof keySchema>['status'];

function problemOf(
  status: Status,
  fields: LenientFields,
  now: number,
): PurchaseProblem | undefined {
  const [isTest, from] = [fields.flag('test_mode'), fields.moment('expires_at')];
  if (status === 'disabled') return { kind: status };
  // The status decides, because our clock may be wrong.
  if (status === 'expired')
    return { kind: status, ...(from !== undefined && from <= now && { from }) };
  if (isTest === true) return { kind: 'test' };
  return from === undefined ? undefined : { kind: 'expired', from };
}

/** Asks for an order's price, in hundredths, and its refund. */
const orderCall = (id: string): SellerCall<Partial<Purchase>> => ({
  build: (access) => get(access, `/v1/orders/${encodeURIComponent(id)}`),
  read: onSuccess((body) => {
    const fields = lenientFields(recordIn(recordIn(body, 'data'), 'attributes'));
    const [total, currency] = [fields.cents('total'), fields.text('currency').toUpperCase()];
    const isRefunded = fields.flag('refunded') === true;
    const isInPart = !isRefunded && (fields.amount('refunded_amount') ?? 0) > 0;
    return succeed({
      ...(total !== undefined && currency !== '' && { price: total, currency }),
      ...(isRefunded && { problem: { kind: 'refunded' } }),
      ...(isInPart && { partlyRefunded: true }),
    });
  }),
});

/** Reads the reply about a key that the service knows; only the store shows whether the key is ours. */
function readKey(
  body: Body,
  code: string,
  store: string | undefined,
  now: number,
): Result<PurchaseReply, Fault> {
  const key = readAt(keySchema, body['license_key'], 'license_key');
  if (!key.ok) return key;
  const meta = readAt(metaSchema, body['meta'], 'meta');
  if (!meta.ok) return meta;
  if (!sameCode(key.value.key, code)) return fail({ kind: 'mismatch' });
  if (String(meta.value.store_id) !== store) return succeed({ kind: 'not-found', msg: '' });
  const { status } = key.value;
  const read = readProblem(key.value, 'license_key', (fields) => problemOf(status, fields, now));
  if (!read.ok) return read;
  const problem = read.value;
  // It is refused for a reason that the status does not show.
  if (body['valid'] === false && (problem === undefined || now < (problem.from ?? 0)))
    return fail({ kind: 'refused', msg: messageIn(body), about: 'request' });
  const about = lenientFields(meta.value);
  const fields = lenientFields(key.value);
  const variant = about.text('variant_name');
  const purchase: Purchase = omitUndefined({
    purchaseCode: key.value.key,
    licenseType: variant === 'Default' ? '' : variant,
    currency: '',
    item: bareItem(meta.value.product_id, meta.value.product_name),
    date: fields.moment('created_at'),
    problem,
    supportUnknown: true,
    buyer: buyerOf(about.text('customer_name'), about.text('customer_email')),
    uses: usesOf(fields.amount('activation_usage'), fields.amount('activation_limit')),
    testMode: fields.flag('test_mode') === true || undefined,
    expiresAt: fields.moment('expires_at'),
  });
  const orderId = about.text('order_id');
  const complete: Complete = (sendCall) =>
    completePurchase(purchase, { order: () => sendCall(orderCall(orderId)) });
  return succeed({ kind: 'purchase', purchase, ...(orderId !== '' && { complete }) });
}

const pages: ItemPages = {
  build: (access, page) =>
    get(access, '/v1/products', {
      'filter[store_id]': access.connection.store ?? '',
      'page[number]': page || '1',
      'page[size]': pageSize,
    }),
  schema: productSchema,
  list: 'data',
  next: (body, page) =>
    pageAfter(page, Number(recordIn(recordIn(body, 'meta'), 'page')['lastPage'])),
};

const account = ownerCall((access) => get(access, '/v1/users/me'), {
  find: (body) => recordIn(body, 'data')['attributes'],
  path: 'data.attributes',
  read: (owner) =>
    omitUndefined({
      registeredAt: owner.moment('created_at') ?? owner.moment('createdAt'),
      avatar: owner.link('avatar_url'),
    }),
});

const storesSchema = v.array(
  objectOf(
    { id: identifier, attributes: v.looseObject({ name: text }) },
    ({ id, attributes: { name } }) => ({ id: String(id), name }),
  ),
);

/** Tells whether a 404 is Lemon Squeezy's own: JSON:API repeats the status in the error. */
function isUnknown(status: number, { errors }: Body): boolean {
  const [first] = asList(errors) ?? [];
  return status === 404 && isRecord(first) && first['status'] === '404';
}

/** Asks Lemon Squeezy, whose License API answers for the keys of every store and reports no support period. */
export const lemonSqueezy: Reader = {
  correctedSpelling,

  account: (sendCall) => sendCall(account),

  purchase: (code, { store }) => ({
    build: (access) => licensePost(access, '/v1/licenses/validate', { license_key: code }),
    read: (raw, now) => {
      const opened = openJson(raw, now, { about: 'request' });
      if (!opened.ok) return opened;
      const { status, body } = opened.value;
      if (isRecord(body['license_key'])) return readKey(body, code, store, now);
      const msg = messageIn(body);
      return /key not found/iu.test(msg) || (status === 404 && 'valid' in body)
        ? succeed({ kind: 'not-found', msg })
        : refusal(status, body);
    },
  }),

  stores: {
    build: (access) => get(access, '/v1/stores', { 'page[size]': pageSize }),
    read: onSuccess((body) => readAt(storesSchema, body['data'], 'data')),
  },

  items: (sendCall) => askItems(sendCall, pages),

  item: (id) => ({
    build: (access) => get(access, `/v1/products/${String(id)}`),
    read: (raw, now) =>
      readFound(
        raw,
        now,
        (body) => readAskedItem(productSchema, body['data'], 'data', id),
        isUnknown,
      ),
  }),
};

/** How a relay answers requests for Lemon Squeezy. Only products of the connection's own store are requested. */
export const lemonSqueezyRelayRules: RelayRules = {
  routes: [
    { kind: 'account', method: 'GET', path: '/v1/users/me', call: () => account },
    {
      kind: 'items',
      method: 'GET',
      path: '/v1/products',
      parameters: ['page[number]'],
      call: ([page = '']) => itemPage(pages, page),
    },
    {
      kind: 'item',
      method: 'GET',
      path: '/v1/products/*',
      call: ([id = '']) => lemonSqueezy.item(itemIdOf(id)),
    },
    {
      kind: 'validation',
      method: 'POST',
      path: '/v1/licenses/validate',
      parameters: ['license_key'],
      call: ([code = ''], store) => lemonSqueezy.purchase(code, { store }),
    },
    {
      kind: 'follow-up',
      method: 'GET',
      path: '/v1/orders/*',
      call: ([id = '']) => orderCall(id),
      // Order numbers can be guessed, so the buyer is passed on only in the answer about the key.
      fields: [
        'data.id',
        'data.attributes.total',
        'data.attributes.currency',
        'data.attributes.refunded',
        'data.attributes.refunded_amount',
      ],
    },
  ],
  accountFields: /* @__PURE__ */ withErrorFields({
    'data.type': [],
    'data.id': [],
    'data.attributes.name': [],
    'data.attributes.created_at': [],
    'data.attributes.createdAt': [],
    'data.attributes.email': ['email'],
    'data.attributes.avatar_url': ['profile'],
  }),
};

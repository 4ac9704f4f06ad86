import * as v from 'valibot';

import { sameCode } from '#core/codes/index';
import { polarPermissions as permissions } from '#core/marketplaces/polar/descriptor';
import {
  askItems,
  bareAccount,
  bareItem,
  bearerGet,
  type Body,
  buyerOf,
  completePurchase,
  itemPage,
  type ItemPages,
  licensePost,
  messageIn,
  openJson,
  onSuccess,
  pageAfter,
  ownerCall,
  readFound,
  recordIn,
  refusal,
  usesOf,
  withErrorFields,
} from '#core/marketplaces/json-api';
import type { Fault } from '#core/marketplaces/fault';
import type {
  SendCall,
  Complete,
  PurchaseReply,
  Reader,
  RelayRules,
  SellerCall,
} from '#core/marketplaces/marketplace';
import { readAskedItem, readAt } from '#core/marketplaces/reply';
import type { Item, Purchase, PurchaseProblem } from '#core/marketplaces/resources';
import {
  asList,
  lenientFields,
  namingUnreadable,
  objectOf,
  optionalMoment,
  text,
} from '#core/marketplaces/wire';
import { type Result, fail, omitUndefined, succeed } from '#core/result';
import { isRecord } from '#core/record';

const pageSize = '100';
const organizations = '/v1/organizations/';
const products = '/v1/products/';
const orders = '/v1/orders/';

/** Polar's messages for revoked or disabled keys, sent with the status of an unknown key. */
const saidOfKnownKeys = new Map<string, PurchaseProblem['kind']>([
  ['License key is no longer active.', 'disabled'],
  ['License key has expired.', 'expired'],
]);

const keySchema = v.looseObject({
  key: text,
  status: v.picklist(['granted', 'revoked', 'disabled']),
  benefit_id: text,
  created_at: optionalMoment,
  expires_at: optionalMoment,
});

/** Returns a purchase with only the key: Polar names the item only to the seller's API key. */
function barePurchase(code: string, benefit = ''): Purchase {
  return {
    purchaseCode: code,
    licenseType: '',
    currency: '',
    item: bareItem(benefit || '-', `Benefit ${benefit.slice(0, 8)}`.trim()),
    itemUnknown: true,
    supportUnknown: true,
  };
}

/** Asks for the entries of a list that have a given id in a field. */
const listed = (path: string, filter: string, id: string): SellerCall<readonly Body[]> => ({
  build: (access) => bearerGet(access, path, { [filter]: id, limit: pageSize }),
  read: onSuccess(
    (body) => succeed((asList(body['items']) ?? []).filter((one) => isRecord(one))),
    path === orders ? permissions.orders : permissions.products,
  ),
});

const grantingCall = (benefit: string) => listed(products, 'benefit_id', benefit);

/** Asks for a customer's orders, newest first. */
const ordersCall = (customer: string) => listed(orders, 'customer_id', customer);

/** Reads an order's facts about a purchase. Amounts are in hundredths, or in whole yen. */
function soldBy(order: Body): Partial<Purchase> {
  const fields = lenientFields(order);
  const product = fields.within('product');
  const total = fields.amount('total_amount') ?? fields.amount('amount');
  const currency = fields.text('currency').toUpperCase();
  const status = fields.text('status');
  return {
    item: bareItem(product.text('id'), product.text('name')),
    ...(total !== undefined && { price: currency === 'JPY' ? total : total / 100, currency }),
    ...(status === 'refunded' && { problem: { kind: 'refunded' } }),
    ...(status === 'partially_refunded' && { partlyRefunded: true }),
  };
}

/** Asks for the order of a key, and its product. */
async function askOrder(
  sendCall: SendCall,
  benefit: string,
  customer: string,
): Promise<Result<Partial<Purchase>, Fault>> {
  const granting = await sendCall(grantingCall(benefit));
  if (!granting.ok) return granting;
  const sold = await sendCall(ordersCall(customer));
  if (!sold.ok) return sold;
  const ids = new Set(granting.value.map(({ id }) => id));
  const fitting = sold.value.filter((order) => ids.has(recordIn(order, 'product')['id']));
  // A later order keeps a key valid, whatever happened to an earlier one.
  const order = fitting.find(({ status }) => status !== 'refunded') ?? fitting[0];
  return succeed(order === undefined ? {} : soldBy(order));
}

function readKey(body: Body, code: string): Result<PurchaseReply, Fault> {
  const key = readAt(keySchema, body, 'license_key');
  if (!key.ok) return key;
  const { status, benefit_id: benefit, created_at: date, expires_at: expiresAt } = key.value;
  if (!sameCode(key.value.key, code)) return fail({ kind: 'mismatch' });
  const fields = lenientFields(body);
  const customer = fields.within('customer');
  const problem: PurchaseProblem | undefined =
    status !== 'granted'
      ? { kind: 'disabled' }
      : expiresAt == null
        ? undefined
        : { kind: 'expired', from: expiresAt };
  const limit = fields.amount('limit_usage');
  const purchase: Purchase = omitUndefined({
    ...barePurchase(key.value.key, benefit),
    date: date ?? undefined,
    expiresAt: expiresAt ?? undefined,
    problem,
    buyer: buyerOf(customer.text('name'), customer.text('email')),
    // The meaning of a count without a limit depends on the seller's program.
    uses: limit === undefined ? undefined : usesOf(fields.amount('usage'), limit),
  });
  const named = namingUnreadable(purchase, fields);
  const customerId = fields.text('customer_id');
  const complete: Complete = (sendCall) =>
    completePurchase(named, { order: () => askOrder(sendCall, benefit, customerId) });
  return succeed({ kind: 'purchase', purchase: named, complete });
}

/** An id that is not a UUID is refused as malformed. For an unknown path, the framework answers "Not Found". */
function isUnknown(status: number, { detail }: Body): boolean {
  return status === 422 || (status === 404 && typeof detail === 'string' && detail !== 'Not Found');
}

const validate = (code: string): SellerCall<PurchaseReply> => ({
  keyless: true,
  build: (access) =>
    licensePost(
      access,
      '/v1/customer-portal/license-keys/validate',
      { key: code, organization_id: access.connection.store ?? '' },
      true,
    ),
  read: (raw, now) => {
    const opened = openJson(raw, now, { about: 'request' });
    if (!opened.ok) return opened;
    const { status, body } = opened.value;
    if (status < 300) return readKey(body, code);
    if (status !== 404 || !isUnknown(status, body)) return refusal(status, body);
    const msg = messageIn(body);
    const kind = saidOfKnownKeys.get(msg);
    if (kind === undefined) return succeed({ kind: 'not-found', msg });
    return succeed({ kind: 'purchase', purchase: { ...barePurchase(code), problem: { kind } } });
  },
});

const owner = ownerCall((access) => bearerGet(access, organizations, { limit: pageSize }), {
  find: (body) => asList(body['items'])?.[0],
  path: 'items.0',
  read: (fields) =>
    omitUndefined({ avatar: fields.link('avatar_url'), registeredAt: fields.moment('created_at') }),
  permission: permissions.organization,
});

/** A key and a customer that cannot exist, sent to test the token. */
const impossibleId = '00000000-0000-4000-8000-000000000000';

const productSchema = objectOf({ id: text, name: text }, (wire): Item => {
  const fields = lenientFields(wire);
  return omitUndefined({
    ...bareItem(wire.id, wire.name),
    description: fields.text('description'),
    publishedAt: fields.moment('created_at'),
  });
});

const pages: ItemPages = {
  build: (access, page) =>
    bearerGet(access, products, {
      organization_id: access.connection.store ?? '',
      page: page || '1',
      limit: pageSize,
    }),
  schema: productSchema,
  list: 'items',
  next: (body, page) => pageAfter(page, Number(recordIn(body, 'pagination')['max_page'])),
  permission: permissions.products,
};

const organizationsSchema = v.array(
  objectOf({ id: text, name: text }, ({ id, name }) => ({ id, name })),
);

/** Asks Polar, which checks keys of an organization without authentication. */
export const polar: Reader = {
  keyless: true,

  correctedSpelling: (code) => (/[a-z]/u.test(code) ? code.toUpperCase() : undefined),

  purchase: validate,

  account: async (sendCall) => {
    const account = await sendCall(owner);
    if (!account.ok) {
      const { kind } = account.fault;
      if (kind !== 'no-key' && kind !== 'relay-unavailable') return account;
      const answered = await sendCall(validate(impossibleId));
      return answered.ok ? succeed(bareAccount({})) : answered;
    }
    // Each needs a separate permission.
    const [sold, granting] = [
      await sendCall(ordersCall(impossibleId)),
      await sendCall(grantingCall(impossibleId)),
    ];
    if (!sold.ok) return sold;
    return granting.ok ? account : granting;
  },

  stores: {
    build: (access) => bearerGet(access, organizations, { limit: pageSize }),
    read: onSuccess(
      (body) => readAt(organizationsSchema, body['items'], 'items'),
      permissions.organization,
    ),
  },

  items: (sendCall) => askItems(sendCall, pages),

  item: (id) => ({
    build: (access) => bearerGet(access, products + encodeURIComponent(String(id))),
    read: (raw, now) =>
      readFound(raw, now, (body) => readAskedItem(productSchema, body, '$', id), isUnknown),
  }),
};

/**
 * How a relay answers requests for Polar. Only keys and products of the connection's own organization are requested.
 */
export const polarRelayRules: RelayRules = {
  routes: [
    {
      kind: 'account',
      method: 'GET',
      path: organizations,
      call: () => owner,
    },
    {
      kind: 'items',
      method: 'GET',
      path: products,
      parameters: ['page', 'benefit_id'],
      call: ([page = '', benefit = '']) =>
        benefit === '' ? itemPage(pages, page) : grantingCall(benefit),
    },
    {
      kind: 'item',
      method: 'GET',
      path: `${products}*`,
      call: ([id = '']) => polar.item(id),
    },
    {
      kind: 'validation',
      method: 'POST',
      path: '/v1/customer-portal/license-keys/validate',
      parameters: ['key'],
      call: ([code = '']) => validate(code),
      probeCode: impossibleId,
    },
    {
      kind: 'follow-up',
      method: 'GET',
      path: orders,
      parameters: ['customer_id'],
      // Without a customer the reply would list every order.
      call: ([customer = '']) => ordersCall(customer.trim() || impossibleId),
      probeCode: impossibleId,
      // An order includes the buyer's address.
      fields: [
        'items.status',
        'items.total_amount',
        'items.amount',
        'items.currency',
        'items.product.id',
        'items.product.name',
      ],
    },
  ],
  accountFields: /* @__PURE__ */ withErrorFields({
    'items.id': [],
    'items.name': [],
    'items.created_at': [],
    'items.email': ['email'],
    'items.avatar_url': ['profile'],
  }),
};

import * as v from 'valibot';

import type { SellerRequest } from '#core/http/exchange';
import {
  bareAccount,
  bareItem,
  bearerGet,
  type Body,
  buyerOf,
  completePurchase,
  itemIdOf,
  openJson,
  onSuccess,
  readProblem,
  usesOf,
  withErrorFields,
} from '#core/marketplaces/json-api';
import type { Fault } from '#core/marketplaces/fault';
import type {
  SendCall,
  Complete,
  ItemReply,
  PurchaseReply,
  Reader,
  RelayRules,
  RequestAccess,
  SellerCall,
} from '#core/marketplaces/marketplace';
import { readAt } from '#core/marketplaces/reply';
import type { Account, Item, Purchase, PurchaseProblem } from '#core/marketplaces/resources';
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
import type { ItemId } from '#core/item-id';

const pageSize = 50;
/** A longer list of payments by one customer for one product counts as endless. */
const maxPayments = 1000;

/** A key that cannot exist, sent to test the token and instead of a code that is too short to search for. */
const impossibleKey = `sk_${'0'.repeat(29)}`;
/** A search finds every key that contains its text, so a shorter text could list other people's keys. */
const minKeyLength = 16;

/**
 * Builds a request about the connection's product. It asks only for the fields that are read, because products and
 * customers also have secret keys.
 * @param path below the product
 * @param relayed the path at a relay, which already knows the product
 */
function get(
  access: RequestAccess,
  path: string,
  parameters: Readonly<Record<string, string>>,
  relayed = path,
): SellerRequest {
  const { throughRelay, store = '' } = access.connection;
  return throughRelay === true
    ? bearerGet(access, `/v1/product${relayed}`, parameters)
    : bearerGet(access, `/v1/products/${encodeURIComponent(store)}${path}`, parameters);
}

const productFields = ['id', 'title', 'icon', 'created'];

const productSchema = objectOf({ id: text, title: text }, (wire): Item => {
  const fields = lenientFields(wire);
  return omitUndefined({
    ...bareItem(itemIdOf(wire.id), wire.title),
    media: omitUndefined({ thumbnail: fields.link('icon'), screenshots: [] }),
    publishedAt: fields.moment('created'),
  });
});

/** Asks for the product; a token is for one product. */
const productCall = (relayed?: string): SellerCall<Item> => ({
  build: (access) => get(access, '.json', { fields: String(productFields) }, relayed),
  read: onSuccess((body) => readAt(productSchema, body, '$')),
});

const itemCall = (id: ItemId): SellerCall<ItemReply> => {
  const call = productCall(`/items/${encodeURIComponent(String(id))}`);
  return {
    build: call.build,
    read: (raw, now) => {
      const item = call.read(raw, now);
      if (!item.ok) return item;
      return succeed(
        item.value.id === id ? { kind: 'item', item: item.value } : { kind: 'not-found', msg: '' },
      );
    },
  };
};

const accountCall: SellerCall<Account> = {
  build: (access) => productCall().build(access),
  read: (raw, now) => {
    const product = productCall().read(raw, now);
    if (!product.ok) return product;
    const { name: full } = product.value;
    return succeed(bareAccount({ username: full, name: { first: '', last: '', full } }));
  },
};

/** Asks for the title of a plan, which is the seller's name for it. */
const planCall = (id: string): SellerCall<Pick<Purchase, 'licenseType'>> => ({
  build: (access) => get(access, `/plans/${id}.json`, { fields: 'id,title' }, `/plans/${id}`),
  read: (raw, now) => {
    // A deleted plan is not found and has no title.
    const opened = openJson(raw, now);
    return opened.ok
      ? succeed({ licenseType: lenientFields(opened.value.body).text('title') })
      : opened;
  },
});

const paymentSchema = v.looseObject({
  id: text,
  type: v.picklist(['payment', 'refund', 'disputed', 'won_dispute', 'lost_dispute', 'chargeback']),
  created: text,
});

const paymentFields = [
  'id',
  'license_id',
  'type',
  'gross',
  'currency',
  'created',
  'bound_payment_id',
  'email',
];

/** Asks for a page of a customer's payments and refunds for the product. */
const paymentsCall = (user: string, offset: string): SellerCall<readonly Body[]> => ({
  build: (access) =>
    get(access, '/payments.json', {
      search_user_id: user,
      count: String(pageSize),
      offset,
      fields: String(paymentFields),
    }),
  read: onSuccess((body) => {
    const list = asList(body['payments']);
    return list === undefined
      ? fail({ kind: 'unreadable', path: 'payments' })
      : succeed(list.filter((one) => isRecord(one)));
  }),
});

async function paymentsFor(
  sendCall: SendCall,
  license: string,
  user: string,
): Promise<Result<readonly Body[], Fault>> {
  const own: Body[] = [];
  for (let offset = 0; offset < maxPayments; offset += pageSize) {
    const page = await sendCall(paymentsCall(user, String(offset)));
    if (!page.ok) return page;
    own.push(...page.value.filter(({ license_id: id }) => String(id) === license));
    if (page.value.length < pageSize) return succeed(own);
  }
  return fail({ kind: 'unreadable', path: 'payments' });
}

/** Reads the newest payment for a license, and its refunds or disputes (either record may hold the link). */
function readPayments(payments: readonly Body[]): Result<Partial<Purchase>, Fault> {
  const read = readAt(v.array(paymentSchema), payments, 'payments');
  if (!read.ok) return read;
  const newest = read.value
    .filter(({ type }) => type === 'payment')
    .toSorted((one, other) => (one.created < other.created ? 1 : -1))[0];
  if (newest === undefined) return succeed({});
  const fields = lenientFields(newest);
  const price = fields.amount('gross');
  const isBound = (one: Body, to: Body): boolean => String(one['bound_payment_id']) === to['id'];
  const boundToIt = read.value.filter((one) => isBound(one, newest) || isBound(newest, one));
  const has = (...types: readonly string[]): boolean =>
    boundToIt.some(({ type }) => types.includes(type));
  const refunds = boundToIt
    .filter(({ type }) => type === 'refund')
    .map((one) => Math.abs(lenientFields(one).amount('gross') ?? Infinity));
  const refunded = refunds.reduce((sum, one) => sum + one, 0);
  const isWhole = refunds.length > 0 && refunded >= (price ?? 0);
  const isDisputed = has('disputed') && !has('won_dispute');
  const kind: PurchaseProblem['kind'] | undefined = has('chargeback', 'lost_dispute')
    ? 'charged-back'
    : isWhole
      ? 'refunded'
      : isDisputed
        ? 'disputed'
        : undefined;
  return succeed(
    omitUndefined({
      price,
      currency: fields.text('currency').toUpperCase(),
      buyer: buyerOf('', fields.text('email')),
      problem: kind && { kind },
      partlyRefunded: refunds.length > 0 && !isWhole ? (true as const) : undefined,
      disputed: has('disputed', 'won_dispute') ? (true as const) : undefined,
    }),
  );
}

const licenseSchema = v.looseObject({
  id: text,
  secret_key: text,
  plugin_id: text,
  plan_id: text,
  created: optionalMoment,
  expiration: optionalMoment,
});

/** Reads a license. If it blocks no features when it expires, it keeps working, without updates and support. */
function readLicense(body: Body, path: string): Result<PurchaseReply, Fault> {
  const license = readAt(licenseSchema, body, path);
  if (!license.ok) return license;
  const { id, plugin_id: product, plan_id: plan, created, expiration } = license.value;
  const fields = lenientFields(body);
  const blocks = fields.flag('is_block_features') !== false;
  const ends = expiration ?? undefined;
  const problem = readProblem(body, path, (fields): PurchaseProblem | undefined => {
    if (fields.flag('is_cancelled') === true) return { kind: 'disabled' };
    if (fields.flag('environment') === true) return { kind: 'test' };
    return blocks && ends !== undefined ? { kind: 'expired', from: ends } : undefined;
  });
  if (!problem.ok) return problem;
  const count = fields.amount('activated');
  const purchase: Purchase = omitUndefined({
    purchaseCode: license.value.secret_key,
    licenseType: '',
    currency: '',
    item: bareItem(itemIdOf(product), `Product ${product}`),
    ...(blocks || ends === undefined
      ? { supportUnknown: true as const }
      : { supportedUntil: ends }),
    date: created ?? undefined,
    expiresAt: blocks ? ends : undefined,
    problem: problem.value,
    uses: usesOf(count, fields.amount('quota')),
  });
  const named = namingUnreadable(purchase, fields);
  const user = fields.text('user_id');
  const complete: Complete = (sendCall) =>
    completePurchase(named, {
      item: async () => {
        const reply = await sendCall(itemCall(itemIdOf(product)));
        if (!reply.ok) return reply;
        const { value } = reply;
        return succeed(
          value.kind === 'item' ? { item: bareItem(value.item.id, value.item.name) } : {},
        );
      },
      plan: () => sendCall(planCall(plan)),
      payments: async () => {
        // A license that was granted or migrated may have no customer yet.
        const payments = user === '' ? succeed([]) : await paymentsFor(sendCall, id, user);
        return payments.ok ? readPayments(payments.value) : payments;
      },
    });
  return succeed({ kind: 'purchase', purchase: named, complete });
}

const licenseFields =
  'id,plugin_id,user_id,plan_id,quota,activated,expiration,secret_key,is_block_features,is_cancelled,environment,created';

const searchCall = (code: string): SellerCall<PurchaseReply> => ({
  build: (access) =>
    get(access, '/licenses.json', {
      search: code.length < minKeyLength ? impossibleKey : code,
      count: String(pageSize),
      fields: licenseFields,
    }),
  read: onSuccess((body) => {
    const list = asList(body['licenses'])?.filter((one) => isRecord(one));
    if (list === undefined) return fail({ kind: 'unreadable', path: 'licenses' });
    const at = list.findIndex(({ secret_key: key }) => key === code);
    const found = list[at];
    if (found !== undefined) return readLicense(found, `licenses.${String(at)}`);
    // A license with a hidden key may be the one that was asked about.
    const isHidden = list.some(
      ({ secret_key: key }) => typeof key !== 'string' || key.includes('***'),
    );
    // If the search parameter was ignored, the reply is a page of arbitrary licenses and proves nothing about this key.
    return list.length < pageSize && !isHidden
      ? succeed({ kind: 'not-found', msg: '' })
      : fail({ kind: 'unreadable', path: 'licenses' });
  }),
});

/** Asks Freemius, where a token and every answer concern a single product. */
export const freemius: Reader = {
  // Keys are case-sensitive.
  correctedSpelling: () => undefined,

  purchase: searchCall,

  account: (sendCall) => sendCall(accountCall),

  items: async (sendCall) => {
    const product = await sendCall(productCall('/items.json'));
    return product.ok ? succeed({ items: [product.value], unreadable: [] }) : product;
  },

  item: itemCall,
};

export const freemiusRelayRules: RelayRules = {
  routes: [
    { kind: 'account', method: 'GET', path: '/v1/product.json', call: () => accountCall },
    {
      kind: 'items',
      method: 'GET',
      path: '/v1/product/items.json',
      call: () => productCall(),
      fields: productFields,
    },
    {
      kind: 'item',
      method: 'GET',
      path: '/v1/product/items/*',
      call: ([id = '']) => itemCall(itemIdOf(id)),
      fields: productFields,
    },
    {
      kind: 'validation',
      method: 'GET',
      path: '/v1/product/licenses.json',
      parameters: ['search'],
      call: ([code = '']) => searchCall(code),
      probeCode: impossibleKey,
    },
    {
      kind: 'follow-up',
      method: 'GET',
      path: '/v1/product/plans/*',
      call: ([id = '']) => planCall(id),
      fields: ['title'],
    },
    {
      kind: 'follow-up',
      method: 'GET',
      path: '/v1/product/payments.json',
      parameters: ['search_user_id', 'offset'],
      // Without a customer the reply would list every payment.
      call: ([user = '', offset = '']) => paymentsCall(user.trim() || '0', offset || '0'),
      fields: /* @__PURE__ */ paymentFields.map((name) => `payments.${name}`),
    },
  ],
  accountFields: /* @__PURE__ */ withErrorFields({ id: [], title: [] }),
};

import * as v from 'valibot';

import { sameCode } from '#core/check/code-spelling';
import { gumroadPermissions } from '#core/marketplaces/gumroad/descriptor';
import {
  askItems,
  errorFields,
  itemPage,
  type ItemPages,
  ownerCall,
  bareItem,
  bearerGet,
  type Body,
  buyerOf,
  licensePost,
  messageIn,
  openJson,
  readProblem,
  recordIn,
  usesOf,
} from '#core/marketplaces/bearer';
import type {
  AskedItem,
  CodeReader,
  ItemReader,
  PurchaseReply,
  Relayed,
} from '#core/marketplaces/marketplace';
import type { Fault } from '#core/marketplaces/fault';
import { readAt } from '#core/marketplaces/reply';
import type { Item, Purchase, PurchaseProblem } from '#core/marketplaces/resources';
import {
  lenientFields,
  type LenientFields,
  moment,
  namingUnreadable,
  text,
} from '#core/marketplaces/wire';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { isRecord } from '#core/record';

/** A token without it is answered 403, a wrong one 401. */
const permission = gumroadPermissions.profile;

/** Currencies in which an item's price comes in whole units; in all others it comes in hundredths, those of won and dollar alike. */
const wholeCurrencies = new Set(['jpy', 'vnd']);

function priceOf(units: number | undefined, currency: string): number | undefined {
  return units === undefined || wholeCurrencies.has(currency.toLowerCase()) ? units : units / 100;
}

const productSchema = v.pipe(
  v.looseObject({ id: text, name: text }),
  v.transform((wire): Item => {
    const fields = lenientFields(wire);
    const currency = fields.text('currency');
    const item = omitUndefined({
      ...bareItem(wire.id, wire.name),
      description: fields.text('description'),
      demoLink: fields.link('short_url'),
      tags: fields.texts('tags'),
      media: omitUndefined({
        thumbnail: fields.link('thumbnail_url'),
        previewImage: fields.link('preview_url'),
        screenshots: [],
      }),
      price: omitUndefined({ regular: priceOf(fields.amount('price'), currency) }),
      currency: currency.toUpperCase(),
    });
    return namingUnreadable(item, fields);
  }),
);

/**
 * What Gumroad says, with the status of an unknown key, of one that it knows: its source has no other sign of it. Another wording
 * is shown as it is, with the code not found.
 */
const saidOfKnownKeys = new Map<string, PurchaseProblem['kind']>([
  ['This license key has been disabled.', 'disabled'],
  // It is never said of a subscription: the seller has withdrawn access.
  ['Access to the purchase associated with this license has expired.', 'disabled'],
]);

/**
 * Returns what is said against a purchase. A subscription that was cancelled runs on until the moment that is named.
 * @param isTest `true` alone: fields that the seller asks buyers for stand beside the service's own, and one may be called `test`
 */
function problemOf(fields: LenientFields, isTest: boolean): PurchaseProblem | undefined {
  const [chargedBack, refunded, disputed, won] = [
    'chargebacked',
    'refunded',
    'disputed',
    'dispute_won',
  ].map((name) => fields.flag(name) === true);
  const ends = ['ended', 'cancelled', 'failed'].flatMap(
    (how) => fields.moment(`subscription_${how}_at`) ?? [],
  );
  if (chargedBack) return { kind: 'charged-back' };
  if (refunded) return { kind: 'refunded' };
  if (disputed && !won) return { kind: 'disputed' };
  if (isTest) return { kind: 'test' };
  return ends.length === 0 ? undefined : { kind: 'ended', from: Math.min(...ends) };
}

const told = v.nullish(text, '');
const bought = v.looseObject({ date: moment, name: text, license_key: told, product_id: told });

/** Returns a purchase of which nothing but the key and the item is known. */
function barePurchase(code: string, item: AskedItem): Purchase {
  return {
    purchaseCode: code,
    licenseType: '',
    currency: '',
    item: bareItem(item.id, item.name),
    supportUntold: true,
  };
}

function readPurchase(body: Body, code: string, item: AskedItem): Result<PurchaseReply, Fault> {
  const uses = usesOf(lenientFields(body).amount('uses'));
  const isOfSale = ['purchase', 'imported_customer'].some((name) => name in body);
  if (!isOfSale && uses !== undefined)
    return succeed({ kind: 'purchase', purchase: { ...barePurchase(code, item), uses } });
  // A key of a customer who was imported stands for no sale.
  const path = isRecord(body['purchase']) ? 'purchase' : 'imported_customer';
  const sale = recordIn(body, path);
  const sent = {
    ...sale,
    date: sale['sale_timestamp'] ?? sale['created_at'],
    name: sale['product_name'] ?? item.name,
  };
  const read = readAt(bought, sent, path);
  if (!read.ok) return read;
  const { license_key: key, product_id: productId } = read.value;
  if ((key !== '' && !sameCode(key, code)) || (productId !== '' && productId !== item.id))
    return fail({ kind: 'mismatch' });
  const problem = readProblem(sale, path, (said) => problemOf(said, sale['test'] === true));
  if (!problem.ok) return problem;
  const fields = lenientFields(sale);
  const cents = fields.amount('price');
  const purchase: Purchase = omitUndefined({
    ...barePurchase(code, item),
    licenseType: tierOf(sale['variants']),
    // It is in cents of a US dollar, whatever `currency` says: that is the product's.
    price: cents === undefined ? undefined : cents / 100,
    currency: cents === undefined ? '' : 'USD',
    item: bareItem(item.id, read.value.name),
    date: read.value.date,
    problem: problem.value,
    buyer: buyerOf(fields.text('full_name'), fields.text('email')),
    uses,
  });
  return succeed({ kind: 'purchase', purchase: namingUnreadable(purchase, fields) });
}

/** Returns the variant that was bought: text in brackets, or a map of what was chosen. */
function tierOf(variants: unknown): string {
  if (typeof variants === 'string') return variants.replace(/^\((.*)\)$/u, '$1');
  return isRecord(variants)
    ? Object.values(variants)
        .filter((chosen) => typeof chosen === 'string')
        .join(', ')
    : '';
}

/** Writes 32 hexadecimal digits in capitals and groups of eight, with 0 for each O. */
function inGroupsOfEight(code: string): string | undefined {
  const digits = code.trim().toUpperCase().replaceAll('-', '').replaceAll('O', '0');
  const groups = /^[\dA-F]{32}$/u.test(digits) ? digits.match(/.{8}/gu)?.join('-') : undefined;
  return groups === code ? undefined : groups;
}

const pages: ItemPages = {
  build: (access, page) => bearerGet(access, '/v2/products', page === '' ? {} : { page_key: page }),
  schema: productSchema,
  list: 'products',
  next: (body) => lenientFields(body).text('next_page_key') || undefined,
  permission,
};

const items: ItemReader['items'] = (ask) => askItems(ask, pages);

const account = ownerCall((access) => bearerGet(access, '/v2/user'), {
  find: (body) => body['user'],
  path: 'user',
  read: (owner) => ({
    username: owner.text('name') || owner.text('user_id'),
    currency: owner.text('currency_type').toUpperCase(),
  }),
  permission,
});

/** Asks Gumroad, which verifies a key for one product at a time and tells no support period. Its count of uses is never raised. */
export const gumroad: CodeReader = {
  correctedSpelling: inGroupsOfEight,
  itemsToAsk: items,

  account: (ask) => ask(account),

  purchase: (code, { item = { id: '', name: '' } }) => ({
    build: (access) =>
      licensePost(access, '/v2/licenses/verify', {
        product_id: String(item.id),
        license_key: code,
        // Left out, it counts as true, and each look at a key would use it up.
        increment_uses_count: 'false',
      }),
    read: (raw, now) => {
      const opened = openJson(raw, now, { about: 'request' });
      if (!opened.ok) return opened;
      const { status, body } = opened.value;
      const msg = messageIn(body);
      if (status === 404) {
        const kind = saidOfKnownKeys.get(msg);
        if (kind === undefined) return succeed({ kind: 'not-found', msg });
        const purchase = { ...barePurchase(code, item), problem: { kind } };
        return succeed({ kind: 'purchase', purchase });
      }
      if (status >= 300 || body['success'] === false)
        return fail({ kind: 'refused', msg, about: 'request' });
      return readPurchase(body, code, item);
    },
  }),
};

export const gumroadItems: ItemReader = {
  items,

  item: (id) => ({
    build: (access) => bearerGet(access, `/v2/products/${encodeURIComponent(String(id))}`),
    read: (raw, now) => {
      const opened = openJson(raw, now, { permission });
      if (!opened.ok) return opened;
      const { status, body } = opened.value;
      // An unknown product is told with the status of a success.
      if (status === 404 || body['success'] === false)
        return succeed({ kind: 'not-found', msg: messageIn(body) });
      const item = readAt(productSchema, body['product'], 'product');
      if (!item.ok) return item;
      if (item.value.id !== id) return fail({ kind: 'mismatch' });
      return succeed({ kind: 'item', item: item.value });
    },
  }),
};

/** Says how a relay answers the requests of Gumroad. */
export const relayedGumroad: Relayed = {
  routes: [
    { question: 'account', method: 'GET', path: '/v2/user', call: () => account },
    {
      question: 'items',
      method: 'GET',
      path: '/v2/products',
      parameters: ['page_key'],
      call: ([page = '']) => itemPage(pages, page),
    },
    {
      question: 'item',
      method: 'GET',
      path: '/v2/products/*',
      call: ([id = '']) => gumroadItems.item(id),
    },
    {
      question: 'validation',
      method: 'POST',
      path: '/v2/licenses/verify',
      parameters: ['license_key', 'product_id'],
      call: ([code = '', id = '']) => gumroad.purchase(code, { item: { id, name: '' } }),
    },
  ],
  accountFields: {
    ...errorFields,
    'user.name': [],
    'user.user_id': [],
    'user.currency_type': [],
    'user.email': ['email'],
    'user.bio': ['profile'],
    'user.url': ['profile'],
    'user.profile_url': ['profile'],
    'user.twitter_handle': ['profile'],
  },
};

import * as v from 'valibot';

import { sameCode } from '#core/codes/index';
import { gumroadPermission as permission } from '#core/marketplaces/gumroad/descriptor';
import {
  askItems,
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
  onSuccess,
  readProblem,
  recordIn,
  refusal,
  usesOf,
  withErrorFields,
} from '#core/marketplaces/json-api';
import type {
  AskedItem,
  Complete,
  PurchaseReply,
  Reader,
  RelayRules,
  SellerCall,
} from '#core/marketplaces/marketplace';
import type { Fault } from '#core/marketplaces/fault';
import { readAt, readAskedItem } from '#core/marketplaces/reply';
import type { Item, Purchase, PurchaseProblem } from '#core/marketplaces/resources';
import {
  asList,
  lenientFields,
  type LenientFields,
  namingUnreadable,
  objectOf,
  text,
} from '#core/marketplaces/wire';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { isRecord } from '#core/record';

/** Currencies in which an item's price is in whole units. In all others it is in hundredths, even in won. */
const wholeCurrencies = new Set(['jpy', 'vnd']);

const productSchema = objectOf({ id: text, name: text }, (wire): Item => {
  const fields = lenientFields(wire);
  const currency = fields.text('currency');
  const isWhole = wholeCurrencies.has(currency.toLowerCase());
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
    price: omitUndefined({ regular: fields[isWhole ? 'amount' : 'cents']('price') }),
    currency: currency.toUpperCase(),
  });
  return namingUnreadable(item, fields);
});

/**
 * Gumroad's messages about a known key, sent with the status of an unknown key; in its source, only the message
 * distinguishes the two. "Access expired" never refers to a subscription: it means that the seller has withdrawn
 * access.
 */
const meansKnownKey = /\bdisabled\b|\baccess\b.*\bexpired\b/iu;
/** A 404 that speaks of the product or a server alone says nothing about the key. */
const meansOtherThing = /\b(?:product|server|service|route|page)\b/iu;
const meansKey = /license/iu;

/**
 * Returns the objection to a purchase. A cancelled subscription continues until the given moment.
 * @param isTest only `true` counts, because fields that the seller asks buyers for are mixed with the service's own,
 * and one may be named `test`
 */
function problemOf(fields: LenientFields, isTest: boolean): PurchaseProblem | undefined {
  const [refunded, disputed, won, disabled] = [
    'refunded',
    'disputed',
    'dispute_won',
    'license_disabled',
  ].map((name) => fields.flag(name) === true);
  // License checks and sales spell it differently.
  const chargedBack = ['chargebacked', 'chargedback'].some((name) => fields.flag(name) === true);
  const ends = ['ended', 'cancelled', 'failed'].flatMap(
    (how) => fields.moment(`subscription_${how}_at`) ?? [],
  );
  if (chargedBack) return { kind: 'charged-back' };
  if (refunded) return { kind: 'refunded' };
  if (disputed && !won) return { kind: 'disputed' };
  if (disabled) return { kind: 'disabled' };
  if (isTest) return { kind: 'test' };
  // A sale shows that its subscription has ended, but not when.
  if (ends.length > 0) return { kind: 'ended', from: Math.min(...ends) };
  return fields.flag('dead') === true ? { kind: 'ended' } : undefined;
}

const optionalText = v.nullish(text, '');
const bought = v.looseObject({ name: text, license_key: optionalText, product_id: optionalText });

/** Returns a purchase with only a key and an item. */
function barePurchase(code: string, item: AskedItem): Purchase {
  return {
    purchaseCode: code,
    licenseType: '',
    currency: '',
    item: bareItem(item.id, item.name),
    supportUnknown: true,
  };
}

/** Finds and reads the sale of this key in a list of sales. */
function readSales(body: Body, code: string): Result<PurchaseReply, Fault> {
  const sales = asList(body['sales']);
  if (sales === undefined) return fail({ kind: 'unreadable', path: 'sales' });
  const sale = sales
    .filter((one) => isRecord(one))
    .find((one) => sameCode(lenientFields(one).text('license_key'), code));
  if (sale === undefined) return succeed({ kind: 'not-found', msg: '' });
  const item = { id: lenientFields(sale).text('product_id'), name: '' };
  return readSale(sale, 'sales', code, item);
}

function readPurchase(body: Body, code: string, item: AskedItem): Result<PurchaseReply, Fault> {
  const uses = usesOf(lenientFields(body).amount('uses'));
  const isOfSale = ['purchase', 'imported_customer'].some((name) => name in body);
  if (!isOfSale && uses !== undefined)
    return succeed({ kind: 'purchase', purchase: { ...barePurchase(code, item), uses } });
  // The key of an imported customer has no sale.
  const path = isRecord(body['purchase']) ? 'purchase' : 'imported_customer';
  const read = readSale(recordIn(body, path), path, code, item);
  if (!read.ok || read.value.kind === 'not-found') return read;
  const purchase = omitUndefined({ ...read.value.purchase, uses });
  return succeed({ kind: 'purchase', purchase });
}

/** Reads a sale from a license check or a list of sales. @param path of it in the reply */
function readSale(
  sale: Body,
  path: string,
  code: string,
  item: AskedItem,
): Result<PurchaseReply, Fault> {
  const read = readAt(bought, { ...sale, name: sale['product_name'] ?? item.name }, path);
  if (!read.ok) return read;
  const { license_key: key, product_id: productId } = read.value;
  const fields = lenientFields(sale);
  const date = fields.moment('sale_timestamp') ?? fields.moment('created_at');
  // Without a key and a date it may not be a sale.
  if (key === '' && date === undefined) return fail({ kind: 'unreadable', path });
  if ((key !== '' && !sameCode(key, code)) || (productId !== '' && productId !== item.id))
    return fail({ kind: 'mismatch' });
  const problem = readProblem(sale, path, (said) => problemOf(said, sale['test'] === true));
  if (!problem.ok) return problem;
  const price = fields.cents('price');
  const seats = fields.amount('quantity');
  const is = (name: string): true | undefined => (fields.flag(name) ? true : undefined);
  const purchase: Purchase = omitUndefined({
    ...barePurchase(code, item),
    licenseType: tierOf(sale['variants']),
    // The price is in US cents, whatever `currency` says: that is the currency of the product.
    price,
    currency: price === undefined ? '' : 'USD',
    item: bareItem(item.id, read.value.name),
    date,
    problem: problem.value,
    buyer: buyerOf(fields.text('full_name'), fields.text('email') || fields.text('purchase_email')),
    seats: seats !== undefined && seats > 1 ? seats : undefined,
    partlyRefunded: is('partially_refunded'),
    disputed: is('disputed'),
    testMode: sale['test'] === true || undefined,
  });
  return succeed({ kind: 'purchase', purchase: namingUnreadable(purchase, fields) });
}

/** Returns the variant that was bought, which is sent as text in brackets or as a map of choices. */
function tierOf(variants: unknown): string {
  if (typeof variants === 'string') return variants.replace(/^\((.*)\)$/u, '$1');
  return isRecord(variants)
    ? Object.values(variants)
        .filter((chosen) => typeof chosen === 'string')
        .join(', ')
    : '';
}

/** Formats 32 hexadecimal digits in capitals and groups of eight, with 0 for each O. */
function inGroupsOfEight(code: string): string | undefined {
  const digits = code.trim().toUpperCase().replaceAll('-', '').replaceAll('O', '0');
  const groups = /^[\dA-F]{32}$/u.test(digits) ? digits.match(/.{8}/gu)?.join('-') : undefined;
  return groups === code ? undefined : groups;
}

const pagesOf = (schema: ItemPages['schema']): ItemPages => ({
  build: (access, page) => bearerGet(access, '/v2/products', page === '' ? {} : { page_key: page }),
  schema,
  list: 'products',
  next: (body) => lenientFields(body).text('next_page_key') || undefined,
  permission,
});

/** Reads a product to check codes with. */
const namedProduct = objectOf({ id: text, name: text }, ({ id, name }) => bareItem(id, name));

const account = ownerCall((access) => bearerGet(access, '/v2/user'), {
  find: (body) => body['user'],
  path: 'user',
  read: (owner) => ({
    username: owner.text('name') || owner.text('user_id'),
    currency: owner.text('currency_type').toUpperCase(),
  }),
  permission,
});

/**
 * Adds to a sale the facts that only its license has: uses, when a subscription ended, and whether the seller has
 * withdrawn access.
 */
const withLicense =
  (sold: Purchase): Complete =>
  async (sendCall) => {
    const license = await sendCall(gumroad.purchase(sold.purchaseCode, { item: sold.item }));
    if (!license.ok) return license;
    if (license.value.kind === 'not-found') return succeed(sold);
    const { uses, problem } = license.value.purchase;
    const own = sold.problem?.kind === problem?.kind ? undefined : sold.problem;
    return succeed(omitUndefined({ ...sold, uses, problem: own ?? problem }));
  };

/** Asks for the sale of a key of any product. */
function lookUp(code: string): SellerCall<PurchaseReply> {
  return {
    build: (access) => bearerGet(access, '/v2/sales', { license_key: code }),
    read: onSuccess((body) => {
      const sold = readSales(body, code);
      return sold.ok && sold.value.kind === 'purchase'
        ? succeed({ ...sold.value, complete: withLicense(sold.value.purchase) })
        : sold;
    }, permission),
  };
}

/**
 * Asks Gumroad, which verifies a key for one product at a time and reports no support period. Our checks never increase
 * its count of uses.
 */
export const gumroad: Reader = {
  correctedSpelling: inGroupsOfEight,
  itemsToAsk: (sendCall) => askItems(sendCall, pagesOf(namedProduct)),

  account: (sendCall) => sendCall(account),

  lookUp,

  purchase: (code, { item = { id: '', name: '' } }) => ({
    build: (access) =>
      licensePost(access, '/v2/licenses/verify', {
        product_id: String(item.id),
        license_key: code,
        // It defaults to true, and then every check would count as a use.
        increment_uses_count: 'false',
      }),
    read: (raw, now) => {
      const opened = openJson(raw, now, { about: 'request' });
      if (!opened.ok) return opened;
      const { status, body } = opened.value;
      const msg = messageIn(body);
      const isOwn = body['success'] === false;
      if (isOwn && (status === 404 || status < 300)) {
        if (meansKnownKey.test(msg)) {
          const purchase = { ...barePurchase(code, item), problem: { kind: 'disabled' } as const };
          return succeed({ kind: 'purchase', purchase });
        }
        if (meansKey.test(msg) || (status === 404 && !meansOtherThing.test(msg)))
          return succeed({ kind: 'not-found', msg });
      }
      if (isOwn) return fail({ kind: 'refused', msg, about: 'request' });
      return status < 300 ? readPurchase(body, code, item) : refusal(status, body);
    },
  }),

  asksByItem: true,
  items: (sendCall) => askItems(sendCall, pagesOf(productSchema)),

  item: (id) => ({
    build: (access) => bearerGet(access, `/v2/products/${encodeURIComponent(String(id))}`),
    read: (raw, now) => {
      const opened = openJson(raw, now, { permission });
      if (!opened.ok) return opened;
      const { status, body } = opened.value;
      // An unknown product is reported with a success status.
      if (status === 404 || body['success'] === false)
        return succeed({ kind: 'not-found', msg: messageIn(body) });
      return readAskedItem(productSchema, body['product'], 'product', id);
    },
  }),
};

export const gumroadRelayRules: RelayRules = {
  routes: [
    { kind: 'account', method: 'GET', path: '/v2/user', call: () => account },
    {
      kind: 'items',
      method: 'GET',
      path: '/v2/products',
      parameters: ['page_key'],
      call: ([page = '']) => itemPage(pagesOf(productSchema), page),
    },
    {
      kind: 'item',
      method: 'GET',
      path: '/v2/products/*',
      call: ([id = '']) => gumroad.item(id),
    },
    {
      kind: 'validation',
      method: 'POST',
      path: '/v2/licenses/verify',
      parameters: ['license_key', 'product_id'],
      call: ([code = '', id = '']) => gumroad.purchase(code, { item: { id, name: '' } }),
    },
    {
      kind: 'validation',
      method: 'GET',
      path: '/v2/sales',
      parameters: ['license_key'],
      // Without a key the reply would list every sale.
      call: ([code = '']) => lookUp(code.trim() || '-'),
      // The list includes buyers' addresses.
      fields: [
        'sales.product_id',
        'sales.product_name',
        'sales.license_key',
        'sales.created_at',
        'sales.price',
        'sales.quantity',
        'sales.variants.*',
        'sales.full_name',
        'sales.email',
        'sales.purchase_email',
        'sales.refunded',
        'sales.partially_refunded',
        'sales.disputed',
        'sales.dispute_won',
        'sales.chargedback',
        'sales.license_disabled',
        'sales.dead',
      ],
    },
  ],
  accountFields: /* @__PURE__ */ withErrorFields({
    'user.name': [],
    'user.user_id': [],
    'user.currency_type': [],
    'user.email': ['email'],
    'user.bio': ['profile'],
    'user.url': ['profile'],
    'user.profile_url': ['profile'],
    'user.twitter_handle': ['profile'],
  }),
};

import * as v from 'valibot';

import type { SellerRequest } from '#core/http/exchange';
import {
  askItems,
  bareAccount,
  bareItem,
  bearerGet,
  type Body,
  buyerOf,
  itemIdOf,
  itemPage,
  type ItemPages,
  licensePost,
  messageIn,
  openJson,
  onSuccess,
  pageAfter,
  recordIn,
  refusal,
  usesOf,
  withErrorFields,
} from '#core/marketplaces/json-api';
import { salesPermission } from '#core/marketplaces/easy-digital-downloads/descriptor';
import type {
  AskedItem,
  Complete,
  PurchaseReply,
  Reader,
  RelayRules,
  RequestAccess,
  SellerCall,
} from '#core/marketplaces/marketplace';
import { readAskedItem, readAt } from '#core/marketplaces/reply';
import type { Account, Item, Purchase, PurchaseProblem } from '#core/marketplaces/resources';
import {
  asList,
  identifier,
  lenientFields,
  namingUnreadable,
  objectOf,
  text,
} from '#core/marketplaces/wire';
import { fail, omitUndefined, succeed } from '#core/result';
import { isRecord } from '#core/record';

const check = '/';
const products = '/edd-api/v2/products/';
const sales = '/edd-api/v2/sales/';
const info = '/edd-api/v2/info/';
const pageSize = 50;

/** A key that cannot exist, sent to test the connection. */
const impossibleKey = '0'.repeat(32);

/** Sends public key and token as a form: in an address they would end up in the shop's logs. */
function keyedPost(
  access: RequestAccess,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): SellerRequest {
  const [key = '', token = ''] = access.apiKey.split(':');
  const own = access.connection.throughRelay === true ? {} : { key, token };
  return licensePost(access, path, { ...parameters, ...own });
}

/** Builds a request for products, which a shop lists without a key. */
function openGet(
  access: RequestAccess,
  parameters: Readonly<Record<string, string>>,
): SellerRequest {
  const { headers, ...request } = bearerGet(access, products, parameters);
  const { Authorization: _key, ...open } = headers;
  return { ...request, headers: access.connection.throughRelay === true ? headers : open };
}

/** Asks for the sale behind a key, which names what was bought. */
const saleCall = (id: string): SellerCall<Partial<Purchase>> => ({
  build: (access) => keyedPost(access, sales, { id }),
  read: onSuccess((body) => {
    const sale = asList(body['sales'])?.[0];
    const bought = isRecord(sale) ? (asList(sale['products']) ?? []) : [];
    const [only] = bought;
    // A sale of several products does not show which one the key is for.
    if (!isRecord(sale) || bought.length !== 1 || !isRecord(only)) return succeed({});
    const product = lenientFields(only);
    const date = lenientFields(sale).moment('date');
    return succeed(
      omitUndefined({
        item: bareItem(itemIdOf(product.text('id')), product.text('name')),
        licenseType: product.text('price_name'),
        date,
      }),
    );
  }),
});

/** The plugin's statuses for keys that it knows. A key that is not active anywhere, or not at our address, is valid. */
const known = new Map<string, PurchaseProblem['kind'] | undefined>([
  ['valid', undefined],
  ['inactive', undefined],
  ['site_inactive', undefined],
  ['expired', 'expired'],
  ['disabled', 'disabled'],
  ['revoked', 'disabled'],
  ['no_activations_left', undefined],
]);
/** Its statuses for keys of other items. Most versions answer one of them for every key if no item is named. */
const ofOtherItems = new Set(['invalid_item_id', 'item_name_mismatch']);
const unknown = new Set(['invalid', 'missing', 'key_mismatch']);

const checkSchema = v.looseObject({ license: text });

/** The date that some versions send for a key that never expires. */
const never: readonly unknown[] = ['lifetime', false, 0];

function readPurchase(body: Body, status: string, code: string, now: number, item?: AskedItem) {
  const fields = lenientFields(body);
  const payment = fields.text('payment_id');
  const expiresAt = never.includes(body['expires']) ? undefined : fields.moment('expires');
  const kind = known.get(status);
  const isPast = expiresAt !== undefined && expiresAt <= now;
  // The status decides, because the shop's time zone may distort the date.
  const problem: PurchaseProblem | undefined =
    kind === undefined
      ? expiresAt === undefined || isPast
        ? undefined
        : { kind: 'expired', from: expiresAt }
      : { kind, ...(kind === 'expired' && isPast && { from: expiresAt }) };
  const limit = fields.amount('license_limit');
  const count = fields.amount('site_count');
  const purchase: Purchase = omitUndefined({
    purchaseCode: code,
    licenseType: '',
    currency: '',
    item:
      item === undefined
        ? bareItem('-', `Payment ${payment || '-'}`)
        : bareItem(item.id, item.name),
    itemUnknown: item === undefined ? (true as const) : undefined,
    supportUnknown: true as const,
    expiresAt,
    problem,
    buyer: buyerOf(fields.text('customer_name'), fields.text('customer_email')),
    uses: usesOf(count, limit === 0 ? undefined : limit),
  });
  const named = namingUnreadable(purchase, fields);
  const complete: Complete = async (sendCall) => {
    const sale = await sendCall(saleCall(payment));
    if (!sale.ok || item !== undefined || sale.value.item === undefined)
      return sale.ok ? succeed(omitUndefined({ ...named, date: sale.value.date })) : sale;
    const { itemUnknown: _itemUnknown, ...rest } = named;
    return succeed({ ...rest, ...sale.value });
  };
  return succeed<PurchaseReply>({
    kind: 'purchase',
    purchase: named,
    ...(payment !== '' && { complete }),
  });
}

/**
 * Asks about a key. Our own address is sent because the plugin would otherwise take one from the User-Agent; this
 * activates nothing.
 */
const checkCall = (code: string, item?: AskedItem): SellerCall<PurchaseReply> => ({
  keyless: true,
  build: (access) =>
    licensePost(access, check, {
      edd_action: 'check_license',
      license: code,
      ...(item !== undefined && { item_id: String(item.id) }),
      url: access.connection.baseAddress,
    }),
  read: (raw, now) => {
    const opened = openJson(raw, now, { about: 'request' });
    if (!opened.ok) return opened;
    const { status, body } = opened.value;
    if (status >= 300) return refusal(status, body);
    const parsed = readAt(checkSchema, body, '$');
    if (!parsed.ok) return parsed;
    // Some shops call every key that cannot be activated invalid, and give its status as the reason.
    const reason = lenientFields(body).text('error');
    const license = known.has(reason) ? reason : parsed.value.license;
    if (known.has(license)) return readPurchase(body, license, code, now, item);
    if (unknown.has(license)) return succeed({ kind: 'not-found', msg: license, everywhere: true });
    return ofOtherItems.has(license)
      ? succeed({ kind: 'not-found', msg: license, known: true })
      : fail({ kind: 'refused', msg: license, about: 'request' });
  },
});

/** Asks for the currency of the shop, and whether the key may see sales. */
const infoCall: SellerCall<Account> = {
  build: (access) => keyedPost(access, info),
  read: onSuccess((body) => {
    const msg = messageIn(body);
    if (msg !== '') return fail({ kind: 'refused', msg, about: 'key' });
    const info = recordIn(body, 'info');
    if (lenientFields(recordIn(info, 'permissions')).flag(salesPermission) !== true)
      return fail({ kind: 'refused', msg, about: 'key', permission: salesPermission });
    return succeed(
      bareAccount({ currency: lenientFields(recordIn(info, 'site')).text('currency') }),
    );
  }),
};

const productSchema = objectOf(
  { info: v.looseObject({ id: identifier, title: text }) },
  (wire): Item => {
    const fields = lenientFields(wire.info);
    return omitUndefined({
      ...bareItem(wire.info.id, wire.info.title),
      description: fields.text('excerpt'),
      demoLink: fields.link('link'),
      media: omitUndefined({ thumbnail: fields.link('thumbnail'), screenshots: [] }),
      price: omitUndefined({
        regular: lenientFields(recordIn(wire, 'pricing')).amount('amount'),
      }),
      publishedAt: fields.moment('create_date'),
    });
  },
);

const pages: ItemPages = {
  keyless: true,
  build: (access, page) => openGet(access, { page: page || '1', number: String(pageSize) }),
  schema: productSchema,
  list: 'products',
  next: (_, page, count) => pageAfter(page, count < pageSize ? 0 : Infinity),
};

/**
 * Asks a shop with Easy Digital Downloads and its Software Licensing, which checks keys without authentication. Many
 * shops require the item: a key that is not found without one is checked with each product.
 */
export const easyDigitalDownloads: Reader = {
  keyless: true,

  // Adding dashes would make it another key.
  correctedSpelling: (code) => (/[A-F]/u.test(code) ? code.toLowerCase() : undefined),

  itemsToAsk: (sendCall) => askItems(sendCall, pages),

  lookUp: (code) => checkCall(code),

  purchase: (code, { item }) => checkCall(code, item),

  account: async (sendCall) => {
    const answered = await sendCall(checkCall(impossibleKey));
    if (!answered.ok) return answered;
    const account = await sendCall(infoCall);
    if (account.ok) return account;
    const { kind } = account.fault;
    return kind === 'no-key' || kind === 'relay-unavailable' ? succeed(bareAccount({})) : account;
  },

  asksByItem: true,

  items: (sendCall) => askItems(sendCall, pages),

  item: (id) => ({
    keyless: true,
    // A relay expects the id in the path.
    build: (access) =>
      access.connection.throughRelay === true
        ? bearerGet(access, products + String(id))
        : openGet(access, { product: String(id) }),
    read: onSuccess((body) => {
      const first = asList(body['products'])?.[0];
      return first === undefined
        ? succeed({ kind: 'not-found', msg: messageIn(body) })
        : readAskedItem(productSchema, first, 'products.0', id);
    }),
  }),
};

export const easyDigitalDownloadsRelayRules: RelayRules = {
  routes: [
    { kind: 'account', method: 'POST', path: info, call: () => infoCall },
    {
      kind: 'items',
      method: 'GET',
      path: products,
      parameters: ['page'],
      call: ([page = '']) => itemPage(pages, page),
    },
    {
      kind: 'item',
      method: 'GET',
      path: '/edd-api/v2/products/*',
      call: ([id = '']) => easyDigitalDownloads.item(itemIdOf(id)),
    },
    {
      kind: 'validation',
      method: 'POST',
      path: check,
      parameters: ['license', 'item_id'],
      call: ([code = '', id = '']) =>
        checkCall(code, id === '' ? undefined : { id: itemIdOf(id), name: '' }),
      probeCode: impossibleKey,
    },
    {
      kind: 'follow-up',
      method: 'POST',
      path: sales,
      parameters: ['id'],
      // Without an id the reply would list every sale.
      call: ([id = '']) => saleCall(id.trim() || '0'),
      // A sale also contains the buyer and the means of payment.
      fields: [
        'sales.date',
        'sales.products.id',
        'sales.products.name',
        'sales.products.price_name',
      ],
    },
  ],
  accountFields: /* @__PURE__ */ withErrorFields({
    license: [],
    'info.site.currency': [],
    'info.permissions.view_shop_reports': [],
  }),
};

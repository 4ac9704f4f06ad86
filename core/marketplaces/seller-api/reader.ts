import * as v from 'valibot';

import { correctedSpelling, sameCode } from '#core/codes/index';
import { bareItem, smallReplyLimits, relayHeaders } from '#core/marketplaces/json-api';
import { isServerTrouble, type RawReply, type SellerRequest } from '#core/http/exchange';
import type { Fault } from '#core/marketplaces/fault';
import type {
  CodeReader,
  ItemList,
  ItemReader,
  ItemReply,
  PurchaseReply,
  RelayRules,
  RequestAccess,
} from '#core/marketplaces/marketplace';
import {
  faultOfStatus,
  faultOfText,
  readAt,
  readItems,
  serverError,
  readAskedItem,
} from '#core/marketplaces/reply';
import type { Account, Item, Purchase } from '#core/marketplaces/resources';
import { safeUrl } from '#core/address/index';
import {
  code,
  identifier,
  lenientFields,
  namingUnreadable,
  optionalMoment,
  text,
} from '#core/marketplaces/wire';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { isRecord } from '#core/record';
import { parseAfterNotice } from '#core/encoding/index';
import type { ItemId } from '#core/item-id';

/** Asks the seller API of the specification, in the dialects of its deployments. */
export const sellerApi: CodeReader = {
  correctedSpelling,
  hasDialects: true,
  isOfCode,
  account: (sendCall) => sendCall({ build: accountRequest, read: readAccountReply }),
  purchase: (purchaseCode) => ({
    build: (access) => validationRequest(access, purchaseCode),
    read: (raw, now) => readValidationReply(raw, purchaseCode, now),
  }),
};

export const sellerApiItems: ItemReader = {
  items: (sendCall) => sendCall({ build: itemsRequest, read: readItemsReply }),
  item: (id) => ({
    build: (access) => itemRequest(access, id),
    read: (raw, now) => readItemReply(raw, id, now),
  }),
};

/** How the relay answers the four requests of the seller API (spec section 4). */
export const sellerApiRelayRules: RelayRules = {
  routes: [
    {
      kind: 'account',
      method: 'GET',
      path: '/api/account/details',
      call: () => ({ build: accountRequest, read: readAccountReply }),
    },
    {
      kind: 'items',
      method: 'GET',
      path: '/api/items/all',
      call: () => ({ build: itemsRequest, read: readItemsReply }),
    },
    {
      kind: 'item',
      method: 'GET',
      path: '/api/items/item',
      parameters: ['item_id'],
      call: ([id = '']) => ({
        build: (access) => itemRequest(access, id),
        read: (raw, now) => readItemReply(raw, Number(id), now),
      }),
    },
    {
      kind: 'validation',
      method: 'POST',
      path: '/api/purchases/validation',
      parameters: ['purchase_code'],
      call: ([purchaseCode = '']) => sellerApi.purchase(purchaseCode, {}),
    },
  ],
  accountFields: {
    status: [],
    msg: [],
    message: [],
    cloudflare_error: [],
    'data.username': [],
    'data.currency': [],
    'data.registered_at': [],
    'data.name': [],
    'data.name.firstname': [],
    'data.name.lastname': [],
    'data.name.full_name': [],
    'data.balance': ['balance'],
    'data.email': ['email'],
    'data.profile.heading': ['profile'],
    'data.profile.description': ['profile'],
    'data.profile.social_links.*': ['profile'],
    'data.profile.media.*': ['profile'],
    'data.profile.contact.*': ['profile', 'email'],
  },
};

type Parameters = [name: string, value: string][];

const long = { timeoutMs: 60_000, maxBytes: 32 * 1024 * 1024 };

/** Builds `GET /api/account/details` (spec section 4) with limits of 10 s and 1 MiB. */
export function accountRequest(access: RequestAccess): SellerRequest {
  return { ...get(access, '/api/account/details', []), ...smallReplyLimits };
}

/** Builds `GET /api/items/all` (spec section 4), which has no paging, with limits of 60 s and 32 MiB. */
export function itemsRequest(access: RequestAccess): SellerRequest {
  return { ...get(access, '/api/items/all', []), ...long };
}

/** Builds `GET /api/items/item` (spec section 4) with limits of 10 s and 1 MiB. */
export function itemRequest(access: RequestAccess, itemId: ItemId): SellerRequest {
  return { ...get(access, '/api/items/item', [['item_id', String(itemId)]]), ...smallReplyLimits };
}

/** Builds `POST /api/purchases/validation` (spec section 4) with limits of 10 s and 1 MiB. Sends the code unchanged. */
export function validationRequest(access: RequestAccess, purchaseCode: string): SellerRequest {
  const parameters: Parameters = [...keyParameter(access), ['purchase_code', purchaseCode]];
  return { ...post(access, '/api/purchases/validation', parameters), ...smallReplyLimits };
}

type Envelope = Omit<SellerRequest, 'timeoutMs' | 'maxBytes'>;

function get(access: RequestAccess, path: string, parameters: Parameters): Envelope {
  return {
    method: 'GET',
    url: addressOf(access, path, [...keyParameter(access), ...parameters]),
    headers: headersFor(access),
  };
}

function post(access: RequestAccess, path: string, parameters: Parameters): Envelope {
  const headers = headersFor(access);
  const bare = { method: 'POST', url: addressOf(access, path, []), headers } as const;
  switch (access.connection.dialect.encoding) {
    case 'form':
      return {
        ...bare,
        headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' },
        body: { type: 'text', text: encode(parameters) },
      };
    case 'json':
      return {
        ...bare,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: { type: 'text', text: JSON.stringify(Object.fromEntries(parameters)) },
      };
    case 'multipart':
      return { ...bare, body: { type: 'multipart', fields: parameters } };
    case 'query':
      return { ...bare, url: addressOf(access, path, parameters) };
  }
}

function keyParameter({ apiKey, connection }: RequestAccess): Parameters {
  return connection.dialect.keyPlacement === 'parameter' ? [['api_key', apiKey]] : [];
}

function headersFor(access: RequestAccess): Record<string, string> {
  const { apiKey, connection } = access;
  const headers = { Accept: 'application/json', ...relayHeaders(access) };
  switch (connection.dialect.keyPlacement) {
    case 'parameter':
      return headers;
    case 'X-API-Key':
      return { ...headers, 'X-API-Key': apiKey };
    case 'Authorization':
      return { ...headers, Authorization: `Bearer ${apiKey}` };
  }
}

function addressOf({ connection }: RequestAccess, path: string, parameters: Parameters): string {
  const { baseAddress } = connection;
  const query = encode(parameters);
  return query === '' ? baseAddress + path : `${baseAddress}${path}?${query}`;
}

function encode(parameters: Parameters): string {
  return new URLSearchParams(parameters).toString();
}

/**
 * Reads the reply to `accountRequest` (spec sections 2, 4 and 7). Never throws: every failure is a `Fault`.
 * @param now epoch milliseconds, for a wait that the server does not specify
 */
export function readAccountReply(raw: RawReply, now: number): Result<Account, Fault> {
  const opened = openReply(raw, now);
  if (!opened.ok) return opened;
  // The key is this endpoint's only parameter, so an error is about the key.
  if (opened.value.kind === 'error') {
    return fail({ kind: 'refused', msg: opened.value.msg, about: 'key' });
  }
  const { data } = opened.value.body;
  return readAt(accountSchema, data, 'data');
}

/**
 * Reads the reply to `itemsRequest` (spec sections 2, 4 and 7). Entries that cannot be read are left out and named; it
 * fails with `unreadable` when none can be read. Never throws.
 * @param now epoch milliseconds, for a wait that the server does not specify
 */
export function readItemsReply(raw: RawReply, now: number): Result<ItemList, Fault> {
  const opened = openReply(raw, now);
  if (!opened.ok) return opened;
  if (opened.value.kind === 'error') {
    return succeed({ items: [], unreadable: [], noneFound: { msg: opened.value.msg } });
  }
  const { items: sent } = opened.value.body;
  return readItems(itemSchema, sent, 'items');
}

/**
 * Reads the reply to `itemRequest` (spec sections 2, 4 and 7). Never throws: every failure is a `Fault`.
 * @param askedId an item with another id is the fault `mismatch`
 * @param now epoch milliseconds, for a wait that the server does not specify
 */
export function readItemReply(
  raw: RawReply,
  askedId: ItemId,
  now: number,
): Result<ItemReply, Fault> {
  const opened = openReply(raw, now);
  if (!opened.ok) return opened;
  if (opened.value.kind === 'error') return succeed({ kind: 'not-found', msg: opened.value.msg });
  const { item: sent } = opened.value.body;
  return readAskedItem(itemSchema, sent, 'item', askedId);
}

/**
 * Reads the reply to `validationRequest` (spec sections 2, 4 and 7). Never throws: every failure is a `Fault`.
 * @param askedCode a purchase with another code is the fault `mismatch`
 * @param now epoch milliseconds, for a wait that the server does not specify
 *
 * @example
 * const body = new TextEncoder().encode('{"status":"error","msg":"Purchase not found"}');
 * readValidationReply({ status: 404, contentType: 'application/json', body }, code, now)
 * // { ok: true, value: { kind: 'not-found', msg: 'Purchase not found' } }
 */
export function readValidationReply(
  raw: RawReply,
  askedCode: string,
  now: number,
): Result<PurchaseReply, Fault> {
  const opened = openReply(raw, now);
  if (!opened.ok) return opened;
  if (opened.value.kind === 'error') {
    const { msg } = opened.value;
    return isOfCode(msg)
      ? succeed({ kind: 'not-found', msg })
      : fail({ kind: 'refused', msg, about: 'request' });
  }
  const { value, path } = locatePurchase(opened.value.body);
  const purchase = readAt(purchaseSchema, value, path);
  if (!purchase.ok) return purchase;
  if (!sameCode(purchase.value.purchaseCode, askedCode)) return fail({ kind: 'mismatch' });
  return succeed({ kind: 'purchase', purchase: purchase.value });
}

const ofSender =
  /\b(?:api|token|unauth\w+|forbidden|permission|ip|account|suspended|request|method|connection|database|exception|sqlstate)\b/i;
const ofCode = /\b(?:code|purchase|licen[cs]e|sale|order)\b/i;

/**
 * Tells whether an error message may be about the code: true unless it is clearly about something else, in any
 * language.
 */
function isOfCode(msg: string): boolean {
  return ofCode.test(msg) || !ofSender.test(msg);
}

/** Finds the purchase in a reply; some deployments send it under `item`. */
function locatePurchase(body: Readonly<Record<string, unknown>>): { value: unknown; path: string } {
  const { data, item } = body;
  const { purchase } = isRecord(data) ? data : {};
  if (!isRecord(purchase) && isRecord(item) && Object.hasOwn(item, 'purchase_code')) {
    return { value: item, path: 'item' };
  }
  return { value: purchase, path: 'data.purchase' };
}

type Body = Readonly<Record<string, unknown>>;

/** Errors in the request itself, so they say nothing about a code or an item. */
const aboutTheRequest = new Set([405, 406, 408, 411, 413, 414, 415, 425, 431]);

/**
 * Classifies a reply as success, API error or fault (spec section 7). The body decides: `status: "error"` is an API
 * error at any HTTP status, and any other word in `status` is a success at 2xx, since deployments translate it. A body
 * with only a `msg` is an error too, and one with a flag such as `success: false` is a fault. Never throws.
 *
 * HTTP 429, 502, 503 and 504 are faults whatever the body holds. 401 and 403 are read as a refused key; a code check
 * confirms that with an account check.
 * @param now epoch milliseconds; a 429 without `Retry-After` is retried 60,000 ms later
 * @returns a success, whose fields are not validated yet, or the message of an API error, `''` when none was sent
 */
export function openReply(
  raw: RawReply,
  now: number,
): Result<
  | { readonly kind: 'success'; readonly body: Body }
  | { readonly kind: 'error'; readonly msg: string },
  Fault
> {
  const { status } = raw;
  const failed = faultOfStatus(raw, now);
  if (failed !== undefined) return fail(failed);
  const text = new TextDecoder().decode(raw.body);
  const json = parseAfterNotice(text);
  const ownError = isRecord(json) && isErrorBody(json);
  if (status >= 500 && !ownError) return fail(serverError(raw));
  if (json === undefined) return fail(faultOfText(raw, text));
  if (!isRecord(json)) return fail({ kind: 'unreadable', path: '$' });

  // Some deployments mark a failure with a flag of their own.
  const flags = lenientFields(json);
  const isFlagged = [json['status'], flags.flag('success'), !flags.flag('error')].includes(false);
  const isOk = status >= 200 && status < 300 && !isFlagged;
  if (!ownError && isOk) return succeed({ kind: 'success', body: json });
  // A 404 in JSON without the API's error body comes from the web framework.
  if (!ownError && status === 404) return fail({ kind: 'api-off' });
  const msg = messageOf(json);
  const isAboutKey = (status === 401 || status === 403) && !isServerTrouble(msg);
  if (isAboutKey) return fail({ kind: 'refused', msg, about: 'key' });
  return ownError && !aboutTheRequest.has(status) && !isServerTrouble(msg)
    ? succeed({ kind: 'error', msg })
    : fail({ kind: 'refused', msg, about: 'request' });
}

function isErrorBody({ status, msg, data, item, items }: Body): boolean {
  if (status === 'error') return true;
  const holdsNothing = [data, item, items].every((part) => part === undefined || part === null);
  return typeof status === 'string' && typeof msg === 'string' && holdsNothing;
}

/** Returns the server's `msg`, or a framework's `message`. */
function messageOf({ msg, message }: Body): string {
  if (typeof msg === 'string') return msg;
  return typeof message === 'string' ? message : '';
}

const known = ['username', 'name', 'email', 'balance', 'currency', 'profile', 'registered_at'];

/**
 * Reads an account (spec section 2, "Account" and "Profile"). All fields are optional, since a relay may leave some
 * out, but at least one known field must be present, so that another kind of answer is not read as an account.
 */
const accountSchema = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(
    (value) => isRecord(value) && known.some((name) => Object.hasOwn(value, name)),
  ),
  v.transform((wire): Account => {
    const fields = lenientFields(wire);
    const name = fields.within('name');
    const profile = fields.within('profile');
    const media = profile.within('media');
    const contactEmail = profile.within('contact').text('email');
    const account = omitUndefined({
      username: fields.text('username'),
      email: fields.text('email'),
      name: {
        first: name.text('firstname'),
        last: name.text('lastname'),
        full: name.text('full_name'),
      },
      balance: fields.amount('balance'),
      currency: fields.text('currency'),
      registeredAt: fields.moment('registered_at'),
      profile: omitUndefined({
        heading: profile.text('heading'),
        description: profile.text('description'),
        contactEmail: contactEmail === '' ? undefined : contactEmail,
        socialLinks: profile.pairs('social_links').flatMap(([network, value]) => {
          const url = safeUrl(value);
          return url === undefined ? [] : [{ network, url }];
        }),
        avatar: media.link('avatar'),
        cover: media.link('cover'),
      }),
    });
    return namingUnreadable(account, fields);
  }),
);

/** Reads an item (spec section 2, "Item" and "Item media"). Only its id and name must be readable. */
const itemSchema = v.pipe(
  v.looseObject({ id: identifier, name: text }),
  v.transform((wire): Item => {
    const fields = lenientFields(wire);
    const media = fields.within('media');
    const price = fields.within('price');
    const item = omitUndefined({
      ...bareItem(wire.id, wire.name),
      description: fields.text('description'),
      category: fields.text('category'),
      subCategory: fields.text('sub_category'),
      options: fields.texts('options'),
      version: fields.text('version'),
      demoLink: fields.link('demo_link'),
      tags: fields.texts('tags'),
      media: omitUndefined({
        thumbnail: media.link('thumbnail'),
        previewImage: media.link('preview_image'),
        previewVideo: media.link('preview_video'),
        previewAudio: media.link('preview_audio'),
        screenshots: media.links('screenshots'),
      }),
      price: omitUndefined({
        regular: price.amount('regular'),
        extended: price.amount('extended'),
      }),
      currency: fields.text('currency'),
      publishedAt: fields.moment('published_at'),
    });
    return namingUnreadable(item, fields);
  }),
);

/**
 * Reads a purchase (spec section 2, "Purchase"). The fields that a verdict needs must be readable; other unreadable
 * fields are left out.
 */
const purchaseSchema = v.pipe(
  v.looseObject({
    purchase_code: code,
    item: itemSchema,
    supported_until: optionalMoment,
  }),
  v.transform((wire): Purchase => {
    const fields = lenientFields(wire);
    const purchase = omitUndefined({
      purchaseCode: wire.purchase_code,
      licenseType: fields.text('license_type'),
      price: fields.amount('price'),
      currency: fields.text('currency'),
      item: wire.item,
      supportedUntil: wire.supported_until ?? undefined,
      downloaded: fields.flag('downloaded'),
      date: fields.moment('date'),
    });
    return namingUnreadable(purchase, fields);
  }),
);

import * as v from 'valibot';

import { sameCode } from '#core/check/code-spelling';
import { minSearchedKeyLength } from '#core/connections/api-key';
import { omitUndefined } from '#core/omit-undefined';
import { type Result, fail, succeed } from '#core/result';
import type { RawReply } from '#core/marketplaces/exchange';
import type { Fault } from '#core/marketplaces/fault';
import type { Account, Item, Purchase } from '#core/marketplaces/resources';
import { safeUrl } from '#core/marketplaces/safe-url';
import {
  asList,
  code,
  identifier,
  isRecord,
  lenientFields,
  moment,
  optionalMoment,
  text,
} from '#core/marketplaces/wire';
import { parseJson } from '#core/text/json';

/** Holds the items of an account. */
export interface ItemList {
  readonly items: readonly Item[];
  /** Entries that could not be read: their position in the reply, from 0, and the path of the field. */
  readonly unreadable: readonly { readonly index: number; readonly path: string }[];
  /**
   * The server's message that there are none. Some deployments send it to an account with exactly one item, which can still be
   * requested by its id.
   */
  readonly noneFound?: { readonly msg: string };
}

/** States that the account has no such item or purchase, with the server's message. */
interface Missing {
  readonly kind: 'not-found';
  readonly msg: string;
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
 * Reads the reply to `itemsRequest` (spec sections 2, 4 and 7). Entries that cannot be read are left out and named; it fails with
 * `unreadable` when none can be read. Never throws.
 * @param now epoch milliseconds, for a wait that the server does not specify
 */
export function readItemsReply(raw: RawReply, now: number): Result<ItemList, Fault> {
  const opened = openReply(raw, now);
  if (!opened.ok) return opened;
  if (opened.value.kind === 'error') {
    return succeed({ items: [], unreadable: [], noneFound: { msg: opened.value.msg } });
  }
  const { items: sent } = opened.value.body;
  const entries = asList(sent);
  if (entries === undefined) return fail({ kind: 'unreadable', path: 'items' });

  const items: Item[] = [];
  const unreadable: { index: number; path: string }[] = [];
  for (const [index, entry] of entries.entries()) {
    const read = readAt(itemSchema, entry, `items.${String(index)}`);
    if (read.ok) items.push(read.value);
    else unreadable.push({ index, path: read.fault.path });
  }
  const [first] = unreadable;
  if (items.length === 0 && first !== undefined) {
    return fail({ kind: 'unreadable', path: first.path });
  }
  return succeed({ items, unreadable });
}

/**
 * Reads the reply to `itemRequest` (spec sections 2, 4 and 7). Never throws: every failure is a `Fault`.
 * @param askedId an item with another id is the fault `mismatch`
 * @param now epoch milliseconds, for a wait that the server does not specify
 */
export function readItemReply(
  raw: RawReply,
  askedId: number,
  now: number,
): Result<{ readonly kind: 'item'; readonly item: Item } | Missing, Fault> {
  const opened = openReply(raw, now);
  if (!opened.ok) return opened;
  if (opened.value.kind === 'error') return succeed({ kind: 'not-found', msg: opened.value.msg });
  const { item: sent } = opened.value.body;
  const item = readAt(itemSchema, sent, 'item');
  if (!item.ok) return item;
  if (item.value.id !== askedId) return fail({ kind: 'mismatch' });
  return succeed({ kind: 'item', item: item.value });
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
): Result<{ readonly kind: 'purchase'; readonly purchase: Purchase } | Missing, Fault> {
  const opened = openReply(raw, now);
  if (!opened.ok) return opened;
  if (opened.value.kind === 'error') return succeed({ kind: 'not-found', msg: opened.value.msg });
  const { value, path } = locatePurchase(opened.value.body);
  const purchase = readAt(purchaseSchema, value, path);
  if (!purchase.ok) return purchase;
  if (!sameCode(purchase.value.purchaseCode, askedCode)) return fail({ kind: 'mismatch' });
  return succeed({ kind: 'purchase', purchase: purchase.value });
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

function readAt<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  path: string,
): Result<v.InferOutput<Schema>, Extract<Fault, { kind: 'unreadable' }>> {
  const read = v.safeParse(schema, value, { abortEarly: true });
  if (read.success) return succeed(read.output);
  const within = v.getDotPath(read.issues[0]);
  return fail({ kind: 'unreadable', path: within === null ? path : `${path}.${within}` });
}

type Body = Readonly<Record<string, unknown>>;

/** Holds a reply that is classified as success or error; its fields are not validated yet. */
export type OpenedReply =
  | { readonly kind: 'success'; readonly body: Body }
  /** The API's error body (spec section 7), at any HTTP status. `msg` is `''` when none was sent. */
  | { readonly kind: 'error'; readonly msg: string };

const defaultWaitMs = 60_000;
/** Lists the statuses that gateways send, with any body, when they could not reach the server. */
export const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** Errors in the request itself, so they say nothing about a code or an item. */
const aboutTheRequest = new Set([405, 406, 408, 411, 413, 414, 415, 425, 431]);

/**
 * Classifies a reply as success, API error or fault (spec section 7). The body decides: `status: "error"` is an API error at any
 * HTTP status, and any other word in `status` is a success at 2xx, since deployments translate it. A body with only a `msg` is an
 * error too. Never throws.
 *
 * HTTP 429, 502, 503 and 504 are faults whatever the body holds. 401 and 403 are read as a refused key; a code check confirms
 * that with an account check.
 * @param now epoch milliseconds; a 429 without `Retry-After` is retried 60,000 ms later
 */
export function openReply(raw: RawReply, now: number): Result<OpenedReply, Fault> {
  const { status } = raw;
  if (status === 429) {
    return fail({
      kind: 'rate-limited',
      retryAt: raw.retryAt ?? now + defaultWaitMs,
      by: 'server',
    });
  }
  if (gatewayStatuses.has(status)) return fail(serverError(raw));
  const text = new TextDecoder().decode(raw.body);
  const whole = parseJson(text);
  const json = whole === undefined ? parseAfterNotice(text) : whole;
  const ownError = isRecord(json) && isErrorBody(json);
  if (status >= 500 && !ownError) return fail(serverError(raw));
  if (json === undefined) return fail(faultOfText(raw, text));
  if (!isRecord(json)) return fail({ kind: 'unreadable', path: '$' });

  const msg = messageOf(json);
  if (status === 401 || status === 403) return fail({ kind: 'refused', msg, about: 'key' });
  if (ownError) {
    return aboutTheRequest.has(status)
      ? fail({ kind: 'refused', msg, about: 'request' })
      : succeed({ kind: 'error', msg });
  }
  if (status >= 200 && status < 300) return succeed({ kind: 'success', body: json });
  // A 404 in JSON without the API's error body comes from the web framework.
  if (status === 404) return fail({ kind: 'api-off' });
  return fail({ kind: 'refused', msg, about: 'request' });
}

function serverError({ status, retryAt }: RawReply): Fault {
  return { kind: 'server-error', status, ...(retryAt !== undefined && { retryAt }) };
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

/** Parses a body after a PHP notice, provided that everything from the first brace on is JSON. */
function parseAfterNotice(text: string): unknown {
  const brace = text.indexOf('{');
  return brace > 0 ? parseJson(text.slice(brace)) : undefined;
}

function faultOfText({ status, contentType }: RawReply, text: string): Fault {
  const isHtml = /\bx?html\b/i.test(contentType) || text.trimStart().startsWith('<');
  const meantJson = /\bjson\b/i.test(contentType) || text.trimStart().startsWith('{');
  if (status === 404 && (isHtml || !meantJson)) return { kind: 'api-off' };
  const suspected = isHtml && status < 400;
  return { kind: 'not-json', status, userAgent: suspected ? 'suspected' : 'ruled-out' };
}

const known = ['username', 'name', 'email', 'balance', 'currency', 'profile', 'registered_at'];

/**
 * Reads an account (spec section 2, "Account" and "Profile"). All fields are optional, since a relay may leave some out, but one
 * known field must be present so that another kind of answer is not read as an account.
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
    const { unreadable } = fields;
    return unreadable.length === 0 ? account : { ...account, unreadable };
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
      id: wire.id,
      name: wire.name,
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
    const { unreadable } = fields;
    return unreadable.length === 0 ? item : { ...item, unreadable };
  }),
);

/** Reads a purchase (spec section 2, "Purchase"). The fields that a verdict needs must be readable; other unreadable fields are left out. */
const purchaseSchema = v.pipe(
  v.looseObject({
    purchase_code: code,
    license_type: text,
    item: itemSchema,
    supported_until: optionalMoment,
    date: moment,
  }),
  v.transform((wire): Purchase => {
    const fields = lenientFields(wire);
    const purchase = omitUndefined({
      purchaseCode: wire.purchase_code,
      licenseType: wire.license_type,
      price: fields.amount('price'),
      currency: fields.text('currency'),
      item: wire.item,
      supportedUntil: wire.supported_until ?? undefined,
      downloaded: fields.flag('downloaded'),
      date: wire.date,
    });
    const { unreadable } = fields;
    return unreadable.length === 0 ? purchase : { ...purchase, unreadable };
  }),
);

/**
 * Replaces the API key by dots in each text of what was read from a reply, since a server may repeat the key that it was sent:
 * the key does not leave the worker. A key of fewer than 12 characters is not looked for, nor an encoded one.
 * @param read JSON; returned as it is where the key is not in it
 */
export function hideKey<T>(read: T, apiKey: string): T {
  const json = JSON.stringify(read);
  if (apiKey.length < minSearchedKeyLength || !json.includes(JSON.stringify(apiKey).slice(1, -1)))
    return read;
  return JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(apiKey, '••••') : value,
  ) as T;
}

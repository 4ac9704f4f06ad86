import type { RawReply, SellerRequest } from '#core/http/exchange';
import type { Fault } from '#core/marketplaces/fault';
import type {
  AccountFields,
  SendCall,
  ItemList,
  Missing,
  RequestAccess,
  SellerCall,
} from '#core/marketplaces/marketplace';
import { faultOfStatus, faultOfText, readItems, serverError } from '#core/marketplaces/reply';
import type { Account, Item, Purchase, PurchaseProblem } from '#core/marketplaces/resources';
import { lenientFields, type LenientFields } from '#core/marketplaces/wire';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { isRecord } from '#core/record';
import { parseAfterNotice } from '#core/encoding/index';
import type { ItemId } from '#core/item-id';
import type * as v from 'valibot';

// Shared by marketplaces that take the key as `Authorization: Bearer` and answer in JSON.

export type Body = Readonly<Record<string, unknown>>;

export const smallReplyLimits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };

/** Headers that tell a relay what kind of work this is. They are never sent to a marketplace. */
export function relayHeaders({
  connection,
  priority,
  fresh,
}: RequestAccess): Readonly<Record<string, string>> {
  if (connection.throughRelay !== true) return {};
  return {
    // Without this header, `fetch` would make every cache on the way ask for a new answer, because our requests use
    // `no-store`.
    'Cache-Control': fresh === true ? 'no-cache' : 'max-age=3600',
    ...(priority === 'bulk' && { 'Counterfoil-Work': 'bulk' }),
  };
}

/** Builds a GET with the key as `Authorization: Bearer`. */
export function bearerGet(
  access: RequestAccess,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): SellerRequest {
  const query = new URLSearchParams(parameters).toString();
  return {
    method: 'GET',
    url: `${access.connection.baseAddress}${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      Accept: 'application/json',
      ...headers,
      ...relayHeaders(access),
      Authorization: `Bearer ${access.apiKey}`,
    },
    ...smallReplyLimits,
  };
}

/**
 * Builds the POST of a license check. It needs no key, so it carries none, except to a relay, which needs its token.
 * @param asJson whether the parameters are sent as JSON instead of a form
 */
export function licensePost(
  access: RequestAccess,
  path: string,
  parameters: Readonly<Record<string, string>>,
  asJson = false,
): SellerRequest {
  const { connection, apiKey } = access;
  return {
    method: 'POST',
    url: connection.baseAddress + path,
    headers: {
      Accept: 'application/json',
      ...relayHeaders(access),
      ...(connection.throughRelay === true && { Authorization: `Bearer ${apiKey}` }),
      'Content-Type': asJson
        ? 'application/json'
        : 'application/x-www-form-urlencoded;charset=UTF-8',
    },
    body: {
      type: 'text',
      text: asJson ? JSON.stringify(parameters) : new URLSearchParams(parameters).toString(),
    },
    ...smallReplyLimits,
  };
}

/** The subject of a refusal, HTTP 401 or 403. */
interface Refusal {
  /** `request`: it was sent without a key. */
  readonly about?: 'key' | 'request';
  /** The permission that the key lacks if the marketplace answers 403. */
  readonly permission?: string | undefined;
}

/**
 * Opens a JSON reply of any status below 500. HTTP 401 and 403 give the fault `refused`, even with an empty body. An
 * HTML page is from a gateway and says nothing about a key.
 * @param now epoch milliseconds
 */
export function openJson(
  raw: RawReply,
  now: number,
  { about = 'key', permission }: Refusal = {},
): Result<{ readonly status: number; readonly body: Body }, Fault> {
  const { status } = raw;
  const failed = faultOfStatus(raw, now);
  if (failed !== undefined) return fail(failed);
  const text = new TextDecoder().decode(raw.body);
  const body = parseAfterNotice(text);
  if ((status === 401 || status === 403) && (body !== undefined || text.trim() === '')) {
    const msg = messageIn(body) || `HTTP ${String(status)}`;
    const lacks = status === 403 ? permission : undefined;
    return fail(omitUndefined({ kind: 'refused', msg, about, permission: lacks }));
  }
  if (status >= 500) return fail(serverError(raw));
  if (body === undefined) return fail(faultOfText(raw, text));
  return isRecord(body) ? succeed({ status, body }) : fail({ kind: 'unreadable', path: '$' });
}

/** Opens a reply in which only 2xx is a success. See `openJson` for the parameters. */
export function openSuccess(raw: RawReply, now: number, permission?: string): Result<Body, Fault> {
  const opened = openJson(raw, now, { permission });
  if (!opened.ok) return opened;
  const { status, body } = opened.value;
  return status < 300 && body['success'] !== false ? succeed(body) : refusal(status, body);
}

/** Returns a reader of successful replies; any other reply gives the fault of `openSuccess`. */
export function onSuccess<T>(
  read: (body: Body) => Result<T, Fault>,
  permission?: string,
): SellerCall<T>['read'] {
  return (raw, now) => {
    const body = openSuccess(raw, now, permission);
    return body.ok ? read(body.value) : body;
  };
}

/** Returns the fault for a reply without an answer. A 404 is from a gateway or a framework. */
export function refusal(status: number, body: Body): Result<never, Fault> {
  return fail(
    status === 404
      ? { kind: 'api-off' }
      : { kind: 'refused', msg: messageIn(body), about: 'request' },
  );
}

/**
 * Reads a reply that may mean "not found": by its status, or by a success whose `error` is 404.
 * @param now epoch milliseconds
 * @param isMissing tells whether the marketplace itself says so; any other 404 is from a gateway or a framework
 */
export function readFound<T>(
  raw: RawReply,
  now: number,
  read: (body: Body) => Result<T, Fault>,
  isMissing: (status: number, body: Body) => boolean,
): Result<T | Missing, Fault> {
  const opened = openJson(raw, now);
  if (!opened.ok) return opened;
  const { status, body } = opened.value;
  if (isMissing(status, body) || (status < 300 && body['error'] === 404))
    return succeed({ kind: 'not-found', msg: messageIn(body) });
  const success = openSuccess(raw, now);
  return success.ok ? read(success.value) : success;
}

const messageNames = ['error_description', 'description', 'message', 'detail', 'title', 'error'];

const errorFields = ['success', 'error.message', 'errors.detail', 'cloudflare_error'];

/** Adds the fields of an error that a relay passes on to every role. */
export function withErrorFields(fields: AccountFields): AccountFields {
  return {
    ...Object.fromEntries([...errorFields, ...messageNames].map((name) => [name, []])),
    ...fields,
  };
}

/** Turns the text of an item's id in a request into the id as replies have it. */
export function itemIdOf(text: string): ItemId {
  return /^\d{1,15}$/u.test(text) ? Number(text) : text;
}

/** Returns the server's error message in any of the usual forms; `''` if there is none. */
export function messageIn(body: unknown): string {
  if (!isRecord(body)) return '';
  const { errors, error } = body;
  const own = messageNames
    .map((name) => body[name])
    .find((text) => typeof text === 'string' && text !== '');
  return typeof own === 'string' ? own : messageIn(Array.isArray(errors) ? errors[0] : error);
}

/** Returns the member of a record if it is itself a record, else an empty record. */
export function recordIn(body: Body, name: string): Body {
  const value = body[name];
  return isRecord(value) ? value : {};
}

/** A page of items may take 20 s and 8 MiB: an item with its description may have tens of kB. */
const page = { timeoutMs: 20_000, maxBytes: 8 * 1024 * 1024 };

export interface ItemPages {
  readonly keyless?: true;
  /** Builds the request for a page by its name; the first page's name is `''`. */
  readonly build: (access: RequestAccess, page: string) => SellerRequest;
  readonly schema: v.GenericSchema<unknown, Item>;
  /** The name of the list in a reply. */
  readonly list: string;
  /** Returns the name of the next page, if there is one. @param count how many entries this page has */
  readonly next: (body: Body, page: string, count: number) => string | undefined;
  /** The permission that the key lacks if the marketplace answers 403. */
  readonly permission?: string;
}

/** Returns the name of the next page if pages are numbered from 1; undefined after the last. */
export function pageAfter(page: string, last: number): string | undefined {
  const here = Number(page || '1');
  return here < last ? String(here + 1) : undefined;
}

/** Asks for one page of an account's items. @param name of the page, `''` for the first */
export function itemPage(
  { build, schema, list, next, permission, ...pages }: ItemPages,
  name: string,
): SellerCall<ItemList & { readonly next: string | undefined }> {
  return {
    ...pages,
    build: (access) => ({ ...build(access, name), ...page }),
    read: onSuccess((body) => {
      const entries = readItems(schema, body[list], list);
      if (!entries.ok) return entries;
      const count = entries.value.items.length + entries.value.unreadable.length;
      return succeed({ ...entries.value, next: next(body, name, count) });
    }, permission),
  };
}

/** A list with more pages counts as endless; this is 10,000 items at ten per page. */
const maxPages = 1000;

/**
 * Asks for all items of an account, page by page. An endless list is the fault `unreadable`, since a part of it proves
 * nothing.
 */
export async function askItems(
  sendCall: SendCall,
  list: ItemPages,
): Promise<Result<ItemList, Fault>> {
  const items: Item[] = [];
  const unreadable: ItemList['unreadable'][number][] = [];
  let next: string | undefined = '';
  for (let pages = 0; next !== undefined; pages += 1) {
    if (pages === maxPages) return fail({ kind: 'unreadable', path: list.list });
    const read: Result<ItemList & { readonly next: string | undefined }, Fault> = await sendCall(
      itemPage(list, next),
    );
    if (!read.ok) return read;
    const before = items.length + unreadable.length;
    items.push(...read.value.items);
    for (const { index, path } of read.value.unreadable)
      unreadable.push({ index: index + before, path });
    next = read.value.next;
  }
  return succeed({ items, unreadable });
}

/**
 * Reads the optional fields that may invalidate a purchase. An unreadable one is a fault, since it may be the one that
 * does.
 * @param path of the record in the reply
 */
export function readProblem(
  record: Body,
  path: string,
  judge: (fields: LenientFields) => PurchaseProblem | undefined,
): Result<PurchaseProblem | undefined, Fault> {
  const fields = lenientFields(record);
  const problem = judge(fields);
  const [unreadable] = fields.unreadable;
  return unreadable === undefined
    ? succeed(problem)
    : fail({ kind: 'unreadable', path: `${path}.${unreadable}` });
}

/**
 * Completes a purchase with further requests, one after the other. Parts that could not be read are listed in
 * `unreadable`; but if a key is missing or time runs out, the fault is returned.
 * @param parts keyed by the name used in `unreadable`
 */
export async function completePurchase(
  purchase: Purchase,
  parts: Readonly<Record<string, () => Promise<Result<Partial<Purchase>, Fault>>>>,
): Promise<Result<Purchase, Fault>> {
  let whole = purchase;
  for (const [name, askPart] of Object.entries(parts)) {
    const part = await askPart();
    const { itemUnknown: _itemUnknown, ...known } = whole;
    if (part.ok) whole = { ...(part.value.item === undefined ? whole : known), ...part.value };
    else if (isOfLater(part.fault)) return part;
    else whole = { ...whole, unreadable: [...(whole.unreadable ?? []), name] };
  }
  return succeed(whole);
}

function isOfLater(fault: Fault): boolean {
  const reason = fault.kind === 'relay-unavailable' ? fault.reason : fault.kind;
  return ['rate-limited', 'locked', 'no-key'].includes(reason);
}

/** Builds the buyer from the known fields, if any. */
export function buyerOf(name: string, email: string): Purchase['buyer'] {
  if (name === '' && email === '') return undefined;
  return { ...(name !== '' && { name }), ...(email !== '' && { email }) };
}

/** Decodes HTML entities, since some shops store names as HTML. */
function withoutEntities(name: string): string {
  return name
    .replaceAll(/&#(\d{2,6});/gu, (_, point) => String.fromCodePoint(Number(point)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** Returns an item with only an id and a name. */
export function bareItem(id: ItemId, name: string): Item {
  return {
    id,
    name: withoutEntities(name),
    description: '',
    category: '',
    subCategory: '',
    options: [],
    version: '',
    tags: [],
    media: { screenshots: [] },
    price: {},
    currency: '',
  };
}

/** Returns an account with only these fields. */
export function bareAccount({
  avatar,
  ...known
}: Partial<Account> & { readonly avatar?: string | undefined }): Account {
  return {
    username: '',
    email: '',
    name: { first: '', last: '', full: '' },
    currency: '',
    profile: omitUndefined({ heading: '', description: '', socialLinks: [], avatar }),
    ...known,
  };
}

/**
 * Asks for an account whose owner's name is a single field.
 * @param find finds its record in a reply
 * @param path of the record
 * @param read returns the fields other than name and address
 */
export function ownerCall(
  build: SellerCall<Account>['build'],
  {
    find,
    path,
    read,
    permission,
  }: {
    readonly find: (body: Body) => unknown;
    readonly path: string;
    readonly read: (owner: LenientFields) => Parameters<typeof bareAccount>[0];
    readonly permission?: string;
  },
): SellerCall<Account> {
  return {
    build,
    read: onSuccess((body) => {
      const owner = find(body);
      if (!isRecord(owner)) return fail({ kind: 'unreadable', path });
      const fields = lenientFields(owner);
      const full = fields.text('name');
      const name = { first: '', last: '', full };
      const email = fields.text('email');
      return succeed(bareAccount({ username: full, email, name, ...read(fields) }));
    }, permission),
  };
}

/** Returns how often a code was used and may be used; undefined if that is not reported. */
export function usesOf(count: number | undefined, limit?: number): Purchase['uses'] {
  return count === undefined ? undefined : omitUndefined({ count, limit });
}

import * as v from 'valibot';

import { fail, type Result, succeed } from '#core/result';
import type { Account } from '#core/seller/account';
import type { RawReply } from '#core/seller/exchange';
import type { Fault } from '#core/seller/fault';
import type { Item } from '#core/seller/item';
import { openReply } from '#core/seller/opened-reply';
import type { Purchase } from '#core/seller/purchase';
import { accountSchema } from '#core/seller/read-account';
import { itemSchema } from '#core/seller/read-item';
import { purchaseSchema } from '#core/seller/read-purchase';
import { sameCode } from '#core/check/same-code';
import { asList, isRecord } from '#core/seller/wire';

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

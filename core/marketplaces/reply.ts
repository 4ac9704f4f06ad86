import * as v from 'valibot';

import { gatewayStatuses, type RawReply } from '#core/http/exchange';
import type { Fault } from '#core/marketplaces/fault';
import type { ItemList, ItemReply } from '#core/marketplaces/marketplace';
import type { Item } from '#core/marketplaces/resources';
import { asList } from '#core/marketplaces/wire';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { ItemId } from '#core/item-id';

/** Marks of a firewall's JSON: Cloudflare or Imunify360 in front of a marketplace. */
const ofFirewall = /"cloudflare_error"|imunify360/iu;

const defaultWaitMs = 60_000;
/**
 * Returns the fault of a reply that says nothing about the question: HTTP 429, 502, 503 and 504 whatever the body, and
 * 403 from a firewall; undefined for any other reply.
 * @param now epoch milliseconds; a 429 without `Retry-After` is retried 60,000 ms later
 */
export function faultOfStatus(raw: RawReply, now: number): Fault | undefined {
  if (raw.status === 429)
    return { kind: 'rate-limited', retryAt: raw.retryAt ?? now + defaultWaitMs, by: 'server' };
  if (raw.status === 403 && ofFirewall.test(new TextDecoder().decode(raw.body)))
    return faultOfText(raw, '');
  return gatewayStatuses.has(raw.status) ? serverError(raw) : undefined;
}

export function serverError({ status, retryAt }: RawReply): Fault {
  return omitUndefined({ kind: 'server-error', status, retryAt });
}

/** Returns the fault of a reply that is not JSON. Status 404 then means that the address is wrong. */
export function faultOfText({ status, contentType }: RawReply, text: string): Fault {
  const isHtml = /\bx?html\b/i.test(contentType) || /^\s*</.test(text);
  const meantJson = /\bjson\b/i.test(contentType) || /^\s*\{/.test(text);
  if (status === 404 && (isHtml || !meantJson)) return { kind: 'api-off' };
  const suspected = isHtml && status < 400;
  return { kind: 'not-json', status, userAgent: suspected ? 'suspected' : 'ruled-out' };
}

/** Reads a value by a schema; the fault names the path of the field within the reply. */
export function readAt<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  path: string,
): Result<v.InferOutput<Schema>, Extract<Fault, { kind: 'unreadable' }>> {
  const read = v.safeParse(schema, value, { abortEarly: true });
  if (read.success) return succeed(read.output);
  const within = v.getDotPath(read.issues[0]);
  return fail({ kind: 'unreadable', path: within === null ? path : `${path}.${within}` });
}

/**
 * Reads the requested item; one with another id is the fault `mismatch`.
 * @param path of the item in the reply
 */
export function readAskedItem(
  schema: v.GenericSchema<unknown, Item>,
  sent: unknown,
  path: string,
  askedId: ItemId,
): Result<ItemReply, Fault> {
  const item = readAt(schema, sent, path);
  if (!item.ok) return item;
  if (item.value.id !== askedId) return fail({ kind: 'mismatch' });
  return succeed({ kind: 'item', item: item.value });
}

/**
 * Reads a list of items. Unreadable entries are left out and listed.
 * @param path of the list in the reply; the fault `unreadable` has this path, or that of the first entry's field if no
 * entry can be read
 */
export function readItems(
  schema: v.GenericSchema<unknown, Item>,
  sent: unknown,
  path: string,
): Result<ItemList, Fault> {
  const entries = asList(sent);
  if (entries === undefined) return fail({ kind: 'unreadable', path });
  const items: Item[] = [];
  const unreadable: { index: number; path: string }[] = [];
  for (const [index, entry] of entries.entries()) {
    const read = readAt(schema, entry, `${path}.${String(index)}`);
    if (read.ok) items.push(read.value);
    else unreadable.push({ index, path: read.fault.path });
  }
  const [first] = unreadable;
  return items.length === 0 && first !== undefined
    ? fail({ kind: 'unreadable', path: first.path })
    : succeed({ items, unreadable });
}

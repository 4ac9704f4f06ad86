import type { AuthorizedAccess } from '#background/seller/access';
import type { SellerClient } from '#background/seller/seller-client';
import type { SellerItems } from '#background/seller/seller-items';
import type { Dialect } from '#core/connections/index';
import { isAboutKey } from '#core/check/index';
import { gatewayStatuses } from '#core/http/exchange';
import type { AskedItem, PurchaseReply, Readers, SellerCall } from '#core/marketplaces/asking';
import type { Fault } from '#core/marketplaces/index';
import { fail, omitUndefined, type Result, succeed } from '#core/result';

/** The least remaining time, in milliseconds, for a check to send another request about a code. */
const leastTimeLeft = 2000;
/** After this time, in milliseconds, the page asks again and the search continues. */
const pauseMs = 1000;

export type Reply = Result<PurchaseReply, Fault>;
export type Confirmed = Extract<PurchaseReply, { kind: 'purchase' }>;

export type Failure = Extract<Reply, { readonly ok: false }>;

/** One validation in progress. */
export interface Progress {
  readonly access: AuthorizedAccess;
  /** Whether it continues an interrupted search, with the replies so far. */
  readonly isContinued: boolean;
  /** The replies so far, by attempt. */
  readonly replies: Map<string, Reply>;
  /** When the last reply arrived on which the verdict is based, epoch milliseconds. */
  answeredAt: number;
}

export interface CodeRequests {
  /** Checks one spelling: directly, or item by item if the marketplace answers for one item at a time. */
  readonly check: (progress: Progress, spelling: string, dialect?: Dialect) => Promise<Reply>;
  readonly send: (access: AuthorizedAccess, dialect: Dialect, code: string) => Promise<Reply>;
}

interface CodeRequestsDependencies {
  readonly client: SellerClient;
  readonly sellerItems: SellerItems;
  readonly codeReaderOf: Readers['codeReaderOf'];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export function createCodeRequests(dependencies: CodeRequestsDependencies): CodeRequests {
  const { client, sellerItems, codeReaderOf, now } = dependencies;
  /**
   * Connections, by id and revision, whose key may not look codes up. This is forgotten when the worker stops, which
   * costs one more request.
   */
  const cannotLookUp = new Set<string>();

  async function check(
    progress: Progress,
    spelling: string,
    dialect = progress.access.connection.dialect,
  ): Promise<Reply> {
    const { itemsToAsk } = codeReaderOf(progress.access.connection);
    const reply = await (itemsToAsk ? askByItem : askOnce)(progress, dialect, spelling);
    progress.answeredAt = now();
    return reply;
  }

  /** Checks the code with the account's items one after the other until one has it. */
  async function askByItem(progress: Progress, dialect: Dialect, spelling: string): Promise<Reply> {
    const { access, isContinued, replies } = progress;
    const found = await askAtOnce(progress, spelling);
    if (found !== undefined) return found;
    const items = await sellerItems.inSearchOrder(access, isContinued);
    if (!items.ok) return items;
    let last: Reply = succeed({ kind: 'not-found', msg: '' });
    const before = replies.size;
    for (const [asked, item] of items.value.entries()) {
      const search = { asked, of: items.value.length };
      const isLate = now() + leastTimeLeft > access.deadline;
      // Each step checks at least one item, or the search would make no progress.
      const isStepOver = now() >= (access.reportAfter ?? Infinity) && replies.size > before;
      if (isLate || isStepOver) {
        const retryAt = isLate ? now() + pauseMs : now();
        return fail({ kind: 'rate-limited', retryAt, by: 'pacing', search });
      }
      last = await askOnce(progress, dialect, spelling, item);
      if (isConfirmed(last)) await sellerItems.rememberItem(access, item.id);
      if (!last.ok && last.fault.kind === 'rate-limited') return fail({ ...last.fault, search });
      if (!last.ok || isConfirmed(last)) return last;
    }
    return replies.get(lookUpOf(spelling)) ?? refusedIfKnown(last);
  }

  /**
   * Looks a code up among all items, if marketplace and key allow it. Undefined: the items have to be checked one by
   * one.
   */
  async function askAtOnce(
    { access, isContinued, replies }: Progress,
    spelling: string,
  ): Promise<Reply | undefined> {
    const { connection } = access;
    const { lookUp } = codeReaderOf(connection);
    const state = `${connection.id} ${String(connection.revision)}`;
    if (lookUp === undefined || isContinued || cannotLookUp.has(state)) return undefined;
    const reply = await sendCall(access, lookUp(spelling));
    if (reply.ok && (reply.value.kind === 'purchase' || reply.value.everywhere)) return reply;
    const lookedUp = refusedIfKnown(reply);
    if (lookedUp.ok) return undefined;
    const { fault } = lookedUp;
    if (fault.kind === 'refused' && fault.permission !== undefined) {
      cannotLookUp.add(state);
      return undefined;
    }
    if (wouldFailInEveryEncoding(fault) || isKeyRefused(lookedUp)) return lookedUp;
    // If no item has the code, it must not count as not found, so the failed look-up is kept.
    replies.set(lookUpOf(spelling), lookedUp);
    return undefined;
  }

  /** Sends one attempt, unless the interrupted search already has its reply. */
  async function askOnce(
    { access, replies }: Progress,
    dialect: Dialect,
    spelling: string,
    item?: AskedItem,
  ): Promise<Reply> {
    const attempt = `${String(item?.id ?? dialect.encoding)} ${spelling}`;
    const earlier = replies.get(attempt);
    if (earlier !== undefined) return earlier;
    const reply = await send(access, dialect, spelling, item);
    if (reply.ok || !wouldFailInEveryEncoding(reply.fault)) replies.set(attempt, reply);
    return reply;
  }

  function send(
    access: AuthorizedAccess,
    dialect: Dialect,
    code: string,
    item?: AskedItem,
  ): Promise<Reply> {
    const connection = { ...access.connection, dialect };
    const { store } = connection;
    return sendCall(
      { ...access, connection },
      codeReaderOf(connection).purchase(code, omitUndefined({ item, store })),
    );
  }

  /**
   * Sends a request, adds the age of its reply, and completes the purchase. If completing fails, the purchase is
   * returned as it is; but if it only has to wait or the keys are locked, that fault is returned.
   */
  async function sendCall(
    access: AuthorizedAccess,
    call: SellerCall<PurchaseReply>,
  ): Promise<Reply> {
    const reply = await client.request(access, {
      ...call,
      read: (raw, moment) => {
        const parsed = call.read(raw, moment);
        return parsed.ok && parsed.value.kind === 'purchase'
          ? succeed(omitUndefined({ ...parsed.value, ageMs: raw.ageMs }))
          : parsed;
      },
    });
    if (!isConfirmed(reply)) return reply;
    const { complete, ...answer } = reply.value;
    const whole = await complete?.((call) => client.request(access, call));
    if (whole?.ok === false && ['rate-limited', 'locked'].includes(whole.fault.kind)) return whole;
    return succeed(whole?.ok === true ? { ...answer, purchase: whole.value } : answer);
  }

  return { check, send };
}

const lookUpOf = (spelling: string): string => `look-up ${spelling}`;

/** Turns a not-found into a fault if the marketplace knows the code: then its item is not in the account’s list. */
function refusedIfKnown(reply: Reply): Reply {
  return reply.ok && reply.value.kind === 'not-found' && reply.value.known
    ? fail({ kind: 'refused', msg: reply.value.msg, about: 'request' })
    : reply;
}

export function isConfirmed(
  reply: Reply,
): reply is { readonly ok: true; readonly value: Confirmed } {
  return reply.ok && reply.value.kind === 'purchase';
}

/** Recognises faults that every other encoding would meet too. */
export function wouldFailInEveryEncoding(fault: Fault): boolean {
  const { kind } = fault;
  // A server may fail with a 500 on an encoding that it does not read.
  if (kind === 'server-error') return gatewayStatuses.has(fault.status);
  return (
    ['rate-limited', 'timeout', 'offline', 'unreachable', 'redirected', 'api-off'].includes(kind) ||
    kind.startsWith('relay-')
  );
}

/** Recognises a 401 or 403. If the account check passes, the 401 or 403 was about the code. */
export function isKeyRefused(reply: Reply): boolean {
  return !reply.ok && isAboutKey(reply.fault);
}

import type { AuthorizedAccess } from '#background/seller/access';
import type { SellerClient } from '#background/seller/seller-client';
import type { SellerItems } from '#background/seller/seller-items';
import type { Dialect } from '#core/connections/index';
import { isAboutKey } from '#core/check/index';
import { gatewayStatuses } from '#core/http/exchange';
import type { AskedItem, PurchaseReply, Readers, SellerCall } from '#core/marketplaces/asking';
import type { Fault } from '#core/marketplaces/index';
import { fail, omitUndefined, type Result, succeed } from '#core/result';

/** The least time, in milliseconds, that a check must have left to begin another question about a code. */
const leastTimeLeft = 2000;
/** After this time the page asks again, and the search goes on, in milliseconds. */
const pauseMs = 1000;

export type Reply = Result<PurchaseReply, Fault>;
export type Confirmed = Extract<PurchaseReply, { kind: 'purchase' }>;

export type Failure = Extract<Reply, { readonly ok: false }>;

/** One validation on its way. */
export interface Progress {
  readonly access: AuthorizedAccess;
  /** Whether an interrupted search goes on, with the replies that it had. */
  readonly isContinued: boolean;
  /** By attempt. */
  readonly replies: Map<string, Reply>;
  /** When the last of the replies came that the verdict rests on, epoch milliseconds. */
  answeredAt: number;
}

export interface CodeRequests {
  /** Asks about one spelling: at once, or item by item where the marketplace answers for one item at a time. */
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
   * Connections, by id and revision, whose key may not look codes up: forgotten when the worker stops, which costs one
   * more request.
   */
  const asksByItemAlone = new Set<string>();

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

  /** Asks about the account's items one after the other until one has the code. */
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
      // A step asks about one item at least, or the search would stand still.
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

  /** Asks about a code of any item, where marketplace and key allow it. Undefined: its items are to be asked about. */
  async function askAtOnce(
    { access, isContinued, replies }: Progress,
    spelling: string,
  ): Promise<Reply | undefined> {
    const { connection } = access;
    const { lookUp } = codeReaderOf(connection);
    const state = `${connection.id} ${String(connection.revision)}`;
    if (lookUp === undefined || isContinued || asksByItemAlone.has(state)) return undefined;
    const reply = await ask(access, lookUp(spelling));
    if (reply.ok && (reply.value.kind === 'purchase' || reply.value.everywhere)) return reply;
    const told = refusedIfKnown(reply);
    if (told.ok) return undefined;
    const { fault } = told;
    if (fault.kind === 'refused' && fault.permission !== undefined) {
      asksByItemAlone.add(state);
      return undefined;
    }
    if (isBeyondEncoding(fault) || isKeyRefused(told)) return told;
    // Unless an item has the code, it is not known to be missing.
    replies.set(lookUpOf(spelling), told);
    return undefined;
  }

  /** Asks in one dialect, unless the interrupted search has the reply. */
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
    if (reply.ok || !isBeyondEncoding(reply.fault)) replies.set(attempt, reply);
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
    return ask(
      { ...access, connection },
      codeReaderOf(connection).purchase(code, omitUndefined({ item, store })),
    );
  }

  /**
   * Asks, notes how old the answer is, and completes it. If completing it fails, the purchase is returned as it is; if
   * it only has to wait, the wait is returned.
   */
  async function ask(access: AuthorizedAccess, call: SellerCall<PurchaseReply>): Promise<Reply> {
    const reply = await client.request(access, {
      ...call,
      read: (raw, moment) => {
        const told = call.read(raw, moment);
        return told.ok && told.value.kind === 'purchase'
          ? succeed(omitUndefined({ ...told.value, ageMs: raw.ageMs }))
          : told;
      },
    });
    if (!isConfirmed(reply)) return reply;
    const { complete, ...told } = reply.value;
    const whole = await complete?.((call) => client.request(access, call));
    if (whole?.ok === false && ['rate-limited', 'locked'].includes(whole.fault.kind)) return whole;
    return succeed(whole?.ok === true ? { ...told, purchase: whole.value } : told);
  }

  return { check, send };
}

const lookUpOf = (spelling: string): string => `look-up ${spelling}`;

/** Turns a not-found into a fault if the marketplace knows the code: its item is not in the account’s list. */
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

/** Recognises faults that another encoding would meet as well. */
export function isBeyondEncoding(fault: Fault): boolean {
  const { kind } = fault;
  // The server itself may fail with a 500 on an encoding that it does not read.
  if (kind === 'server-error') return gatewayStatuses.has(fault.status);
  return (
    ['rate-limited', 'timeout', 'offline', 'unreachable', 'redirected', 'api-off'].includes(kind) ||
    kind.startsWith('relay-')
  );
}

/** Recognises a 401 or 403. Once the account check finds the key good, it was about the code after all. */
export function isKeyRefused(reply: Reply): boolean {
  return !reply.ok && isAboutKey(reply.fault);
}

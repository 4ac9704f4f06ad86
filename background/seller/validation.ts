import type { AuthorizedAccess } from '#background/seller/access';
import type { Accounts, KeyRecheck } from '#background/seller/accounts';
import type { SellerItems, SearchMemory } from '#background/seller/seller-items';
import type { SellerClient } from '#background/seller/seller-client';
import type { CheckAnswer } from '#core/check/index';
import { alternativesTo, type Connection, type Dialect } from '#core/connections/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import type { AskedItem, PurchaseReply, Readers, SellerCall } from '#core/marketplaces/asking';
import { gatewayStatuses } from '#core/http/exchange';
import { isAboutKey } from '#core/fault-rules';

interface ValidationDependencies {
  readonly client: SellerClient;
  readonly accounts: Pick<Accounts, 'checkKey' | 'checkKeyAfter'>;
  readonly searches: SearchMemory;
  readonly sellerItems: SellerItems;
  readonly codeReaderOf: Readers['codeReaderOf'];
  /** Marks a dialect that has confirmed a code as proven; returns the connection as it then is. */
  readonly proveDialect: (access: AuthorizedAccess, dialect: Dialect) => Promise<Connection>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The least time, in milliseconds, that a check must have left to begin another question about a code. */
const leastTimeLeft = 2000;
/** After this time the page asks again, and the search goes on, in milliseconds. */
const pauseMs = 1000;

export interface Validation {
  /**
   * Returns the answer, and the connection after it: a first success makes its dialect proven. The code is validated as typed
   * and, when that is not found, once more in its corrected spelling.
   */
  validate(access: AuthorizedAccess, code: string): Promise<ValidationResult>;
  /**
   * Finds a dialect that confirms a code known to be good, among other key placements as well. When none does, the
   * fault is `refused` about `request`, with the server's message.
   */
  detectDialect(access: AuthorizedAccess, code: string): Promise<Result<Dialect, Fault>>;
}

export interface ValidationResult {
  readonly connection: Connection;
  readonly outcome: Result<CheckAnswer, Fault>;
  /** The corrected spelling, when that was found. */
  readonly foundSpelling?: string;
  /** How long ago the team's relay got the purchase from the seller, in milliseconds. */
  readonly ageMs?: number;
}

type Reply = Result<PurchaseReply, Fault>;
type Confirmed = Extract<PurchaseReply, { kind: 'purchase' }>;

type Failure = Extract<Reply, { readonly ok: false }>;

/** Holds one validation on its way. */
interface Progress {
  readonly access: AuthorizedAccess;
  /** Whether an interrupted search goes on, with the replies that it had. */
  readonly isContinued: boolean;
  /** By attempt. */
  readonly replies: Map<string, Reply>;
  /** When the last of the replies came that the verdict rests on, epoch milliseconds. */
  answeredAt: number;
}

type DialectSearch =
  | { readonly found: true; readonly dialect: Dialect; readonly reply: Confirmed }
  /** `stoppedBy`: a fault that every other dialect would meet as well. */
  | {
      readonly found: false;
      readonly first?: Reply;
      readonly stoppedBy?: Failure;
    };

/**
 * Validates codes, and believes a not-found only after further checks: a server that does not read our encoding, and a wrong key,
 * both look exactly like a bad code. So a not-found stands only after an account check that began after it and, until the
 * connection ever confirmed a code, after the other encodings. A success proves key and dialect by itself.
 */
export function createValidation(dependencies: ValidationDependencies): Validation {
  const { client, accounts, searches, sellerItems, codeReaderOf, proveDialect, now } = dependencies;
  /**
   * Connections, by id and revision, whose key may not look codes up: forgotten when the worker stops, which costs one more
   * request.
   */
  const asksByItemAlone = new Set<string>();

  async function answer(progress: Progress, code: string): Promise<ValidationResult> {
    const { access } = progress;
    const { connection } = access;
    const { dialect } = connection;
    const { hasDialects = false, correctedSpelling } = codeReaderOf(connection);
    const first = await check(progress, code);
    if (isConfirmed(first)) return confirmed(await proveDialect(access, dialect), first.value);
    if (!first.ok && !(first.fault.kind === 'refused' && hasDialects))
      return { connection, outcome: await keyFaultOr(progress, first) };

    // With a wrong key, other spellings and encodings are not worth trying.
    const before = hasDialects ? await keyAfterRefusal(progress, first) : succeed('good' as const);
    if (!before.ok) return { connection, outcome: before };
    const retried =
      (await checkCorrected(progress, correctedSpelling(code))) ??
      (hasDialects && !dialect.proven ? await checkOtherDialects(progress, code) : undefined);
    if (retried !== undefined) return retried;
    if (!first.ok && !(isKeyRefused(first) && before.value === 'good')) {
      return { connection, outcome: first };
    }
    const key = await keyBehind(access, hasDialects, progress.answeredAt);
    if (!key.ok) return { connection, outcome: key };
    const proven = dialect.proven || !hasDialects;
    const msg = messageOf(first);
    return { connection, outcome: succeed({ kind: 'not-found', msg, key: key.value, proven }) };
  }

  /**
   * Returns the fault of a refused key if the account is refused, too; otherwise the key lacks a permission, as the failure says.
   */
  async function keyFaultOr({ access, answeredAt }: Progress, failure: Failure): Promise<Failure> {
    if (!isKeyRefused(failure)) return failure;
    const key = await accounts.checkKeyAfter(access, answeredAt);
    return !key.ok && key.fault.kind === 'refused' ? key : failure;
  }

  function keyAfterRefusal({ access, answeredAt }: Progress, first: Reply): Promise<KeyRecheck> {
    return isKeyRefused(first) && access.provesKeyLater !== true
      ? accounts.checkKeyAfter(access, answeredAt)
      : accounts.checkKey(access);
  }

  /** Checks the corrected spelling; undefined where there is none, or it is not found either. */
  async function checkCorrected(
    progress: Progress,
    spelling: string | undefined,
  ): Promise<ValidationResult | undefined> {
    if (spelling === undefined) return undefined;
    const { access } = progress;
    const { connection } = access;
    const reply = await check(progress, spelling);
    if (isConfirmed(reply)) {
      const after = await proveDialect(access, connection.dialect);
      return { ...confirmed(after, reply.value), foundSpelling: spelling };
    }
    // A spelling that could not be checked is not known to be missing.
    const isOpen = !reply.ok && reply.fault.kind !== 'refused';
    return isOpen ? { connection, outcome: reply } : undefined;
  }

  /** Checks the code in the other encodings; undefined where none of them finds it. */
  async function checkOtherDialects(
    progress: Progress,
    code: string,
  ): Promise<ValidationResult | undefined> {
    const { access } = progress;
    const { connection } = access;
    const dialects = alternativesTo(connection.dialect);
    const search = await tryDialects(dialects, (other) => check(progress, code, other));
    if (search.found) return confirmed(await proveDialect(access, search.dialect), search.reply);
    // The code may be found in a way that could not be tried.
    return search.stoppedBy && { connection, outcome: search.stoppedBy };
  }

  /** Tells what is known of the key after a not-found: the key may just have been replaced. */
  async function keyBehind(
    access: AuthorizedAccess,
    isLikeBadCode: boolean,
    answeredAt: number,
  ): Promise<KeyRecheck> {
    if (!isLikeBadCode) return succeed('good');
    if (access.provesKeyLater === true) return succeed('unknown');
    return accounts.checkKeyAfter(access, answeredAt);
  }

  async function tryDialects(
    dialects: readonly Dialect[],
    ask: (dialect: Dialect) => Promise<Reply>,
  ): Promise<DialectSearch> {
    let first: Reply | undefined;
    for (const dialect of dialects) {
      const reply = await ask(dialect);
      if (isConfirmed(reply)) return { found: true, dialect, reply: reply.value };
      if (!reply.ok && isBeyondEncoding(reply.fault)) return { found: false, stoppedBy: reply };
      first ??= reply;
    }
    return first === undefined ? { found: false } : { found: false, first };
  }

  /** Asks about one spelling: at once, or item by item where the marketplace answers for one item at a time. */
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
    return last;
  }

  /** Asks about a code of any item, where marketplace and key allow it. Undefined: its items are to be asked about. */
  async function askAtOnce(
    { access, isContinued }: Progress,
    spelling: string,
  ): Promise<Reply | undefined> {
    const { connection } = access;
    const { lookUp } = codeReaderOf(connection);
    const state = `${connection.id} ${String(connection.revision)}`;
    if (lookUp === undefined || isContinued || asksByItemAlone.has(state)) return undefined;
    const reply = await ask(access, lookUp(spelling));
    if (reply.ok)
      return reply.value.kind === 'purchase' || reply.value.everywhere ? reply : undefined;
    const { fault } = reply;
    if (fault.kind === 'refused' && fault.permission !== undefined) {
      asksByItemAlone.add(state);
      return undefined;
    }
    return isBeyondEncoding(fault) || isKeyRefused(reply) ? reply : undefined;
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
   * Asks, notes how old the answer is, and completes it. If completing it fails, the purchase is returned as it is; if it only
   * has to wait, the wait is returned.
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

  return {
    async validate(access, code) {
      const { connection } = access;
      const replies = await searches.read(connection, code);
      const isContinued = replies.size > 0;
      const progress = { access, isContinued, replies, answeredAt: now() };
      const result = await answer(progress, code);
      const { outcome } = result;
      if (outcome.ok) {
        if (isContinued) await searches.forget(connection, code);
      } else if (outcome.fault.kind === 'rate-limited' && replies.size > 0) {
        await searches.store(access, code, replies);
      }
      return result;
    },

    async detectDialect(access, code) {
      const { dialect } = access.connection;
      const dialects = [dialect, ...alternativesTo(dialect, 'placements-too')];
      const search = await tryDialects(dialects, (other) => send(access, other, code));
      if (search.found) return succeed((await proveDialect(access, search.dialect)).dialect);
      if (search.stoppedBy) return search.stoppedBy;
      const key = await accounts.checkKeyAfter(access, now());
      if (!key.ok) return key;
      return search.first?.ok === false
        ? search.first
        : fail({ kind: 'refused', msg: messageOf(search.first), about: 'request' });
    },
  };
}

function confirmed(connection: Connection, { ageMs, ...answer }: Confirmed): ValidationResult {
  return omitUndefined({ connection, outcome: succeed(answer), ageMs });
}

function isConfirmed(reply: Reply): reply is { readonly ok: true; readonly value: Confirmed } {
  return reply.ok && reply.value.kind === 'purchase';
}

/** Recognises faults that another encoding would meet as well. */
function isBeyondEncoding(fault: Fault): boolean {
  const { kind } = fault;
  // The server itself may fail with a 500 on an encoding that it does not read.
  if (kind === 'server-error') return gatewayStatuses.has(fault.status);
  return (
    ['rate-limited', 'timeout', 'offline', 'unreachable', 'redirected', 'api-off'].includes(kind) ||
    kind.startsWith('relay-')
  );
}

/** Recognises a 401 or 403. Once the account check finds the key good, it was about the code after all. */
function isKeyRefused(reply: Reply): boolean {
  return !reply.ok && isAboutKey(reply.fault);
}

function messageOf(reply: Reply | undefined): string {
  if (reply?.ok === false) return reply.fault.kind === 'refused' ? reply.fault.msg : '';
  return reply?.value.kind === 'not-found' ? reply.value.msg : '';
}

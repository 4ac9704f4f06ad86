import {
  type CodeRequests,
  type Confirmed,
  createCodeRequests,
  type Failure,
  wouldFailInEveryEncoding,
  isConfirmed,
  isKeyRefused,
  type Progress,
  type Reply,
} from '#background/seller/code-requests';
import type { AuthorizedAccess } from '#background/seller/access';
import type { Accounts, KeyRecheck } from '#background/seller/accounts';
import type { SearchMemory } from '#background/seller/search-memory';
import type { SellerItems } from '#background/seller/seller-items';
import type { SellerClient } from '#background/seller/seller-client';
import type { CheckAnswer } from '#core/check/index';
import { alternativesTo, type Connection, type Dialect } from '#core/connections/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { Fault } from '#core/marketplaces/index';
import type { Readers } from '#core/marketplaces/asking';

interface ValidationDependencies {
  readonly client: SellerClient;
  readonly accounts: Pick<Accounts, 'checkKey' | 'checkKeyAfter'>;
  readonly searches: SearchMemory;
  readonly sellerItems: SellerItems;
  readonly codeReaderOf: Readers['codeReaderOf'];
  /** Marks a dialect that has confirmed a code as proven; returns the updated connection. */
  readonly proveDialect: (access: AuthorizedAccess, dialect: Dialect) => Promise<Connection>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Validation {
  /**
   * Returns the answer and the connection, whose dialect becomes proven with its first success. The code is validated
   * as typed and, if not found, again in its corrected spelling.
   */
  validate(access: AuthorizedAccess, code: string): Promise<ValidationResult>;
  /**
   * Finds a dialect that confirms a code known to be good, including other key placements. If none does, the fault is
   * `refused` about `request`, with the server's message.
   */
  detectDialect(access: AuthorizedAccess, code: string): Promise<Result<Dialect, Fault>>;
}

export interface ValidationResult {
  readonly connection: Connection;
  readonly outcome: Result<CheckAnswer, Fault>;
  /** The corrected spelling, if that was found. */
  readonly foundSpelling?: string;
  /** The age of the purchase in the team's relay, in milliseconds. */
  readonly ageMs?: number;
}

type DialectSearch =
  | { readonly found: true; readonly dialect: Dialect; readonly reply: Confirmed }
  /** `stoppedBy`: a fault that every other dialect would meet too. */
  | {
      readonly found: false;
      readonly first?: Reply;
      readonly stoppedBy?: Failure;
    };

/**
 * Validates codes, and believes a not-found only after further checks, because a server that cannot read our encoding
 * and a wrong key both look exactly like a bad code. A not-found counts only after a later account check and, if the
 * connection has never confirmed a code, after trying the other encodings. A success proves key and dialect by itself.
 */
export function createValidation(dependencies: ValidationDependencies): Validation {
  const { accounts, searches, proveDialect, now } = dependencies;
  const { check, send } = createCodeRequests(dependencies);
  const answer = createAnswers(dependencies, check);

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

/** Finds the answer about one code: as typed, in its corrected spelling, and in other dialects. */
function createAnswers(
  { accounts, codeReaderOf, proveDialect }: ValidationDependencies,
  check: CodeRequests['check'],
) {
  const { preferKeyFault, keyAfterRefusal, keyStateAfterNotFound } = createKeyChecks(accounts);

  async function answer(progress: Progress, code: string): Promise<ValidationResult> {
    const { access } = progress;
    const { connection } = access;
    const { dialect } = connection;
    const { hasDialects = false, isOfCode, correctedSpelling } = codeReaderOf(connection);
    const asTyped = await check(progress, code);
    if (isConfirmed(asTyped)) return confirmed(await proveDialect(access, dialect), asTyped.value);
    if (!asTyped.ok && !(asTyped.fault.kind === 'refused' && hasDialects))
      return { connection, outcome: await preferKeyFault(progress, asTyped) };

    // With a wrong key, other spellings and encodings are not worth trying.
    const keyNow = hasDialects
      ? await keyAfterRefusal(progress, asTyped)
      : succeed('good' as const);
    if (!keyNow.ok) return { connection, outcome: keyNow };
    const inAnotherWay =
      (await checkCorrected(progress, correctedSpelling(code))) ??
      (hasDialects && !dialect.proven ? await checkOtherDialects(progress, code) : undefined);
    if (inAnotherWay !== undefined) return inAnotherWay;
    const msg = messageOf(asTyped);
    if (!asTyped.ok) {
      const isGood = isKeyRefused(asTyped) && keyNow.value === 'good';
      if (!isGood) return { connection, outcome: asTyped };
      if (isOfCode?.(msg) !== true)
        return { connection, outcome: fail({ kind: 'refused', msg, about: 'request' }) };
    }
    const key = await keyStateAfterNotFound(access, hasDialects, progress.answeredAt);
    if (!key.ok) return { connection, outcome: key };
    const proven = dialect.proven || !hasDialects;
    return { connection, outcome: succeed({ kind: 'not-found', msg, key: key.value, proven }) };
  }

  /** Checks the corrected spelling; undefined if there is none, or it is not found either. */
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
    // If a spelling could not be checked, it may exist.
    const isOpen = !reply.ok && reply.fault.kind !== 'refused';
    return isOpen ? { connection, outcome: reply } : undefined;
  }

  /** Checks the code in the other encodings; undefined if none of them finds it. */
  async function checkOtherDialects(
    progress: Progress,
    code: string,
  ): Promise<ValidationResult | undefined> {
    const { access } = progress;
    const { connection } = access;
    const dialects = alternativesTo(connection.dialect);
    const search = await tryDialects(dialects, (other) => check(progress, code, other));
    if (search.found) return confirmed(await proveDialect(access, search.dialect), search.reply);
    // An encoding that could not be tried might find the code.
    return search.stoppedBy && { connection, outcome: search.stoppedBy };
  }

  return answer;
}

/** Creates the checks of the key that are made if a code was not found or there was no answer. */
function createKeyChecks(accounts: ValidationDependencies['accounts']) {
  /**
   * Returns the account check's fault if the account refuses the key too, else the original failure: the key lacks a
   * permission.
   */
  async function preferKeyFault(
    { access, answeredAt }: Progress,
    failure: Failure,
  ): Promise<Failure> {
    if (!isKeyRefused(failure)) return failure;
    const key = await accounts.checkKeyAfter(access, answeredAt);
    return !key.ok && key.fault.kind === 'refused' ? key : failure;
  }

  function keyAfterRefusal({ access, answeredAt }: Progress, reply: Reply): Promise<KeyRecheck> {
    return !reply.ok && access.provesKeyLater !== true
      ? accounts.checkKeyAfter(access, answeredAt)
      : accounts.checkKey(access);
  }

  /** Returns the state of the key after a not-found, because the key may just have been replaced. */
  async function keyStateAfterNotFound(
    access: AuthorizedAccess,
    isLikeBadCode: boolean,
    answeredAt: number,
  ): Promise<KeyRecheck> {
    if (!isLikeBadCode) return succeed('good');
    if (access.provesKeyLater === true) return succeed('unknown');
    return accounts.checkKeyAfter(access, answeredAt);
  }

  return { preferKeyFault, keyAfterRefusal, keyStateAfterNotFound };
}

async function tryDialects(
  dialects: readonly Dialect[],
  tryDialect: (dialect: Dialect) => Promise<Reply>,
): Promise<DialectSearch> {
  let first: Reply | undefined;
  for (const dialect of dialects) {
    const reply = await tryDialect(dialect);
    if (isConfirmed(reply)) return { found: true, dialect, reply: reply.value };
    if (!reply.ok && wouldFailInEveryEncoding(reply.fault))
      return { found: false, stoppedBy: reply };
    first ??= reply;
  }
  return first === undefined ? { found: false } : { found: false, first };
}

function confirmed(connection: Connection, { ageMs, ...answer }: Confirmed): ValidationResult {
  return omitUndefined({ connection, outcome: succeed(answer), ageMs });
}

function messageOf(reply: Reply | undefined): string {
  if (reply?.ok === false) return reply.fault.kind === 'refused' ? reply.fault.msg : '';
  return reply?.value.kind === 'not-found' ? reply.value.msg : '';
}

import type { CheckAnswer } from '#core/check/check-report';
import { type Result, fail, succeed } from '#core/result';
import type { Connection, Dialect } from '#core/connections/connection';
import type { Fault } from '#core/seller/fault';
import type { Purchase } from '#core/seller/purchase';
import { readValidationReply } from '#core/seller/replies';
import { alternativesTo, validationRequest } from '#core/seller/requests';
import type { Accounts } from '#background/seller/accounts';
import type { Access, SellerClient } from '#background/seller/seller-client';

interface Parts {
  readonly sellerClient: SellerClient;
  readonly accounts: Accounts;
  /** Notes that this way of asking has confirmed a code; gives the connection as it then stands. */
  readonly prove: (connection: Connection, dialect: Dialect) => Promise<Connection>;
}

export interface Validation {
  /** The answer, and the connection as it stands after it: a first success makes its dialect proven. */
  validate(
    access: Access,
    code: string,
  ): Promise<{ connection: Connection; outcome: Result<CheckAnswer, Fault> }>;
  /**
   * Looks for a way of asking that confirms a code known to be good, other placements of the key included. When no way
   * does, the fault is `refused` about `request`, in the server's words.
   */
  detect(access: Access, code: string): Promise<Result<Dialect, Fault>>;
}

type Said = ReturnType<typeof readValidationReply>;
interface Confirmed {
  readonly ok: true;
  readonly value: { readonly kind: 'purchase'; readonly purchase: Purchase };
}

type Search =
  | { readonly found: true; readonly dialect: Dialect; readonly said: Confirmed }
  /** `stoppedBy`: a fault that every other way would have met as well. */
  | { readonly found: false; readonly first?: Said; readonly stoppedBy?: Fault };

/**
 * A server that does not read our encoding, and a wrong key, both look exactly like a bad code. So a not-found is
 * believed only after the account check passed, and, until one code was ever confirmed, after the other encodings.
 * A success needs neither: it proves the key and the dialect by itself.
 */
export function createValidation({ sellerClient, accounts, prove }: Parts): Validation {
  function ask(access: Access, dialect: Dialect, code: string): Promise<Said> {
    return sellerClient(
      { ...access, connection: { ...access.connection, dialect } },
      {
        request: (seller) => validationRequest(seller, code),
        read: (raw, now) => readValidationReply(raw, code, now),
      },
    );
  }

  async function search(access: Access, ways: readonly Dialect[], code: string): Promise<Search> {
    let first: Said | undefined;
    for (const dialect of ways) {
      const said = await ask(access, dialect, code);
      if (isConfirmed(said)) return { found: true, dialect, said };
      if (!said.ok && isBeyondEncoding(said.fault)) return { found: false, stoppedBy: said.fault };
      first ??= said;
    }
    return first === undefined ? { found: false } : { found: false, first };
  }

  return {
    async validate(access, code) {
      const { connection } = access;
      const { dialect } = connection;
      const first = await ask(access, dialect, code);
      if (isConfirmed(first))
        return { connection: await prove(connection, dialect), outcome: first };
      if (!first.ok && first.fault.kind !== 'refused') return { connection, outcome: first };

      const key = await accounts.judgeKey(access);
      if (!key.ok) return { connection, outcome: key };
      if (!dialect.proven) {
        const other = await search(access, alternativesTo(dialect), code);
        if (other.found)
          return { connection: await prove(connection, other.dialect), outcome: other.said };
      }
      if (!first.ok && !(isAboutKey(first.fault) && key.value === 'good')) {
        return { connection, outcome: first };
      }
      const { proven } = dialect;
      const msg = wordsOf(first);
      return { connection, outcome: succeed({ kind: 'not-found', msg, key: key.value, proven }) };
    },

    async detect(access, code) {
      const { dialect } = access.connection;
      const ways = [dialect, ...alternativesTo(dialect, 'placements-too')];
      const heard = await search(access, ways, code);
      if (heard.found) return succeed((await prove(access.connection, heard.dialect)).dialect);
      if (heard.stoppedBy) return fail(heard.stoppedBy);
      const key = await accounts.judgeKey(access);
      if (!key.ok) return key;
      return heard.first?.ok === false
        ? heard.first
        : fail({ kind: 'refused', msg: wordsOf(heard.first), about: 'request' });
    },
  };
}

function isConfirmed(said: Said): said is Confirmed {
  return said.ok && said.value.kind === 'purchase';
}

/** Faults that another encoding would meet as well. */
function isBeyondEncoding({ kind }: Fault): boolean {
  return ['rate-limited', 'timeout', 'offline', 'unreachable', 'redirected', 'api-off'].includes(
    kind,
  );
}

/** A 401 or 403. Once the account check finds the key good, it was about the code after all. */
function isAboutKey(fault: Fault): boolean {
  return fault.kind === 'refused' && fault.about === 'key';
}

function wordsOf(said: Said | undefined): string {
  if (said?.ok === false) return said.fault.kind === 'refused' ? said.fault.msg : '';
  return said?.value.kind === 'not-found' ? said.value.msg : '';
}

/* eslint-disable @typescript-eslint/explicit-module-boundary-types -- each method says its own type */
import {
  activeAgentMs,
  type AgentPace,
  breaker,
  dayAt,
  openSlotDesk,
  type SlotDecision,
} from '#relay/pace/pace';
import { auditRow, replyRow } from '#relay/store/audit';
import type { Stored } from '#relay/store/records';
import {
  columns,
  findToken,
  first,
  reading,
  toConnection,
  toKnownToken,
  toPace,
} from '#relay/store/rows';
import { type Database, type Rows, type Statement, sql } from '#relay/store/sql';

export interface SlotRequest {
  readonly connection: Stored<'connection'>;
  readonly bulk: boolean;
  /** How many slots the subject's agent may take in a day (UTC). */
  readonly quota?: number | undefined;
  readonly deadlineMs: number;
  /** The agents who wait for a slot of the connection at this instance. */
  readonly waiting?: readonly string[];
  /**
   * The right to ask the upstream under a key, taken with the slot, so that instances do not ask alike at once. The key is that of
   * the cached reply, or one of the call's own where no answer but its own would do.
   */
  readonly lease: Stored<'lease'>;
  /** Grants no slot, as if leased, when a reply has come into the cache under the lease's key since the caller looked there. */
  readonly unlessCached: boolean;
  /** Recorded as the intent in the transaction that grants the slot. */
  readonly subject: Stored<'auditSubject'>;
}

/** Grants a slot, whose intent is then committed, or names the moment to ask again; a refusal writes nothing. */
export type SlotAnswer = SlotDecision | { readonly granted: false; readonly because: 'leased' };

interface CallReport {
  readonly subject: Stored<'auditSubject'>;
  readonly result: string;
  /** `unknown` where the call did not get there, or the fault was ours. `down`: no connection, no whole reply, or a gateway's 502, 503 or 504. */
  readonly health: 'up' | 'down' | 'unknown';
  /** The slot that the call had, where the upstream has replied, so that its request has arrived. */
  readonly slot?: number;
  /** Holds all calls back until then, since the upstream answered 429. */
  readonly heldUntil?: number;
  readonly cache?: Stored<'reply'>;
  /** Ends with the call. */
  readonly lease: Stored<'lease'>;
}

interface CallLookup {
  readonly token: string;
  readonly connection: string;
  /** Ends the key of a cached reply, after the connection and a name of its API key. */
  readonly cacheKeyEnd: string;
  readonly skipsCache?: boolean;
}

/** Creates what the relay does with its store while it serves. */
export function createServingStore(database: Database) {
  const { one, all } = reading(database);
  const slots = createSlots(database);

  return {
    /** Rejects when the database does not answer or cannot be written. */
    // A question that nobody asks: a database that only reads, or has no room, refuses it.
    ping: () =>
      database.batch(
        sql`INSERT INTO lease VALUES ('ping', '', 0) ON CONFLICT (key) DO UPDATE SET expires_at = 0`,
      ),
    /** Finds a token of an agent, also one that has expired or was revoked. */
    findToken: (id: string) => one(findToken(id), toKnownToken),
    /** Finds all that a call asks for at once, so that it takes one round trip to the database. */
    findCall: database.together(async (lookups: readonly CallLookup[]) => {
      const rows = await database.read(...lookups.flatMap(partsOfCall));
      return lookups.map((_, n) => toFindings(rows.slice(n * 4, n * 4 + 4)));
    }, 2),
    extendToken: (id: string, expiresAt: number) =>
      database.batch(
        sql`UPDATE token SET expires_at = ${expiresAt} WHERE id = ${id} AND revoked_at = 0`,
      ),
    secrets: () =>
      all<Stored<'secret'>>(sql`SELECT name, master_key_id AS "masterKeyId", wrapped FROM secret`),
    takeSlot: slots.take,
    /** Lets a lease last for its time from now on; does nothing where another call has it, or nobody. */
    renewLease: ({ key, holder, forMs }: Stored<'lease'>) =>
      database.batch(
        sql`UPDATE lease SET expires_at = steady() + ${forMs} WHERE key = ${key} AND holder = ${holder}`,
      ),
    ...createEndings(database, slots.settle),
    findCached: (key: string) =>
      one<Stored<'reply'>>(
        sql`SELECT ${columns.cached} FROM cached_reply WHERE key = ${key} AND expires_at > clock()`,
      ),
    /** Removes leases and, a thousand at most, replies that have expired. Returns how many replies. */
    dropExpiredReplies: () =>
      database.write<number>(function* () {
        const [rows] = yield [
          sql`DELETE FROM cached_reply WHERE key IN (
              SELECT key FROM cached_reply WHERE expires_at <= (SELECT CAST(clock() AS bigint))
                ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED
            ) RETURNING 1`,
          sql`DELETE FROM lease WHERE key IN (SELECT key FROM lease WHERE expires_at <= steady() FOR UPDATE SKIP LOCKED)`,
        ];
        return [rows?.length ?? 0];
      }),
  };
}

/** Returns what finds the four parts of what a call is judged and answered by. */
function partsOfCall({ token, connection, cacheKeyEnd, skipsCache }: CallLookup): Statement[] {
  const cacheKey = sql`connection || ':' || key_name || ':' || ${cacheKeyEnd}`;
  return [
    findToken(token),
    sql`SELECT ${columns.connection} FROM connection WHERE id = ${connection}`,
    sql`SELECT ${columns.key}, ${cacheKey} AS "cacheKey" FROM connection_key WHERE connection = ${connection}`,
    sql`SELECT ${columns.cached} FROM cached_reply
      WHERE key = (SELECT ${cacheKey} FROM connection_key WHERE connection = ${skipsCache === true ? '' : connection})
        AND expires_at > clock()`,
  ];
}

/** Reads them: the token also where it has expired or was revoked, and the newest key of the connection with the key of a reply under it. */
function toFindings([token, connection, keys, replies]: readonly Rows[]) {
  const key = first<Stored<'key'> & { readonly cacheKey: string }>(keys);
  const reply = first<Stored<'reply'>>(replies);
  return {
    token: first(token, toKnownToken),
    connection: first(connection, toConnection),
    key,
    // The key may have been set anew between the two statements.
    cached: reply?.key === key?.cacheKey ? reply : undefined,
  };
}

/** Creates what grants slots: decided on a state of the pace, and written only where that state is still the stored one. */
function createSlots(database: Database) {
  /** Slots of this process whose calls have ended, until the next decision about their connection. One that is lost counts until its deadline. */
  const settled = new Map<string, readonly number[]>();
  const settle = (connection: string, slots: readonly number[]): void => {
    settled.set(connection, [...(settled.get(connection) ?? []), ...slots]);
  };
  const groups = new Map<string, (request: SlotRequest) => Promise<SlotAnswer>>();

  function takeTogether(requests: readonly SlotRequest[]): Promise<readonly SlotAnswer[]> {
    const [{ connection, deadlineMs }] = requests as readonly [SlotRequest];
    const { id, limit, windowMs } = connection;
    let ended: readonly number[] = [];
    return database.write<readonly SlotAnswer[]>(function* () {
      // A try that came to nothing gives them back. Where nobody knows what came of it, they count until their deadline.
      settle(id, ended);
      ended = settled.get(id) ?? [];
      settled.delete(id);
      const agents = [
        ...new Set(requests.flatMap(({ subject, waiting = [] }) => [subject.agent, ...waiting])),
      ];
      const [paceRows, ...found] = yield [
        sql`SELECT steady() AS now, ${columns.pace}, (SELECT count(*) FROM pace_agent
            WHERE connection = ${id} AND last_at > (SELECT steady()) - ${activeAgentMs}) AS active
          FROM pace WHERE connection = ${id}`,
        ...agents.map((agent) => findPace(id, agent)),
        ...requests.map(findLease),
      ];
      const pace = paceRows?.[0];
      if (pace === undefined) throw new Error('There is no such connection.');
      const now = Number(pace['now']);
      const desk = openSlotDesk(
        { limit, windowMs, deadlineMs },
        toPace(pace),
        new Map(agents.map((agent, n) => [agent, first<AgentPace>(found[n])])),
        Number(pace['active']),
        ended,
        now,
        requests.flatMap(({ waiting = [] }) => waiting),
      );
      const granted: SlotRequest[] = [];
      const answers = requests.map((request, n): SlotAnswer => {
        const { lease, bulk, subject, quota, unlessCached } = request;
        const leased = first<{ holder?: string; cached?: number }>(found[agents.length + n]);
        const isCached = unlessCached && leased?.cached !== undefined;
        if ((leased?.holder ?? lease.holder) !== lease.holder || isCached)
          return { granted: false, because: 'leased' };
        const decision = desk.decide({ agent: subject.agent, bulk, quota });
        if (decision.granted) granted.push(request);
        return decision;
      });
      if (granted.length > 0)
        return [answers, ...grant(id, granted, desk, now, Number(pace['version']))];
      settle(id, ended);
      ended = [];
      return [answers];
    });
  }

  return {
    /** Decides by `openSlotDesk` on a state that nobody else has changed until the decision is committed, together with the intent. */
    take: (request: SlotRequest): Promise<SlotAnswer> => {
      const { id, limit, windowMs } = request.connection;
      const name = JSON.stringify([id, limit, windowMs, request.deadlineMs]);
      let take = groups.get(name);
      if (take === undefined) groups.set(name, (take = database.together(takeTogether)));
      return take(request);
    },
    settle: ({ subject, slot }: CallReport) => {
      if (slot !== undefined) settle(subject.connection, [slot]);
    },
  };
}

const findPace = (connection: string, agent: string): Statement =>
  sql`SELECT
    coalesce((SELECT tat FROM pace_agent WHERE connection = ${connection} AND agent = ${agent}), 0) AS tat,
    coalesce((SELECT last_at FROM pace_agent WHERE connection = ${connection} AND agent = ${agent}), 0) AS "lastAt",
    coalesce((SELECT calls FROM day_calls WHERE agent = ${agent}
      AND day = CAST(floor(steady() / 86400000) AS bigint)), 0) AS today`;

/** A lease ends and its reply comes in one commit, so that one statement finds either. */
const findLease = ({ lease: { key } }: SlotRequest): Statement =>
  sql`SELECT (SELECT holder FROM lease WHERE key = ${key} AND expires_at > steady()) AS holder,
    (SELECT 1 FROM cached_reply WHERE key = ${key} AND expires_at > clock()) AS cached`;

/** Returns what writes slots that were granted on a version of the pace, with their leases and intents. */
function grant(
  id: string,
  granted: readonly SlotRequest[],
  desk: ReturnType<typeof openSlotDesk>,
  now: number,
  version: number,
): Statement[] {
  const { tat, bulkTat, heldUntil, taken, probeUntil } = desk.state();
  const today = dayAt(now);
  const counted = granted.flatMap(({ quota, subject }) =>
    quota === undefined ? [] : subject.agent,
  );
  const timesOf = (agent: string): number => counted.filter((one) => one === agent).length;
  const leases = [...new Map(granted.map(({ lease }) => [lease.key, lease])).values()];
  return [
    sql`UPDATE pace SET version = version + 1, tat = ${tat}, bulk_tat = ${bulkTat}, held_until = ${heldUntil},
        taken = ${JSON.stringify(taken)}, probe_until = ${probeUntil}
      WHERE connection = ${id} AND must(version = ${version})`,
    ...inOrder([...desk.agents], ([agent]) => agent).flatMap(([agent, pace]) => [
      // Two connections may be asked at once: the later finds that the count has changed. The agent may have been removed meanwhile.
      ...(counted.includes(agent)
        ? [
            sql`INSERT INTO day_calls SELECT id, ${today}, ${pace.today} FROM agent WHERE id = ${agent}
              ON CONFLICT (agent) DO UPDATE SET day = excluded.day, calls = excluded.calls
                WHERE must(day_calls.day <> excluded.day OR day_calls.calls = ${pace.today - timesOf(agent)})`,
          ]
        : []),
      sql`INSERT INTO pace_agent VALUES (${id}, ${agent}, ${pace.tat}, ${pace.lastAt})
        ON CONFLICT (connection, agent) DO UPDATE SET tat = excluded.tat, last_at = excluded.last_at`,
    ]),
    ...inOrder(leases, ({ key }) => key).map(
      ({ key, holder, forMs }) => sql`INSERT INTO lease VALUES (${key}, ${holder}, ${now + forMs})
        ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at`,
    ),
    ...granted.map(({ subject, bulk }) =>
      auditRow('intent', bulk ? 'bulk' : 'interactive', subject),
    ),
  ];
}

/** Rows are locked in the order of their keys, those of connections first, so that groups never wait in a ring. */
const inOrder = <T>(all: readonly T[], keyOf: (one: T) => string): T[] =>
  all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));

interface Release {
  readonly subject: Stored<'auditSubject'>;
  readonly result: string;
  readonly begin: () => void;
}

/** Tells how a reply was released: `threw` when its beginning failed. */
type Released = 'begun' | 'withheld' | { readonly threw: unknown };

/**
 * Creates what ends a call: its outcome and its reply, which mostly come together.
 *
 * The rows of replies are committed before they are begun. Then they are begun while their tokens' rows are locked: a revocation is
 * committed before that, and the reply withheld, or after the first byte. The lock is exclusive, so that those who wait for it come
 * in their order, a revocation too.
 */
function createEndings(database: Database, settle: (report: CallReport) => void) {
  async function endTogether(
    endings: readonly (CallReport | Release)[],
  ): Promise<readonly (Released | undefined | Promise<Released>)[]> {
    const reports = endings.filter((one) => 'health' in one);
    const releases = endings.filter((one) => 'begin' in one);
    const tokens = tokensOf(releases);
    const records = recordsOf(reports);
    const released = new Map<Release, Released | Promise<Released>>();
    await database.hold(
      [...records, ...releases.map(({ result, subject }) => replyRow(result, subject))],
      tokens.map(lockFreeToken),
      (recorded, locked, holds) =>
        releases.flatMap((one, n) => {
          const token = tokens.indexOf(one.subject.token);
          const said = recorded[records.length + n]?.[0]?.['result'];
          const isRecorded = said !== undefined;
          // A reply whose token had already ended has its row, and stays withheld where the token was extended since.
          if (said === 'withheld') released.set(one, 'withheld');
          else if (isRecorded && isFound(locked[token]) && holds())
            return beginReply(one, released);
          else released.set(one, releaseLate({ ...one, isRecorded }));
          return [];
        }),
    );
    return endings.map((one) => ('begin' in one ? released.get(one) : undefined));
  }

  /** Releases replies whose tokens others had locked, or may have by now, or that are gone: nobody else waits for them, and each token fails alone. */
  const releaseLate = database.together<Release & { readonly isRecorded: boolean }, Released>(
    async (releases) => {
      const released = new Map<Release, Released | Promise<Released>>();
      const releaseAll = async (token: string): Promise<void> => {
        const own = releases.filter(({ subject }) => subject.token === token);
        const missing = own.filter(({ isRecorded }) => !isRecorded);
        const rows = missing.map(({ result, subject }) => replyRow(result, subject));
        await database
          .hold(
            [lockToken(token), ...rows],
            [lockToken(token)],
            ([, ...recorded], [locked], holds) =>
              own.flatMap((one) => {
                const row = recorded[missing.indexOf(one)]?.[0];
                const said = one.isRecorded ? one.result : row?.['result'];
                if (said === 'withheld') return [];
                if (said === undefined || !isFound(locked))
                  return [auditRow('reply', 'withheld', one.subject)];
                if (holds()) return beginReply(one, released);
                released.set(one, releaseLate({ ...one, isRecorded: true }));
                return [];
              }),
          )
          .catch((threw: unknown) => {
            for (const one of own) released.set(one, { threw });
          });
      };
      await Promise.all(tokensOf(releases).map(releaseAll));
      return releases.map((one) => released.get(one) ?? 'withheld');
    },
  );

  // Two groups of one instance would wait for each other wherever an agent has several calls under way.
  const end = database.together(endTogether);
  return {
    /** Records a call's outcome, the upstream's health, the cached reply and the end of the lease in one transaction. */
    reportCall: async (report: CallReport) => {
      settle(report);
      await end(report);
    },
    /**
     * Commits the record of the reply, and calls `begin`, which must send the reply's first byte before it returns, while the token's
     * row is locked. Returns `withheld` without calling it when the token was revoked or has expired, and records that; a second time
     * where it was so only after the first record. When `begin` throws, records `not-begun` as well, and rejects with what was thrown;
     * nothing else is undone.
     */
    release: async (subject: Stored<'auditSubject'>, result: string, begin: () => void) => {
      const released = await end({ subject, result, begin });
      if (released === undefined) throw new Error('A release must be answered.');
      // Once the transaction is committed.
      if (typeof released === 'object') throw released.threw;
      return released;
    },
  };
}

const tokensOf = (releases: readonly Release[]): readonly string[] =>
  [...new Set(releases.map(({ subject }) => subject.token))].toSorted();

const isFound = (rows: Rows | undefined): boolean => rows?.length === 1;

const findValid = (id: string): Statement =>
  sql`SELECT 1 FROM token WHERE id = ${id} AND revoked_at = 0 AND expires_at > clock()`;
const lockToken = (id: string): Statement => sql`${findValid(id)} FOR NO KEY UPDATE`;
/** Finds nothing where somebody else has the token locked. */
const lockFreeToken = (id: string): Statement =>
  sql`${findValid(id)} FOR NO KEY UPDATE SKIP LOCKED`;

/** Returns what notes a call's health where that changes anything: too many failures in a row keep all others away. */
const noteHealth = ({ subject, health, heldUntil = 0 }: CallReport): Statement =>
  sql`UPDATE pace SET version = version + 1, probe_until = 0,
      held_until = CASE WHEN held_until < ${heldUntil} THEN ${heldUntil} ELSE held_until END,
      failures = CASE ${health} WHEN 'up' THEN 0 WHEN 'down' THEN failures + 1 ELSE failures END,
      open_until = CASE WHEN ${health} = 'unknown' THEN open_until
        WHEN ${health} = 'down' AND failures + 1 >= ${breaker.failuresToOpen} THEN steady() + ${breaker.openMs} ELSE 0 END
    WHERE connection = ${subject.connection} AND (${health} = 'down' OR held_until < ${heldUntil}
      OR probe_until <> 0 OR (${health} = 'up' AND (failures <> 0 OR open_until <> 0)))`;

/** Returns what notes the health of upstreams, ends the leases of calls, keeps their replies, and adds their outcomes. */
function recordsOf(reports: readonly CallReport[]): Statement[] {
  const leases = reports.map(({ lease }) => lease);
  const replies = reports.flatMap(({ cache, subject }) =>
    cache === undefined ? [] : [{ ...cache, connection: subject.connection }],
  );
  return [
    ...inOrder(reports, ({ subject }) => subject.connection).map(noteHealth),
    ...inOrder(leases, ({ key }) => key).map(
      ({ key, holder }) => sql`DELETE FROM lease WHERE key = ${key} AND holder = ${holder}`,
    ),
    ...inOrder(replies, ({ key }) => key).map(
      // The administrator may have removed the connection meanwhile.
      ({ key, connection, storedAt, expiresAt, sealed }) => sql`INSERT INTO cached_reply
          SELECT ${key}, id, ${storedAt}, ${expiresAt}, ${sealed} FROM connection WHERE id = ${connection}
        ON CONFLICT (key) DO UPDATE SET stored_at = excluded.stored_at, expires_at = excluded.expires_at,
          sealed = excluded.sealed`,
    ),
    ...reports.map(({ subject, result }) => auditRow('outcome', result, subject)),
  ];
}

/**
 * Begins a reply inside a transaction that others share, who must not lose what they have written when this one throws.
 * Returns what records that.
 */
function beginReply(one: Release, released: Map<Release, unknown>): Statement[] {
  try {
    one.begin();
    released.set(one, 'begun');
    return [];
  } catch (threw) {
    released.set(one, { threw });
    return [auditRow('reply', 'not-begun', one.subject)];
  }
}

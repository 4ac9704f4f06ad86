import {
  activeAgentMs,
  afterJump,
  type AgentPace,
  breaker,
  dayAt,
  everybody,
  createPaceLimiter,
  type PaceLimiter,
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
import { type Database, type Row, type Rows, type Statement, sql } from '#relay/store/sql';
import type { CallLookup, ServingStore, SlotAnswer, SlotRequest } from '#relay/store/store';

export function createServingStore(database: Database): ServingStore {
  const { one, all } = reading(database);
  const slots = createSlots(database);

  return {
    // A write for a question that nobody asks: a read-only or full database refuses it.
    ping: () =>
      database.batch(
        sql`INSERT INTO lease VALUES ('ping', '', 0) ON CONFLICT (key) DO UPDATE SET expires_at = 0`,
      ),
    findToken: database.together(async (ids: readonly string[]) => {
      const rows = await database.read(...ids.map(findToken));
      return rows.map((found) => first(found, toKnownToken));
    }, 2),
    findCall: database.together(async (lookups: readonly CallLookup[]) => {
      const rows = await database.read(...lookups.flatMap(partsOfCall));
      return lookups.map((_, n) => toFindings(rows.slice(n * 4, n * 4 + 4)));
    }, 2),
    extendToken: (id, expiresAt) =>
      database.batch(
        sql`UPDATE token SET expires_at = ${expiresAt} WHERE id = ${id} AND revoked_at = 0`,
      ),
    secrets: () => all(sql`SELECT name, master_key_id AS "masterKeyId", wrapped FROM secret`),
    takeSlot: slots.takeSlot,
    renewLease: ({ key, holder, forMs }) =>
      database.batch(
        sql`UPDATE lease SET expires_at = steady() + ${forMs} WHERE key = ${key} AND holder = ${holder}`,
      ),
    ...createEndings(database, slots.settle),
    findCached: (key) =>
      one(
        sql`SELECT ${columns.cached} FROM cached_reply WHERE key = ${key} AND expires_at > clock()`,
      ),
    dropExpiredReplies: () =>
      database.write(function* () {
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

function toFindings([token, connection, keys, replies]: readonly Rows[]): Stored<'callFindings'> {
  const key = first<NonNullable<Stored<'callFindings'>['key']>>(keys);
  const reply = first<Stored<'reply'>>(replies);
  return {
    token: first(token, toKnownToken),
    connection: first(connection, toConnection),
    key,
    // The key may have been replaced between the two statements.
    cached: reply?.key === key?.cacheKey ? reply : undefined,
  };
}

/** Creates the granting of slots: a decision is based on a state of the pace, and written only if that is still the stored state. */
function createSlots(database: Database) {
  /** Slots of this process whose calls have ended, until the next decision about their connection. One that is lost counts until its deadline. */
  const settled = new Map<string, readonly number[]>();
  const settle = (connection: string, slots: readonly number[]): void => {
    settled.set(connection, [...(settled.get(connection) ?? []), ...slots]);
  };
  const groups = new Map<string, (request: SlotRequest) => Promise<SlotAnswer>>();
  /** The jumps of the clock that a connection's stored pace already includes. */
  const jumps = new Map<string, number>();

  async function takeTogether(requests: readonly SlotRequest[]): Promise<readonly SlotAnswer[]> {
    const [{ connection, deadlineMs }] = requests as readonly [SlotRequest];
    const { id, limit, windowMs } = connection;
    let ended: readonly number[] = [];
    let jumped = jumps.get(id) ?? 0;
    const answers = await database.write<readonly SlotAnswer[]>(function* () {
      // A failed attempt gives them back. If its result is unknown, they count until their deadline.
      settle(id, ended);
      ended = settled.get(id) ?? [];
      settled.delete(id);
      const agents = [
        ...new Set(requests.flatMap(({ subject, waiting = [] }) => [subject.agent, ...waiting])),
      ];
      const [paceRows, ...found] = yield [
        sql`SELECT steady() AS now, clock() AS wall, ahead_ms AS ahead, ${columns.pace}, (SELECT count(*) FROM pace_agent
            WHERE connection = ${id} AND last_at > (SELECT steady()) - ${activeAgentMs}) AS active
          FROM pace WHERE connection = ${id}`,
        ...agents.map((agent) => findPace(id, agent)),
        ...requests.map(findLease),
      ];
      const pace = paceRows?.[0];
      if (pace === undefined) throw new Error('There is no such connection.');
      const now = Number(pace['now']);
      jumped = database.jumpedMs(now);
      let before = jumps.get(id) ?? 0;
      // The stored value is from another process's clock, which may have started before the wall clock was set.
      if (database.hasOwnClock) before = pace['ahead'] === before ? jumped : Number(pace['ahead']);
      const limiter = createPaceLimiter(
        { limit, windowMs, deadlineMs },
        afterJump(toPace(pace), jumped - before),
        new Map(agents.map((agent, n) => [agent, first<AgentPace>(found[n])])),
        Number(pace['active']),
        ended,
        now,
        requests.flatMap(({ waiting = [] }) => waiting),
        Number(pace['wall']),
      );
      const granted: SlotRequest[] = [];
      const answers = requests.map((request, n): SlotAnswer => {
        const { lease, bulk, subject, quota, unlessCached } = request;
        const leased = first<{ holder?: string; cached?: number }>(found[agents.length + n]);
        const isCached = unlessCached && leased?.cached !== undefined;
        if ((leased?.holder ?? lease.holder) !== lease.holder || isCached)
          return { granted: false, reason: 'leased' };
        const decision = limiter.decide({ agent: subject.agent, bulk, quota });
        if (decision.granted) granted.push(request);
        return decision;
      });
      if (granted.length > 0) return [answers, ...grant(id, granted, limiter, pace, jumped)];
      settle(id, ended);
      ended = [];
      return [answers];
    });
    // A refusal writes nothing.
    if (answers.some(({ granted }) => granted)) jumps.set(id, jumped);
    return answers;
  }

  return {
    takeSlot: (request: SlotRequest): Promise<SlotAnswer> => {
      const { id, limit, windowMs } = request.connection;
      const name = JSON.stringify([id, limit, windowMs, request.deadlineMs]);
      let take = groups.get(name);
      if (take === undefined) groups.set(name, (take = database.together(takeTogether)));
      return take(request);
    },
    settle,
  };
}

const findPace = (connection: string, agent: string): Statement =>
  sql`SELECT
    coalesce((SELECT tat FROM pace_agent WHERE connection = ${connection} AND agent = ${agent}), 0) AS tat,
    coalesce((SELECT last_at FROM pace_agent WHERE connection = ${connection} AND agent = ${agent}), 0) AS "lastAt",
    coalesce((SELECT calls FROM day_calls WHERE agent = ${agent}
      AND day = CAST(floor(clock() / 86400000) AS bigint)), 0) AS today`;

/** A lease ends and its reply is stored in one commit, so one statement finds either. */
const findLease = ({ lease: { key, forMs } }: SlotRequest): Statement =>
  // A lease with an impossibly late end was written by a clock that was ahead.
  sql`SELECT (SELECT holder FROM lease WHERE key = ${key} AND expires_at - steady() BETWEEN 1 AND ${2 * forMs}) AS holder,
    (SELECT 1 FROM cached_reply WHERE key = ${key} AND expires_at > clock()) AS cached`;

function grant(
  id: string,
  granted: readonly SlotRequest[],
  limiter: PaceLimiter,
  pace: Row,
  ahead: number,
): Statement[] {
  const [now, today] = [Number(pace['now']), dayAt(Number(pace['wall']))];
  const { tat, bulkTat, heldUntil, taken, probeUntil } = limiter.state();
  const counted = granted.flatMap(({ quota, subject }) =>
    quota === undefined ? [] : subject.agent,
  );
  const timesOf = (agent: string): number => counted.filter((one) => one === agent).length;
  const leases = [...new Map(granted.map(({ lease }) => [lease.key, lease])).values()];
  return [
    sql`UPDATE pace SET version = version + 1, tat = ${tat}, bulk_tat = ${bulkTat}, held_until = ${heldUntil},
        taken = ${JSON.stringify(taken)}, probe_until = ${probeUntil}, ahead_ms = ${ahead}
      WHERE connection = ${id} AND must(version = ${Number(pace['version'])})`,
    ...inOrder([...limiter.agents], ([agent]) => agent).flatMap(([agent, own]) => [
      // Two connections may be asked at once; the later one finds a changed count. The agent may have been removed in the meantime.
      ...(counted.includes(agent)
        ? [
            sql`INSERT INTO day_calls SELECT id, ${today}, ${own.today} FROM agent WHERE id = ${agent}
              ON CONFLICT (agent) DO UPDATE SET day = excluded.day, calls = excluded.calls
                WHERE must(day_calls.day <> excluded.day OR day_calls.calls = ${own.today - timesOf(agent)})`,
          ]
        : []),
      sql`INSERT INTO pace_agent VALUES (${id}, ${agent}, ${own.tat}, ${own.lastAt})
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

/** Rows are locked in the order of their keys, connections first, so that groups never deadlock. */
const inOrder = <T>(all: readonly T[], keyOf: (one: T) => string): T[] =>
  all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));

interface Release {
  readonly subject: Stored<'auditSubject'>;
  readonly result: string;
  readonly begin: () => void;
  /** Whether its row was already committed. */
  readonly isRecorded: boolean;
}

type Released = 'begun' | 'withheld' | { readonly threw: unknown };
type Answers = ReadonlyMap<Release, Released | Promise<Released>>;

/** Creates the ends of calls: outcome and reply, which are usually written together. */
function createEndings(
  database: Database,
  settle: (connection: string, slots: readonly number[]) => void,
): Pick<ServingStore, 'reportCall' | 'release'> {
  async function endTogether(
    endings: readonly (Stored<'callReport'> | Release)[],
  ): Promise<readonly (Released | undefined | Promise<Released>)[]> {
    const reports = endings.filter((one) => 'health' in one);
    const releases = endings.filter((one) => 'begin' in one);
    const released = await releaseFree(recordsOf(reports), releases);
    return endings.map((one) => ('begin' in one ? released.get(one) : undefined));
  }

  /** Releases replies at once, and later those whose tokens others have locked. @param before statements to run together with their rows */
  async function releaseFree(before: Statement[], releases: readonly Release[]): Promise<Answers> {
    const tokens = tokensOf(releases);
    const rows = releases.map(({ result, subject }) => replyRow(result, subject));
    const released = new Map<Release, Released | Promise<Released>>();
    await database.hold([...before, ...rows], tokens.map(lockIfFree), (recorded, locked, holds) =>
      releases.flatMap((one, n) => {
        const said = recorded[before.length + n]?.[0]?.['result'];
        const isLocked = locked[tokens.indexOf(one.subject.token)]?.length === 1;
        if (said === 'withheld') released.set(one, 'withheld');
        else if (said !== undefined && isLocked && holds()) return beginReply(one, released);
        else released.set(one, releaseLate({ ...one, isRecorded: said !== undefined }));
        return [];
      }),
    );
    return released;
  }

  /** Waits for a token's row, and then begins all of its replies or none. */
  async function releaseInTurn(token: string, releases: readonly Release[]): Promise<Answers> {
    const missing = releases.filter(({ isRecorded }) => !isRecorded);
    const rows = missing.map(({ result, subject }) => replyRow(result, subject));
    const released = new Map<Release, Released | Promise<Released>>();
    const lock = lockToken(token);
    await database.hold([lock, ...rows], [lock], ([, ...recorded], [locked], holds) =>
      releases.flatMap((one) => {
        const said = one.isRecorded ? one.result : recorded[missing.indexOf(one)]?.[0]?.['result'];
        // A reply whose token had already ended has its row, and stays withheld even if the token was extended since.
        if (said === 'withheld') released.set(one, 'withheld');
        else if (said === undefined || locked?.length !== 1)
          return [auditRow('reply', 'withheld', one.subject)];
        else if (holds()) return beginReply(one, released);
        else released.set(one, releaseLate({ ...one, isRecorded: true }));
        return [];
      }),
    );
    return released;
  }

  /** Releases replies whose tokens others had locked, or may have by now, or that are gone: nobody else waits for them, and each token fails alone. */
  const releaseLate = database.together<Release, Released>(async (releases) => {
    const byToken = tokensOf(releases).map((token) => {
      const own = releases.filter(({ subject }) => subject.token === token);
      return releaseInTurn(token, own).catch(
        (threw: unknown) => new Map(own.map((one) => [one, { threw }])),
      );
    });
    const released = new Map((await Promise.all(byToken)).flatMap((all) => [...all]));
    return releases.map((one) => released.get(one) ?? 'withheld');
  });

  // Otherwise two groups of one instance would wait for each other if an agent has several calls in progress.
  const end = database.together(endTogether);
  return {
    reportCall: async (report) => {
      settle(report.subject.connection, report.slot === undefined ? [] : [report.slot]);
      await end(report);
    },
    release: async (subject, result, begin) => {
      const released = await end({ subject, result, begin, isRecorded: false });
      if (released === undefined) throw new Error('A release must be answered.');
      if (typeof released === 'object') throw released.threw;
      return released;
    },
  };
}

const tokensOf = (releases: readonly Release[]): readonly string[] =>
  [...new Set(releases.map(({ subject }) => subject.token))].toSorted();

const findValid = (id: string): Statement =>
  sql`SELECT 1 FROM token WHERE id = ${id} AND revoked_at = 0 AND expires_at > clock()`;
/** The lock is exclusive, so that waiters, including revocations, get it in order. */
const lockToken = (id: string): Statement => sql`${findValid(id)} FOR NO KEY UPDATE`;
const lockIfFree = (id: string): Statement => sql`${findValid(id)} FOR NO KEY UPDATE SKIP LOCKED`;

/** Returns the agent to whom a call's failure is attributed; the relay's own questions have no token. */
const by = ({ agent, token }: Stored<'auditSubject'>): string => (token === '' ? everybody : agent);

/** Returns a statement that records a call's health if it changes something: too many consecutive failures stop other calls. */
const noteHealth = ({ subject, health, heldUntil = 0 }: Stored<'callReport'>): Statement =>
  sql`UPDATE pace SET version = version + 1, probe_until = 0,
      held_until = CASE WHEN held_until < ${heldUntil} THEN ${heldUntil} ELSE held_until END,
      failures = CASE ${health} WHEN 'up' THEN 0 WHEN 'down' THEN failures + 1 ELSE failures END,
      failed_by = CASE WHEN ${health} <> 'down' THEN failed_by WHEN failures = 0 OR failed_by = ${by(subject)}
        THEN ${by(subject)} ELSE ${everybody} END,
      open_until = CASE WHEN ${health} = 'unknown' THEN open_until
        WHEN ${health} = 'down' AND failures + 1 >= ${breaker.failuresToOpen} THEN steady() + ${breaker.openMs} ELSE 0 END
    WHERE connection = ${subject.connection} AND (${health} = 'down' OR held_until < ${heldUntil}
      OR probe_until <> 0 OR (${health} = 'up' AND (failures <> 0 OR open_until <> 0)))`;

function recordsOf(reports: readonly Stored<'callReport'>[]): Statement[] {
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
      // The administrator may have removed the connection in the meantime.
      ({ key, connection, storedAt, expiresAt, sealed }) => sql`INSERT INTO cached_reply
          SELECT ${key}, id, ${storedAt}, ${expiresAt}, ${sealed} FROM connection WHERE id = ${connection}
        ON CONFLICT (key) DO UPDATE SET stored_at = excluded.stored_at, expires_at = excluded.expires_at,
          sealed = excluded.sealed`,
    ),
    ...reports.map(({ subject, result }) => auditRow('outcome', result, subject)),
  ];
}

/** Begins a reply in a shared transaction, which must not fail if this reply throws. Returns the statements that record it. */
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

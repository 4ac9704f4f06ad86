import {
  activeAgentMs,
  afterCall,
  createSettledSlots,
  dayAt,
  openSlotDesk,
  type SettledSlots,
} from '#relay/rules/pace';
import type { Database } from '#relay/store/postgres/database';
import { inGroups } from '#relay/store/postgres/groups';
import { columns, toPace } from '#relay/store/rows';
import type { CallReport, ServingStore, SlotAnswer, SlotRequest } from '#relay/store/store';

/** Has beside a state the version of its row, which every change of it changes, and the moment at which it was read. */
interface StateRow {
  readonly version: string;
  readonly now: number;
}

interface SlotRow extends StateRow {
  readonly active: number;
  /** By agent: theoretical arrival time, last slot. */
  readonly paces: Readonly<Record<string, readonly [number, number]>>;
  readonly today: Readonly<Record<string, number>>;
  /** By key, until when another instance asks. */
  readonly leases: Readonly<Record<string, readonly [holder: string, until: number]>>;
  readonly cached: readonly string[];
}

const stateColumns = `pace.xmin::text AS version, ${columns.pace}`;

/** A lease ends and its reply comes in one commit, so that one statement finds either. */
const readSql = `
  SELECT now, ${stateColumns},
    (SELECT count(*) FROM pace_agent WHERE connection = $1 AND last_at > now - ${String(activeAgentMs)}) AS active,
    (SELECT coalesce(json_object_agg(agent, json_build_array(tat, last_at)), '{}') FROM pace_agent
      WHERE connection = $1 AND agent = ANY ($2)) AS paces,
    (SELECT coalesce(json_object_agg(agent, calls), '{}') FROM day_calls
      WHERE agent = ANY ($2) AND day = floor(now / 86400000)::bigint) AS today,
    (SELECT coalesce(json_object_agg(key, json_build_array(holder, expires_at)), '{}') FROM lease
      WHERE key = ANY ($3) AND expires_at > now) AS leases,
    ARRAY(SELECT key FROM cached_reply WHERE key = ANY ($4) AND expires_at > now) AS cached
  FROM pace, LATERAL (SELECT clock() AS now OFFSET 0) AS clock WHERE connection = $1`;

const grantSql = `SELECT grant_slots($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) AS granted`;

/** How often a state that others keep changing is read anew. Whenever one instance finds it changed, another one has got on. */
const maxTries = 50;

/**
 * Decides on the requests of one connection in groups. A decision counts only when its state is still the stored one when it is
 * written: no lock is held between the two, so that an instance that stands still keeps nobody from getting on.
 */
export function createSlots(
  database: Database,
): Pick<ServingStore, 'takeSlot'> & { readonly settle: (report: CallReport) => void } {
  const settled = createSettledSlots();
  const groups = new Map<string, (request: SlotRequest) => Promise<SlotAnswer>>();
  return {
    takeSlot: (request) => {
      const { id, limit, windowMs } = request.connection;
      const name = JSON.stringify([id, limit, windowMs, request.deadlineMs]);
      let take = groups.get(name);
      if (take === undefined) {
        take = inGroups<SlotRequest, SlotAnswer>(
          (requests) => takeTogether(database, requests, settled),
          { lanes: 1 },
        );
        groups.set(name, take);
      }
      return take(request);
    },
    settle: ({ subject, slot }) => {
      if (slot !== undefined) settled.add(subject.connection, [slot]);
    },
  };
}

async function takeTogether(
  database: Database,
  requests: readonly SlotRequest[],
  settled: SettledSlots,
): Promise<readonly SlotAnswer[]> {
  const id = requests[0]?.connection.id ?? '';
  for (let tries = 0; tries < maxTries; tries += 1) {
    const ended = settled.take(id);
    const [row] = await database.query<SlotRow>(readSql, [
      id,
      requests.flatMap(({ subject, waiting = [] }) => [subject.agent, ...waiting]),
      requests.map(({ lease }) => lease.key),
      requests.filter(({ unlessCached }) => unlessCached).map(({ lease }) => lease.key),
    ]);
    if (row === undefined) throw new Error('There is no such connection.');
    const { answers, grant } = decideTogether(requests, row, ended);
    if (grant !== undefined) {
      const [written] = await database.query<{ readonly granted: boolean }>(grantSql, grant);
      if (written?.granted === true) return answers;
    }
    settled.add(id, ended);
    if (grant === undefined) return answers;
  }
  throw new Error('Others change the pace all the time.');
}

/** Decides on requests in their order. Returns the values of `grant_slots` too, where there is anything to write. */
function decideTogether(
  requests: readonly SlotRequest[],
  row: SlotRow,
  ended: readonly number[],
): { readonly answers: readonly SlotAnswer[]; readonly grant: readonly unknown[] | undefined } {
  const { now, version, active, paces, today, leases, cached } = row;
  const known = new Map(
    [...requests.map(({ subject }) => subject.agent), ...Object.keys(paces)].map((agent) => {
      const [tat, lastAt] = paces[agent] ?? [0, 0];
      return [agent, { tat, lastAt, today: today[agent] ?? 0 }];
    }),
  );
  const [{ connection, deadlineMs }] = requests as readonly [SlotRequest];
  const { id, limit, windowMs } = connection;
  const rule = { limit, windowMs, deadlineMs };
  const waiting = requests.flatMap((one) => one.waiting ?? []);
  const desk = openSlotDesk(rule, toPace(row), known, active, ended, now, waiting);
  const granted: SlotRequest[] = [];
  const answers = requests.map((request): SlotAnswer => {
    const { lease, bulk, subject, quota } = request;
    const [holder = lease.holder, until] = leases[lease.key] ?? [];
    if (until !== undefined && holder !== lease.holder) {
      return { granted: false, at: until, because: 'leased' };
    }
    if (cached.includes(lease.key)) return { granted: false, at: now, because: 'leased' };
    const decision = desk.decide({ agent: subject.agent, bulk, quota });
    if (decision.granted) granted.push(request);
    return decision;
  });
  if (granted.length === 0) return { answers, grant: undefined };
  const { tat, bulkTat, heldUntil, taken, probeUntil } = desk.state();
  const agents = [...desk.agents];
  const counted = new Set(
    granted.filter(({ quota }) => quota !== undefined).map(({ subject }) => subject.agent),
  );
  const own = [...new Map(granted.map(({ lease }) => [lease.key, lease])).values()];
  const intents = granted.map(({ subject, bulk }) => ({
    ...subject,
    kind: 'intent',
    result: bulk ? 'bulk' : 'interactive',
  }));
  const grant = [
    id,
    version,
    now,
    tat,
    bulkTat,
    heldUntil,
    JSON.stringify(taken),
    probeUntil,
    agents.map(([agent]) => agent),
    agents.map(([, pace]) => pace.tat),
    dayAt(now),
    agents.map(([agent, pace]) => (counted.has(agent) ? pace.today : null)),
    own.map(({ key }) => key),
    own.map(({ holder }) => holder),
    own.map(({ forMs }) => now + forMs),
    JSON.stringify(intents),
  ];
  return { answers, grant };
}

/** Records what calls tell of their upstreams. @param failing the connections that count failures already */
export async function noteHealth(
  database: Database,
  reports: readonly CallReport[],
  failing: readonly string[],
): Promise<void> {
  for (const report of reports) {
    const { subject, health, heldUntil } = report;
    const isPlain = health !== 'down' && heldUntil === undefined;
    if (isPlain && !failing.includes(subject.connection)) continue;
    await changeState(database, subject.connection, report);
  }
}

async function changeState(database: Database, id: string, report: CallReport): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const [row] = await database.query<StateRow>(
      `SELECT clock() AS now, ${stateColumns} FROM pace WHERE connection = $1`,
      [id],
    );
    // The administrator may have removed the connection meanwhile.
    if (row === undefined) return;
    const before = toPace(row);
    const after = afterCall(before, report, row.now);
    if (after === before) return;
    const changed = await database.query(
      `UPDATE pace SET held_until = $3, failures = $4, open_until = $5, probe_until = $6
         WHERE connection = $1 AND xmin::text = $2 RETURNING 1`,
      [id, row.version, after.heldUntil, after.failures, after.openUntil, after.probeUntil],
    );
    if (changed.length > 0) return;
  }
  throw new Error('Others change the pace all the time.');
}

import type { DatabaseSync } from 'node:sqlite';

import {
  activeAgentMs,
  afterCall,
  createSettledSlots,
  dayAt,
  freshUpstream,
  openSlotDesk,
  type UpstreamState,
} from '#relay/rules/pace';
import type { Audit } from '#relay/store/sqlite/audit';
import { reading } from '#relay/store/sqlite/database';
import {
  columns,
  toAgentPace,
  toCachedReply,
  toConnection,
  toKey,
  toKnownToken,
  tokenSql,
  toPace,
  toSecret,
} from '#relay/store/rows';
import type { WriteQueue } from '#relay/store/sqlite/write-queue';
import { cacheKeyOf, type KnownToken } from '#relay/store/records';
import type { CachedReply, CallLookup, ServingStore, StoreClocks } from '#relay/store/store';

/** Creates what the relay does with its store while it serves. */
export function createServingStore(
  database: DatabaseSync,
  { write, hold }: WriteQueue,
  audit: Audit,
  { now, paceNow }: StoreClocks,
): ServingStore {
  const settled = createSettledSlots();
  const readPace = database.prepare(`SELECT ${columns.pace} FROM pace WHERE connection = ?`);
  const writePace = database.prepare(
    `INSERT OR REPLACE INTO pace (connection, tat, bulk_tat, held_until, taken, failures, open_until, probe_until)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const readAgent = database.prepare(
    `SELECT coalesce(tat, 0) AS tat, coalesce(last_at, 0) AS lastAt, coalesce(calls, 0) AS today,
         (SELECT count(*) FROM pace_agent WHERE connection = asked.connection AND last_at > asked.since) AS active
       FROM (SELECT ? AS connection, ? AS agent, ? AS since, ? AS day) AS asked
         LEFT JOIN pace_agent USING (connection, agent) LEFT JOIN day_calls USING (agent, day)`,
  );
  const writeAgent = database.prepare('INSERT OR REPLACE INTO pace_agent VALUES (?, ?, ?, ?)');
  const writeDay = database.prepare('INSERT OR REPLACE INTO day_calls VALUES (?, ?, ?)');
  const token = database.prepare(`${tokenSql} WHERE token.id = ?`);
  const connection = database.prepare(`SELECT ${columns.connection} FROM connection WHERE id = ?`);
  const key = database.prepare(`SELECT ${columns.key} FROM connection_key WHERE connection = ?`);
  const cached = database.prepare(
    `SELECT ${columns.cached} FROM cached_reply WHERE key = ? AND expires_at > ?`,
  );
  const putCached = database.prepare('INSERT OR REPLACE INTO cached_reply VALUES (?, ?, ?, ?)');
  const dropStale = database.prepare('DELETE FROM cached_reply WHERE expires_at <= ?');
  const takeLease = database.prepare(
    'INSERT OR REPLACE INTO lease (key, holder, expires_at) VALUES (?, ?, ?)',
  );
  const foreignLease = database.prepare(
    'SELECT expires_at AS at FROM lease WHERE key = ? AND holder <> ? AND expires_at > ?',
  );
  const endLease = database.prepare('DELETE FROM lease WHERE key = ? AND holder = ?');

  const findToken = (id: string): KnownToken | undefined => {
    const row = token.get(id);
    return row && toKnownToken(row);
  };
  const stateOf = (id: string): UpstreamState => {
    const row = readPace.get(id);
    return row === undefined ? freshUpstream : toPace(row);
  };
  const storeState = (id: string, state: UpstreamState): void => {
    const { tat, bulkTat, heldUntil, taken, failures, openUntil, probeUntil } = state;
    const text = JSON.stringify(taken);
    writePace.run(id, tat, bulkTat, heldUntil, text, failures, openUntil, probeUntil);
  };
  const findCached = (id: string): CachedReply | undefined => {
    const row = cached.get(id, now());
    return row && toCachedReply(row);
  };

  const holds = (id: string): boolean => {
    const row = token.get(id);
    return row?.['revokedAt'] === 0 && Number(row['expiresAt']) > now();
  };

  return {
    // A lease that nobody asks for: a database that can only be read answers nobody.
    ping: () =>
      write(() => {
        takeLease.run('ping', '', 0);
      }),
    findToken: reading(findToken),
    findCall: reading((lookup: CallLookup) => {
      const found = connection.get(lookup.connection);
      const keyRow = key.get(lookup.connection);
      const newest = keyRow && toKey(keyRow);
      return {
        token: findToken(lookup.token),
        connection: found && toConnection(found),
        key: newest,
        cached: newest && findCached(cacheKeyOf(newest, lookup.cacheKeyEnd)),
      };
    }),
    extendToken: (id, expiresAt) =>
      write(() => {
        database
          .prepare('UPDATE token SET expires_at = ? WHERE id = ? AND revoked_at = 0')
          .run(expiresAt, id);
      }),
    secrets: reading(() =>
      database.prepare(`SELECT ${columns.secret} FROM secret`).all().map(toSecret),
    ),
    takeSlot: (request) =>
      write(() => {
        const { connection, lease, bulk, subject, quota, deadlineMs } = request;
        const { id, limit, windowMs } = connection;
        const { agent } = subject;
        const at = paceNow();
        const leased = foreignLease.get(lease.key, lease.holder, at);
        if (leased !== undefined)
          return { granted: false, at: Number(leased['at']), because: 'leased' };
        if (request.unlessCached && cached.get(lease.key, now()) !== undefined)
          return { granted: false, at, because: 'leased' };
        const day = dayAt(at);
        const paces = [agent, ...(request.waiting ?? [])].map((name) => {
          const row = readAgent.get(id, name, at - activeAgentMs, day);
          return [name, toAgentPace(row)] as const;
        });
        const ended = settled.take(id);
        const desk = openSlotDesk(
          { limit, windowMs, deadlineMs },
          stateOf(id),
          new Map(paces),
          paces[0]?.[1].active ?? 0,
          ended,
          at,
          request.waiting,
        );
        const decision = desk.decide({ agent, bulk, quota });
        if (!decision.granted) {
          settled.add(id, ended);
          return decision;
        }
        storeState(id, desk.state());
        for (const [name, pace] of desk.agents) {
          writeAgent.run(id, name, pace.tat, pace.lastAt);
          if (quota !== undefined) writeDay.run(name, day, pace.today);
        }
        takeLease.run(lease.key, lease.holder, at + lease.forMs);
        audit.add('intent', bulk ? 'bulk' : 'interactive', subject);
        return decision;
      }),
    reportCall: (report) => {
      const { subject, cache, lease, slot } = report;
      if (slot !== undefined) settled.add(subject.connection, [slot]);
      return write(() => {
        audit.add('outcome', report.result, subject);
        endLease.run(lease.key, lease.holder);
        // The administrator may have removed the connection meanwhile.
        if (connection.get(subject.connection) === undefined) return;
        const before = stateOf(subject.connection);
        const after = afterCall(before, report, paceNow());
        if (after !== before) storeState(subject.connection, after);
        if (cache === undefined) return;
        dropStale.run(now());
        putCached.run(cache.key, cache.storedAt, cache.expiresAt, cache.sealed);
      });
    },
    release: async (subject, result, begin) => {
      const record = (what: string): Promise<void> =>
        write(() => {
          audit.add('reply', what, subject);
        });
      // On the disk before the first byte leaves.
      const recorded = await write(() => {
        const holding = holds(subject.token);
        audit.add('reply', holding ? result : 'withheld', subject);
        return holding;
      });
      if (!recorded) return 'withheld';
      // The write lock is held, so that a revocation was committed before this or is after the first byte.
      const released = await hold(() => {
        if (!holds(subject.token)) return 'withheld';
        begin();
        return 'begun';
      }).catch(async (error: unknown) => {
        await record('not-begun');
        throw error;
      });
      if (released === 'withheld') await record(released);
      return released;
    },
    findCached: reading(findCached),
    dropExpiredReplies: () => write(() => Number(dropStale.run(now()).changes)),
  };
}

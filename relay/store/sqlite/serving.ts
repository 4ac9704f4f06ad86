import type { DatabaseSync } from 'node:sqlite';

import type { AuditTables } from '#relay/store/sqlite/audit';
import { createPaceTable } from '#relay/store/sqlite/pace-table';
import { reading } from '#relay/store/sqlite/reading';
import {
  columns,
  toCachedReply,
  toConnection,
  toKey,
  toRole,
  toSecret,
  toToken,
} from '#relay/store/sqlite/rows';
import type { WriteQueue } from '#relay/store/sqlite/write-queue';
import { type Released, beginReply, orThrow } from '#relay/store/begin-reply';
import { cacheKeyOf } from '#relay/store/cache-key';
import type { KnownToken } from '#relay/store/records';
import type { CachedReply, CallLookup, ServingStore, StoreClocks } from '#relay/store/store';

/** Creates what the relay does with its store while it serves. */
export function createServingStore(
  database: DatabaseSync,
  { write, hold }: WriteQueue,
  audit: AuditTables,
  { now, paceNow }: StoreClocks,
): ServingStore {
  const pace = createPaceTable(database, paceNow);
  const token = database.prepare(
    `SELECT ${columns.token}, role.name AS role, sees FROM token
       JOIN agent ON agent.id = token.agent JOIN role ON role.name = agent.role WHERE token.id = ?`,
  );
  const connection = database.prepare(`SELECT ${columns.connection} FROM connection WHERE id = ?`);
  const key = database.prepare(`SELECT ${columns.key} FROM connection_key WHERE connection = ?`);
  const cached = database.prepare(
    `SELECT key, stored_at AS storedAt, expires_at AS expiresAt, sealed FROM cached_reply
       WHERE key = ? AND expires_at > ?`,
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
    if (row === undefined) return undefined;
    const { role, sees, ...rest } = row;
    return { ...toToken(rest), role: toRole({ name: role, sees }) };
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
        const { lease, bulk, subject } = request;
        const leased = foreignLease.get(lease.key, lease.holder, paceNow());
        if (leased !== undefined)
          return { granted: false, at: Number(leased['at']), because: 'leased' };
        if (request.unlessCached && cached.get(lease.key, now()) !== undefined)
          return { granted: false, at: paceNow(), because: 'leased' };
        const answer = pace.take(request);
        if (!answer.granted) return answer;
        takeLease.run(lease.key, lease.holder, paceNow() + lease.forMs);
        audit.add('intent', bulk ? 'bulk' : 'interactive', subject);
        return answer;
      }),
    reportCall: (report) =>
      write(() => {
        const { subject, cache, lease } = report;
        audit.add('outcome', report.result, subject);
        endLease.run(lease.key, lease.holder);
        // The administrator may have removed the connection meanwhile.
        if (connection.get(subject.connection) === undefined) return;
        pace.report(subject.connection, report);
        if (cache === undefined) return;
        dropStale.run(now());
        putCached.run(cache.key, cache.storedAt, cache.expiresAt, cache.sealed);
      }),
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
      const released = await hold(() =>
        holds(subject.token) ? beginReply(begin) : 'withheld',
      ).catch((error: unknown): Released => ({ threw: error }));
      if (released !== 'begun') await record(released === 'withheld' ? 'withheld' : 'not-begun');
      return orThrow(released);
    },
    findCached: reading(findCached),
    dropExpiredReplies: () => write(() => Number(dropStale.run(now()).changes)),
  };
}

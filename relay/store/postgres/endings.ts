import { noteHealth } from '#relay/store/postgres/slots';
import { writeAudit } from '#relay/store/postgres/audit';
import type { Database } from '#relay/store/postgres/database';
import { inGroups } from '#relay/store/postgres/groups';
import type { AuditSubject } from '#relay/store/records';
import type { CallReport, ServingStore } from '#relay/store/store';

interface Release {
  readonly subject: AuditSubject;
  readonly result: string;
  readonly begin: () => void;
}

/** Tells how a reply was released: `threw` when its beginning failed. */
type Released = 'begun' | 'withheld' | { readonly threw: unknown };

/** Begins a reply inside a transaction that others share, who must not lose what they have written when this one throws. */
function beginReply(begin: () => void): Released {
  try {
    begin();
    return 'begun';
  } catch (error) {
    return { threw: error };
  }
}

type Ending = { readonly report: CallReport } | { readonly release: Release };

/** Half of the time after which the server ends a transaction that is silent, and frees its locks. */
const longestHoldMs = 1_000;

/** After so many replies that came into the cache, twice as many are removed from it, as far as they have expired. */
const sweepAfter = 50;

/**
 * Creates what ends a call: its outcome and its reply, which mostly come together and then take one round trip.
 *
 * The rows of replies are committed before they are begun. Then they are begun while their tokens' rows are locked: a revocation is
 * committed before that, and the reply withheld, or after the first byte. The lock is exclusive, so that those who wait for it come
 * in their order, a revocation too.
 */
export function createEndings(database: Database): Pick<ServingStore, 'release' | 'reportCall'> {
  /** Replies that came into the cache since expired ones were removed from it. */
  let added = 0;
  const end = inGroups<Ending, Released | undefined>(
    async (endings) => {
      const reports = endings.flatMap((one) => ('report' in one ? [one.report] : []));
      const releases = endings.flatMap((one) => ('release' in one ? [one.release] : []));
      added += reports.filter(({ cache }) => cache !== undefined).length;
      const expired = added < sweepAfter ? 0 : 2 * added;
      if (expired > 0) added = 0;
      const released = await endTogether(database, reports, releases, expired);
      let next = 0;
      return endings.map((one) => ('release' in one ? released[next++] : undefined));
    },
    // Two groups of one instance would wait for each other wherever an agent has several calls under way.
    { lanes: 1 },
  );

  return {
    reportCall: async (report) => {
      await end({ report });
    },
    release: async (subject, result, begin) => {
      const released = await end({ release: { subject, result, begin } });
      if (released === undefined) throw new Error('A release must be answered.');
      // Once the transaction is committed.
      if (typeof released === 'object') throw released.threw;
      return released;
    },
  };
}

const endSql =
  'SELECT holding, failing FROM end_calls($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';
/** The clock is read after each lock. */
const lockSql = `WITH locked AS (
    SELECT id, revoked_at, expires_at FROM token WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE
  ) SELECT coalesce(array_agg(id), '{}') AS holding FROM locked WHERE revoked_at = 0 AND expires_at > clock()`;

interface EndedRow {
  readonly holding: readonly string[];
  readonly failing: readonly string[];
}

async function endTogether(
  database: Database,
  reports: readonly CallReport[],
  releases: readonly Release[],
  expired: number,
): Promise<readonly Released[]> {
  const values = [...valuesOf(reports, releases), expired];
  if (releases.length === 0) {
    const [ended] = await database.query<EndedRow>(endSql, values);
    await noteHealth(database, reports, ended?.failing ?? []);
    return [];
  }
  const tokens = unique(releases.map(({ subject }) => subject.token));
  const askedAt = performance.now();
  let failing: readonly string[] = [];
  const released = await database.commitThenLock<readonly Released[]>(
    [endSql, ...values],
    [lockSql, tokens],
    async ([recorded], [locked], session) => {
      // The process may have stood still for longer than the server waits.
      if (performance.now() - askedAt > longestHoldMs) throw new Error('The lock may be gone.');
      const holdsIn = (row: typeof recorded, { subject }: Release): boolean => {
        const holding = row?.['holding'];
        return Array.isArray(holding) && holding.includes(subject.token);
      };
      failing = (recorded as EndedRow | undefined)?.failing ?? [];
      const begun = releases.map((one) =>
        holdsIn(recorded, one) && holdsIn(locked, one) ? beginReply(one.begin) : 'withheld',
      );
      const rows = releases.flatMap((one, n) => {
        const result = typeof begun[n] === 'object' ? 'not-begun' : begun[n];
        // Of a token that was gone before, it is recorded already.
        if (result === 'begun' || !holdsIn(recorded, one)) return [];
        return [{ ...one.subject, kind: 'reply' as const, result: result ?? 'not-begun' }];
      });
      if (rows.length > 0) await writeAudit(session, rows);
      return begun;
    },
  );
  await noteHealth(database, reports, failing);
  return released;
}

/** Returns the values in the order in which `end_calls` takes them. */
function valuesOf(reports: readonly CallReport[], releases: readonly Release[]): unknown[] {
  const outcomes = reports.map(({ subject, result }) => ({ ...subject, kind: 'outcome', result }));
  const replies = releases.map(({ subject, result }) => ({ ...subject, kind: 'reply', result }));
  // Of two replies with one key the last one counts.
  const cached = new Map(
    reports.flatMap(({ subject, cache }) =>
      cache === undefined
        ? []
        : [[cache.key, { ...cache, connection: subject.connection }] as const],
    ),
  );
  const replaced = [...cached.values()];
  return [
    JSON.stringify([...outcomes, ...replies]),
    unique(releases.map(({ subject }) => subject.token)),
    unique(reports.map(({ subject }) => subject.connection)),
    unique(reports.map(({ lease }) => lease.key)),
    unique(reports.map(({ lease }) => lease.holder)),
    replaced.map(({ key }) => key),
    replaced.map(({ connection }) => connection),
    replaced.map(({ storedAt }) => storedAt),
    replaced.map(({ expiresAt }) => expiresAt),
    replaced.map(({ sealed }) => sealed),
  ];
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

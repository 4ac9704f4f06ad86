import type { Database } from '#relay/store/postgres/database';
import { literal } from '#relay/store/postgres/database';
import { inGroups } from '#relay/store/postgres/groups';
import type { AuditSubject } from '#relay/store/records';
import type { CallReport, ServingStore } from '#relay/store/store';

interface Release {
  readonly subject: AuditSubject;
  readonly result: string;
  readonly begin: () => void;
}

type Released = Awaited<ReturnType<ServingStore['release']>>;
type Ending = { readonly report: CallReport } | { readonly release: Release };

/** Half of the time after which the server ends a transaction that is silent, and frees its locks. */
const longestHoldMs = 1_000;

/**
 * Creates what ends a call: its outcome and its reply, which mostly come together and then take one journey.
 *
 * Replies are begun while their tokens' rows are locked: a revocation is committed before that, and the reply withheld, or after the
 * first byte. The lock is exclusive, so that those who wait for it come in their order, a revocation too.
 */
export function createEndings(database: Database): Pick<ServingStore, 'release' | 'reportCall'> {
  const end = inGroups<Ending, Released | undefined>(
    async (endings) => {
      const reports = endings.flatMap((one) => ('report' in one ? [one.report] : []));
      const releases = endings.flatMap((one) => ('release' in one ? [one.release] : []));
      const released = await endTogether(database, reports, releases);
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
      return released;
    },
  };
}

async function endTogether(
  database: Database,
  reports: readonly CallReport[],
  releases: readonly Release[],
): Promise<readonly Released[]> {
  const statements = [
    ...(reports.length === 0 ? [] : [reportStatement(reports)]),
    ...(releases.length === 0 ? [] : [holdStatement(releases)]),
  ];
  const askedAt = performance.now();
  return database.withLocks<readonly Released[]>(statements.join('; '), (rows) => {
    // The process may have stood still for longer than the server waits.
    if (performance.now() - askedAt > longestHoldMs) throw new Error('The lock may be gone.');
    return releases.map(({ begin }, n) => {
      if (rows[n]?.['holds'] !== true) return 'withheld';
      begin();
      return 'begun';
    });
  });
}

function reportStatement(reports: readonly CallReport[]): string {
  const bodies: string[] = [];
  const written = reports.map(({ cache, ...report }) => {
    if (cache === undefined) return report;
    const { sealed, ...about } = cache;
    return { ...report, cache: { ...about, body: bodies.push(literal(sealed)) } };
  });
  return `SELECT report_calls(${literal(JSON.stringify(written))}, ARRAY[${bodies.join(', ')}]::bytea[])`;
}

function holdStatement(releases: readonly Release[]): string {
  const asked = releases.map(({ subject, result }) => ({ subject, result }));
  return `SELECT holds FROM hold_tokens(${literal(JSON.stringify(asked))})`;
}

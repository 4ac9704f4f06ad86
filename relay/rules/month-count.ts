import type { AuditRow } from '#relay/store/records';

/** Lists what may become of a check, as the audit tells it: not which support a purchase has. */
export const verdicts = ['found', 'not found', 'other answer', 'no answer'] as const;

type Verdict = (typeof verdicts)[number];

/** Counts checks, each of which has one verdict. */
export interface Tally extends Readonly<Record<Verdict, number>> {
  readonly checks: number;
  /** How many different agents made them. */
  readonly agents: number;
}

/** Counts the checks of a month. */
export interface MonthCount {
  readonly total: Tally;
  /** By the ids of connections. */
  readonly connections: ReadonlyMap<string, Tally>;
  /** By the ids of agents. */
  readonly agents: ReadonlyMap<string, Tally>;
  /** By days in UTC, `2026-11-15`. */
  readonly days: ReadonlyMap<string, Tally>;
  /** Of the codes that several agents have asked, the ten that most have, then those that were asked most often. */
  readonly codes: readonly {
    readonly hmac: string;
    readonly last4: string;
    readonly tally: Tally;
  }[];
}

interface Check {
  readonly agent: string;
  readonly connection: string;
  readonly day: string;
  readonly hmac: string;
  readonly last4: string;
  readonly verdict: Verdict;
}

const mostCodes = 10;

/** Creates what counts the audit's rows of one month, given in their order: `add` takes each, and `end` returns the count. */
export function countMonth(): {
  readonly add: (row: AuditRow) => void;
  readonly end: () => MonthCount;
} {
  /** What the marketplace answered, by call, and last of all by connection and code. */
  const byCall = new Map<string, string>();
  const byCode = new Map<string, string>();
  const checks = new Map<string, Check>();

  function verdictOf({ callId = '', connection = '', codeHmac = '', result }: AuditRow): Verdict {
    // Only a purchase that was found is answered from the cache.
    if (result === 'cached') return 'found';
    if (result !== 'asked' && result !== 'shared') return 'no answer';
    // A call without an outcome of its own took the answer of another one: of this instance, or out of the cache.
    const answer = byCall.get(callId) ?? byCode.get(`${connection} ${codeHmac}`) ?? 'success';
    if (answer === 'success') return 'found';
    return answer === '404' ? 'not found' : 'other answer';
  }

  return {
    add: (row) => {
      const { call, kind, callId = '', agent = '', connection = '', codeHmac: hmac = '' } = row;
      if (call !== 'validation') return;
      if (kind === 'outcome') {
        byCall.set(callId, row.result);
        byCode.set(`${connection} ${hmac}`, row.result);
      }
      if (kind !== 'reply') return;
      const day = new Date(row.at).toISOString().slice(0, 10);
      const last4 = row.codeLast4 ?? '';
      // A reply that was withheld or not begun has a second row, which counts.
      checks.set(callId, { agent, connection, day, hmac, last4, verdict: verdictOf(row) });
    },
    end: () => {
      const all = [...checks.values()];
      const by = (key: (check: Check) => string): Map<string, Check[]> => Map.groupBy(all, key);
      const tallies = (groups: ReadonlyMap<string, readonly Check[]>): Map<string, Tally> =>
        new Map([...groups].map(([key, some]) => [key, tallyOf(some)]));
      const codes = [...by(({ hmac }) => hmac)]
        .map(([hmac, some]) => ({ hmac, last4: some[0]?.last4 ?? '', tally: tallyOf(some) }))
        .filter(({ hmac, tally }) => hmac !== '' && tally.agents > 1)
        .toSorted(
          (a, b) =>
            b.tally.agents - a.tally.agents ||
            b.tally.checks - a.tally.checks ||
            (a.hmac < b.hmac ? -1 : 1),
        );
      return {
        total: tallyOf(all),
        connections: tallies(by(({ connection }) => connection)),
        agents: tallies(by(({ agent }) => agent)),
        days: tallies(by(({ day }) => day)),
        codes: codes.slice(0, mostCodes),
      };
    },
  };
}

function tallyOf(checks: readonly Check[]): Tally {
  const tally = {
    checks: checks.length,
    found: 0,
    'not found': 0,
    'other answer': 0,
    'no answer': 0,
  };
  for (const { verdict } of checks) tally[verdict] += 1;
  return { ...tally, agents: new Set(checks.map(({ agent }) => agent)).size };
}

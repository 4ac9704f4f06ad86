import { maskCode } from '#core/check/mask-code';
import type { CheckReport } from '#core/check/check-report';
import { type AnswerSummary, summariseAnswer } from '#core/history/brief';
import type { EarlierCheck, RememberedReport } from '#core/history/entry';
import type { Connection } from '#core/connections/connection';
import type { HistoryStore, NewEntry } from '#adapters/storage/history-store';
import type { SellerAccessProvider } from '#background/seller/access';
import type { Body } from '#messaging/protocol';

type Check = Body<'check'>;

interface Parts {
  readonly store: HistoryStore;
  readonly sellerAccess: SellerAccessProvider;
  readonly check: (check: Check) => Promise<CheckReport>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** An answer that a bulk check got. */
export interface BulkAnswer {
  readonly code: string;
  readonly answer: AnswerSummary;
  readonly checkedAt: number;
}

export interface History {
  /** Checks, notes the answer, and says what was known of the code before. */
  check(check: Check): Promise<RememberedReport>;
  noteBulk(connection: Connection, answers: readonly BulkAnswer[]): Promise<void>;
  /** Deletes what was checked there, unless the agent keeps it. */
  forgetConnection(connectionId: string): Promise<void>;
  /** Removes what is older than the agent wants it kept. */
  prune(): Promise<void>;
}

const dayMs = 86_400_000;

/**
 * What is remembered of checks: answers, never faults, and the code as the agent's setting says. It is beside the check, not in
 * its way: whatever goes wrong here, the answer is given.
 */
export function createHistory({ store, sellerAccess, check, now }: Parts): History {
  async function remember(
    report: CheckReport,
    ticket: string | undefined,
  ): Promise<RememberedReport> {
    const settings = await store.settings();
    if (settings.days === 0 || !report.outcome.ok) return report;
    const { connectionId, code, checkedAt } = report;
    const codeId = await store.codeIdOf(code);
    const entries = await store.ofCode(codeId);
    const isNoted = entries.some(
      (entry) => entry.connectionId === connectionId && entry.checkedAt === checkedAt,
    );
    const before = entries.find(
      (entry) => entry.connectionId === connectionId && entry.checkedAt < checkedAt,
    );
    if (!report.cached && !isNoted) {
      const connection = await sellerAccess.find(connectionId);
      const entry: NewEntry = {
        ...{ codeId, connectionId, checkedAt, by: 'agent' },
        code: settings.codes === 'whole' ? code : maskCode(code),
        connectionName: connection?.name ?? '',
        answer: summariseAnswer(report.outcome.value),
        ...(settings.tickets && ticket !== undefined ? { ticket } : {}),
      };
      // Without room the check itself goes on; the history says so by its age.
      await store.add([entry]);
    }
    if (before === undefined) return report;
    const tickets = settings.tickets
      ? entries.flatMap((entry) => entry.ticket ?? []).filter((address) => address !== ticket)
      : [];
    const earlier: EarlierCheck = {
      checkedAt: before.checkedAt,
      answer: before.answer,
      tickets: [...new Set(tickets)],
    };
    return { ...report, earlier };
  }

  return {
    async check(asked) {
      const report = await check(asked);
      return remember(report, asked.ticket).catch(() => report);
    },

    async noteBulk({ id, name }, answers) {
      const settings = await store.settings();
      if (settings.days === 0) return;
      const entries = answers.map(async ({ code, answer, checkedAt }): Promise<NewEntry> => ({
        codeId: await store.codeIdOf(code),
        code: settings.codes === 'whole' ? code : maskCode(code),
        ...{ connectionId: id, connectionName: name, checkedAt, answer, by: 'bulk' },
      }));
      await store.add(await Promise.all(entries));
    },

    async forgetConnection(connectionId) {
      if ((await store.settings()).goesWithConnection) await store.forgetConnection(connectionId);
    },

    async prune() {
      const { days } = await store.settings();
      if (days > 0) await store.prune(now() - days * dayMs);
    },
  };
}

import {
  type CheckReport,
  type CheckRequest,
  isLocked,
  purchaseIn,
  questionAbout,
} from '#core/check/index';
import { connectionsFor, type ConnectionState } from '#core/connections/index';
import { omitUndefined } from '#core/result';
import type { Site } from '#core/preferences/index';
import { isFresh, minuteMs } from '#core/time/index';

interface ChipCheckDependencies {
  readonly connections: () => Promise<readonly ConnectionState[]>;
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
  /** Records in the history that an answer was given again. */
  readonly repeat: (report: CheckReport, request: CheckRequest) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Checks codes for pages that ask automatically, and reuses each answer for some minutes. */
export interface ChipChecks {
  /**
   * Asks one connection after the other until one knows the code.
   * @returns the answers, and whether they cost no request: each was remembered, or its key is locked
   */
  check(
    code: string,
    site: Site,
  ): Promise<{ readonly reports: readonly CheckReport[]; readonly isFree: boolean }>;
  /** Returns the connections that would be asked about a code: none if one is remembered to know it. */
  unasked(code: string): Promise<readonly ConnectionState[]>;
  /** Remembers an answer; a fault removes the earlier one. */
  remember(report: CheckReport): void;
  forget(): void;
}

/** How long any answer is reused for pages that check automatically, in milliseconds. */
const rememberedMs = 5 * minuteMs;
/** How many answers are remembered; the oldest is removed first. */
const maxRemembered = 500;

export function createChipChecks({
  connections,
  check,
  repeat,
  now,
}: ChipCheckDependencies): ChipChecks {
  /** The latest answer of each connection for each code. */
  const remembered = new Map<string, CheckReport>();

  function remember(report: CheckReport): void {
    const name = nameOf(report);
    remembered.delete(name);
    if (!report.outcome.ok) return;
    remembered.set(name, report);
    if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value ?? '');
  }

  function recall(request: Pick<CheckReport, 'connectionId' | 'code'>): CheckReport | undefined {
    const report = remembered.get(nameOf(request));
    return report && isFresh(report.checkedAt, now(), rememberedMs) ? report : undefined;
  }

  return {
    async unasked(code) {
      const all = connectionsFor(code, await connections());
      const known = all.map(({ id }) => recall({ code, connectionId: id }));
      return known.some((report) => purchaseIn(report?.outcome))
        ? []
        : all.filter((_each, at) => known[at] === undefined);
    },
    async check(code, { expectedItem }) {
      const reports: CheckReport[] = [];
      let isFree = true;
      const ids = connectionsFor(code, await connections()).map(({ id }) => id);
      const question = questionAbout(
        crypto.randomUUID(),
        ids.map((connectionId) => ({ connectionId })),
      );
      for (const connectionId of ids) {
        const expectedItemId =
          expectedItem?.connectionId === connectionId ? expectedItem.itemId : undefined;
        const request = omitUndefined({
          code,
          connectionId,
          fresh: false,
          expectedItemId,
          question,
        });
        const known = recall(request);
        const report = known ?? (await check(request));
        if (known === undefined) {
          isFree &&= isLocked(report.outcome);
          remember(report);
        } else await repeat(known, request);
        reports.push(report);
        if (purchaseIn(report.outcome)) break;
      }
      return { reports, isFree };
    },
    remember,
    forget: () => {
      remembered.clear();
    },
  };
}

function nameOf({ connectionId, code }: Pick<CheckReport, 'connectionId' | 'code'>): string {
  return `${connectionId} ${code}`;
}

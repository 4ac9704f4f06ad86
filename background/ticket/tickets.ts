import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { WorkerStorage } from '#adapters/storage/worker/index';
import { createSerialQueue } from '#background/serial-queue';
import { createChipWords } from '#background/ticket/chip-words';
import { createDocumentCodes } from '#background/ticket/document-codes';
import type { Sites } from '#background/ticket/sites';
import { createTabLimit } from '#background/ticket/tab-limit';
import { type CheckReport, purchaseIn } from '#core/check/index';
import { omitUndefined } from '#core/result';
import { minuteMs } from '#core/time/units';
import type { Handlers, TicketUpdate } from '#messaging/index';
import type { ConnectionState } from '#core/connections/index';
import type { Site } from '#core/sites';
import { codePatternsOf, connectionsFor } from '#core/code-forms';
import type { CheckRequest } from '#core/check-request';

interface TicketDependencies {
  readonly sites: Sites;
  readonly scripts: ContentScripts;
  readonly panel: SidePanel;
  readonly pendingTexts: WorkerStorage['pendingTexts'];
  readonly browserMessages: BrowserMessages;
  readonly connections: () => Promise<readonly ConnectionState[]>;
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
  /** Starts to watch the lock. The returned function tells whether the keys were locked since. */
  readonly watchLock: () => () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Waits for so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface Tickets {
  readonly handlers: Pick<
    Handlers,
    'ticket.start' | 'ticket.finder' | 'ticket.open' | 'ticket.check'
  >;
  /** Updates the chips in the documents that have asked about the report's code. */
  showReport(report: CheckReport): Promise<void>;
}

/** No agent clicks more chips than this in a minute; a hostile page would. */
const maxOpensPerMinute = 30;
/** How many requests an unknown code may cost, with a proven dialect and with one that is not. */
const [provenCost, unprovenCost] = [2, 5];
/**
 * 10 codes: a third of the usual limit of a server, the rest is left to the agent's own checks. A purchase costs as much as a
 * code that no server knows, since the limit would otherwise tell the page which of them it had asked about.
 */
const maxCheckPointsPerMinute = 20;
/**
 * A page can tell when its chips change, and purchases, unknown codes and remembered answers take different times. An answer is
 * given at the first of these moments by which it has arrived, in milliseconds after its question.
 */
const answerMoments = [1000, 4000, 30_000];
/** For how long an answer is given again to pages that check by themselves, whatever it says. */
const rememberedMs = 5 * minuteMs;
/** Answers that are remembered; the first one is forgotten first. */
const maxRemembered = 500;

/**
 * Serves the ticket script. Its page may be hostile and its renderer compromised: nothing is trusted but its origin,
 * which the browser vouches for, and it learns only what its chips show of codes that it has named itself.
 */
export function createTickets(dependencies: TicketDependencies): Tickets {
  const { sites, scripts, panel, pendingTexts, now } = dependencies;
  const { chip, verdictOn } = createChipWords(dependencies.browserMessages, now);
  const opens = createTabLimit(maxOpensPerMinute);
  const checks = createTabLimit(maxCheckPointsPerMinute);
  const codes = createDocumentCodes();
  /** Frames of a tab that ask at once share what one answer brings, such as the account check. */
  const oneByOne = createSerialQueue();
  /** The latest answer of each connection about each code. */
  const remembered = new Map<string, CheckReport>();

  let isLocked = dependencies.watchLock();

  /** No chip shows a verdict from before the keys were locked. */
  function forgetIfLocked(): void {
    if (!isLocked()) return;
    isLocked = dependencies.watchLock();
    codes.forgetReports();
    remembered.clear();
  }

  function remember(report: CheckReport): void {
    const name = nameOf(report);
    remembered.delete(name);
    if (!report.outcome.ok) return;
    remembered.set(name, report);
    if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value ?? '');
  }

  function recall(question: CheckRequest): CheckReport | undefined {
    const report = remembered.get(nameOf(question));
    return report && Math.abs(now() - report.checkedAt) < rememberedMs ? report : undefined;
  }

  async function connectionIdsFor(code: string): Promise<string[]> {
    return connectionsFor(code, await dependencies.connections()).map(({ id }) => id);
  }

  /** Returns the points of a question about a code, before anything of its answer is known. */
  async function costOf(code: string): Promise<number> {
    const costs = connectionsFor(code, await dependencies.connections()).map(({ dialect }) =>
      dialect.proven ? provenCost : unprovenCost,
    );
    return Math.max(0, ...costs);
  }

  /** Asks one connection after the other until one knows the code. */
  async function checkEverywhere(
    code: string,
    { expectedItem }: Site,
  ): Promise<{ readonly reports: readonly CheckReport[]; readonly areKnown: boolean }> {
    const reports: CheckReport[] = [];
    let areKnown = true;
    const ids = await connectionIdsFor(code);
    const question = ids.length > 1 ? { id: crypto.randomUUID(), asked: ids } : undefined;
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
      const report = known ?? (await dependencies.check(request));
      if (known === undefined) {
        areKnown = false;
        remember(report);
      }
      reports.push(report);
      if (purchaseIn(report.outcome) !== undefined) break;
    }
    return { reports, areKnown };
  }

  /** Resolves with what a task resolves with, at one of the moments that are the same for all. */
  async function atItsMoment<T>(task: () => Promise<T>): Promise<T> {
    const startedAt = now();
    const answer = await task();
    const taken = Math.max(0, now() - startedAt);
    const moment = answerMoments.find((each) => taken <= each);
    if (moment !== undefined) await dependencies.pause(moment - taken);
    return answer;
  }

  return {
    handlers: {
      'ticket.start': async (_body, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site === undefined) return null;
        if (!(await scripts.add('view', asker.tabId, asker.frameId))) return null;
        const patterns = codePatternsOf(await dependencies.connections());
        return {
          automatic: site.automatic,
          origin: asker.origin,
          patterns,
          blank: chip('ask'),
          busy: chip('asking'),
        };
      },

      'ticket.finder': async (_body, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return false;
        if ((await sites.find(asker.origin)) === undefined) return false;
        return scripts.add('finder', asker.tabId, asker.frameId);
      },

      'ticket.open': ({ code }, _nonce, asker) => {
        if (asker.name !== 'ticket-script' || sites.isKnown(asker.origin) === false)
          return Promise.resolve(null);
        const { origin, tabId, windowId } = asker;
        if (!opens.take(tabId, now())) return Promise.resolve(null);
        // Before any await, or the click no longer counts. An empty panel reveals nothing.
        const shown = panel.open(windowId, 'message');
        return (async () => {
          if ((await sites.find(origin)) !== undefined) {
            // The panel asks what the chip has asked, so that both say the same.
            const known = codes.find(asker, code);
            const connectionIds = known?.connectionIds ?? (await connectionIdsFor(code));
            codes.add(known ?? { document: asker, code, connectionIds, reports: [] });
            await pendingTexts.leave({
              text: code,
              connectionIds,
              ticket: asker.url,
              at: now(),
              place: { windowId },
            });
          }
          await shown;
          return null;
        })();
      },

      'ticket.check': async ({ code }, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site?.automatic !== true) return null;
        forgetIfLocked();
        const cost = await costOf(code);
        if (!checks.take(asker.tabId, now(), cost)) return null;
        const { reports, areKnown } = await atItsMoment(() =>
          oneByOne(`checks ${String(asker.tabId)}`, () => checkEverywhere(code, site)),
        );
        if (areKnown) checks.giveBack(asker.tabId, cost);
        const connectionIds = reports.map(({ connectionId }) => connectionId);
        codes.add({ document: asker, code, connectionIds, reports });
        return reports.length === 0 ? null : verdictOn(reports, site.expectedItem);
      },
    },

    async showReport(report) {
      forgetIfLocked();
      remember(report);
      for (const { document, code, reports } of codes.addReport(report)) {
        const site = await sites.find(document.origin);
        const shown = verdictOn(reports, site?.expectedItem);
        await scripts.send(
          { ticket: 'checked', code, chip: shown } satisfies TicketUpdate,
          document,
        );
      }
    },
  };
}

function nameOf({ connectionId, code }: Pick<CheckReport, 'connectionId' | 'code'>): string {
  return `${connectionId} ${code}`;
}

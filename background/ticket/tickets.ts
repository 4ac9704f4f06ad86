import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { WorkerStorage } from '#adapters/storage/worker/index';
import { createSerialQueue } from '#background/serial-queue';
import { createChipChecks } from '#background/ticket/chip-checks';
import { createDocumentCodes, type ScriptDocument } from '#background/ticket/document-codes';
import type { Sites } from '#background/ticket/sites';
import { createTabLimit } from '#background/ticket/tab-limit';
import type { CheckReport, CheckRequest } from '#core/check/index';
import { createChipWords } from '#core/chips/index';
import type { Handlers, TicketUpdate } from '#messaging/index';
import { codePatternsOf, connectionsFor, type ConnectionState } from '#core/connections/index';

interface TicketDependencies {
  readonly sites: Sites;
  readonly scripts: ContentScripts;
  readonly panel: SidePanel;
  readonly pendingTexts: WorkerStorage['pendingTexts'];
  readonly browserMessages: BrowserMessages;
  readonly connections: () => Promise<readonly ConnectionState[]>;
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
  /** Records in the history that an answer was given again. */
  readonly repeat: (report: CheckReport, request: CheckRequest) => Promise<void>;
  /** Starts watching the lock. The returned function tells whether the keys were locked since then. */
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

interface ShownDocument extends ScriptDocument {
  readonly windowId: number;
  readonly url?: string;
}

/** No agent clicks more chips than this in a minute, but a hostile page might. */
const maxOpensPerMinute = 30;
/** How many requests an unknown code may cost, with a proven dialect and with an unproven one. */
const [provenCost, unprovenCost] = [2, 5];
/**
 * 10 codes. This is a third of a server's usual limit; the rest is for the agent's own checks. A purchase costs as much
 * as an unknown code, so that the page cannot distinguish them by its limit.
 */
const maxCheckPointsPerMinute = 20;
/**
 * A page can see when its chips change, and purchases, unknown codes and remembered answers take different times. So an
 * answer is shown at the next of these moments after its arrival, in milliseconds after the question.
 */
const answerMoments = [1000, 4000, 30_000];

/**
 * Serves the ticket script. Its page may be hostile and its renderer compromised, so only its origin is trusted, which
 * the browser vouches for. The script learns only what its chips show about codes that it has sent itself.
 */
export function createTickets(dependencies: TicketDependencies): Tickets {
  const { sites, scripts, panel, pendingTexts, connections, now } = dependencies;
  const { chip, verdictOn } = createChipWords(dependencies.browserMessages);
  const opens = createTabLimit(maxOpensPerMinute);
  const checks = createTabLimit(maxCheckPointsPerMinute);
  const codes = createDocumentCodes();
  const chipChecks = createChipChecks(dependencies);
  /** Frames of a tab that ask at the same time share the results of one answer, such as the account check. */
  const oneByOne = createSerialQueue();
  let wasLocked = dependencies.watchLock();

  /** Forgets reports after a lock, so that no chip shows a verdict from before it. */
  function forgetIfLocked(): void {
    if (!wasLocked()) return;
    wasLocked = dependencies.watchLock();
    codes.forgetReports();
    chipChecks.forget();
  }

  /** Returns the points for checking a code, independent of its answer; none if the answer is remembered. */
  async function costOf(code: string): Promise<number> {
    const costs = (await chipChecks.unasked(code)).map(({ dialect }) =>
      dialect.proven ? provenCost : unprovenCost,
    );
    return Math.max(0, ...costs);
  }

  /**
   * Hands a code to the panel, which then asks the same connections as the chip, so that both show the same verdict.
   */
  async function leaveForPanel(code: string, document: ShownDocument): Promise<void> {
    const known = codes.find(document, code);
    const connectionIds =
      known?.connectionIds ?? connectionsFor(code, await connections()).map(({ id }) => id);
    codes.add(known ?? { document, code, connectionIds, reports: [] });
    await pendingTexts.put({
      text: code,
      connectionIds,
      ticket: document.url,
      at: now(),
      target: { windowId: document.windowId },
    });
  }

  return {
    handlers: {
      'ticket.start': async (_body, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site === undefined) return null;
        if (!(await scripts.add('view', asker.tabId, asker.frameId))) return null;
        return {
          automatic: site.automatic,
          origin: asker.origin,
          patterns: codePatternsOf(await connections()),
          blank: chip('ask'),
          busy: chip('asking'),
        };
      },

      'ticket.finder': async (_body, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return false;
        if ((await sites.find(asker.origin)) === undefined) return false;
        return scripts.add('finder', asker.tabId, asker.frameId);
      },

      'ticket.open': async ({ code }, _nonce, asker) => {
        if (asker.name !== 'ticket-script' || sites.isKnown(asker.origin) === false) return null;
        const { origin, tabId, windowId } = asker;
        if (!opens.take(tabId, now())) return null;
        // This must come before any await, or the click no longer counts as a user gesture. An empty panel reveals
        // nothing.
        const shown = panel.open(windowId, 'message');
        if ((await sites.find(origin)) !== undefined) await leaveForPanel(code, asker);
        await shown;
        return null;
      },

      'ticket.check': async ({ code }, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site?.automatic !== true) return null;
        forgetIfLocked();
        const cost = await costOf(code);
        if (!checks.take(asker.tabId, now(), cost)) return null;
        const { reports, isFree } = await atItsMoment(dependencies, () =>
          oneByOne(`checks ${String(asker.tabId)}`, () => chipChecks.check(code, site)),
        );
        if (isFree) checks.giveBack(asker.tabId, cost);
        const connectionIds = reports.map(({ connectionId }) => connectionId);
        codes.add({ document: asker, code, connectionIds, reports });
        return reports.length === 0 ? null : verdictOn(reports, site.expectedItem, now());
      },
    },

    async showReport(report) {
      forgetIfLocked();
      chipChecks.remember(report);
      for (const { document, code, reports } of codes.addReport(report)) {
        const site = await sites.find(document.origin);
        const shown = verdictOn(reports, site?.expectedItem, now());
        await scripts.send(
          { ticket: 'checked', code, chip: shown } satisfies TicketUpdate,
          document,
        );
      }
    },
  };
}

/** Resolves with a task's result, at the next of `answerMoments`. */
async function atItsMoment<T>(
  { now, pause }: Pick<TicketDependencies, 'now' | 'pause'>,
  task: () => Promise<T>,
): Promise<T> {
  const startedAt = now();
  const answer = await task();
  const taken = Math.max(0, now() - startedAt);
  const moment = answerMoments.find((each) => taken <= each);
  if (moment !== undefined) await pause(moment - taken);
  return answer;
}

import { type CheckReport, purchaseIn } from '#core/check/check-report';
import { omitUndefined } from '#core/omit-undefined';
import { type ChipFace, chipFaceOf, isAnswer } from '#core/ticket/chip';
import { neverTicketText, notesFor } from '#core/ticket/site-notes';
import type { PendingTexts } from '#adapters/storage/pending-text';
import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { CheckRequest } from '#messaging/topics/check';
import type { Handlers } from '#messaging/serve';
import type { Chip, TicketUpdate } from '#messaging/topics/ticket';
import type { ConnectionState } from '#messaging/topics/connections';
import { createSerialQueue } from '#background/serial-queue';
import { chipSize, chipStyle, chipLooks } from '#background/ticket/chip-style';
import type { Sites } from '#background/ticket/sites';
import { createDocumentCodes } from '#background/ticket/document-codes';
import { createTabLimit } from '#background/ticket/tab-limit';

interface TicketDependencies {
  readonly sites: Sites;
  readonly scripts: ContentScripts;
  readonly panel: SidePanel;
  readonly pendingTexts: PendingTexts;
  readonly browserMessages: BrowserMessages;
  readonly connections: () => Promise<readonly ConnectionState[]>;
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
  /** Starts to watch the lock. The returned function tells whether the keys were locked since. */
  readonly watchLock: () => () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Tickets {
  readonly handlers: Pick<Handlers, 'ticket.start' | 'ticket.open' | 'ticket.check'>;
  /** Updates the chips in the documents that have asked about the report's code. */
  showReport(report: CheckReport): Promise<void>;
}

/** No agent clicks more chips than this in a minute; a hostile page would. */
const maxOpensPerMinute = 30;
/**
 * Requests that a not-found may take. As many points are taken before the question, so that questions at once pass no limit, and
 * those of a purchase but one are given back.
 */
const notFoundCost = 4;
/** 20 purchases or 5 made-up codes: a third of the usual limit of a server, the rest is left to the agent's own checks. */
const maxCheckPointsPerMinute = 20 + notFoundCost - 1;

/**
 * Serves the ticket script. Its page may be hostile and its renderer compromised: nothing is trusted but its origin,
 * which the browser vouches for, and it learns only a face and a label for codes that it has named itself.
 */
export function createTickets(dependencies: TicketDependencies): Tickets {
  const { sites, scripts, panel, pendingTexts, browserMessages, now } = dependencies;
  const opens = createTabLimit(maxOpensPerMinute);
  const checks = createTabLimit(maxCheckPointsPerMinute);
  const codes = createDocumentCodes();
  /** Frames of a tab that ask at once share what one answer brings, such as the account check. */
  const oneByOne = createSerialQueue();

  let isLocked = dependencies.watchLock();

  /** A verdict from before the keys were locked lends its face to no chip. */
  function forgetIfLocked(): void {
    if (!isLocked()) return;
    isLocked = dependencies.watchLock();
    codes.forgetReports();
  }

  const chip = (face: ChipFace): Chip => ({
    ...chipLooks[face],
    label: browserMessages(`chip_${face.replace('-', '_')}`),
    answered: isAnswer(face),
  });

  async function allConnectionIds(): Promise<string[]> {
    return (await dependencies.connections()).map(({ id }) => id);
  }

  /** Asks one connection after the other until one knows the code. */
  async function checkEverywhere(code: string): Promise<CheckReport[]> {
    const reports: CheckReport[] = [];
    for (const connectionId of await allConnectionIds()) {
      const report = await dependencies.check({ code, connectionId, fresh: false });
      reports.push(report);
      if (purchaseIn(report.outcome) !== undefined) break;
    }
    return reports;
  }

  return {
    handlers: {
      'ticket.start': async (_body, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site === undefined) return null;
        if (!(await scripts.addView(asker.tabId, asker.frameId))) return null;
        const patterns = (await dependencies.connections()).flatMap(
          ({ dialect }) => dialect.codePattern ?? [],
        );
        const notes = notesFor(asker.origin).map(({ known, messages, composer, leftAlone }) =>
          omitUndefined({ known, messages, composer, leftAlone }),
        );
        return {
          automatic: site.automatic,
          never: neverTicketText,
          patterns,
          notes,
          blank: chip('ask'),
          busy: chip('asking'),
          style: chipStyle,
          size: chipSize,
        };
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
            const connectionIds = known?.connectionIds ?? (await allConnectionIds());
            codes.add(known ?? { document: asker, code, connectionIds, reports: [] });
            await pendingTexts.leave({ text: code, connectionIds, at: now(), place: { windowId } });
          }
          await shown;
          return null;
        })();
      },

      'ticket.check': async ({ code }, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site?.automatic !== true || !checks.take(asker.tabId, now(), notFoundCost)) return null;
        const reports = await oneByOne(`checks ${String(asker.tabId)}`, () =>
          checkEverywhere(code),
        );
        const connectionIds = reports.map(({ connectionId }) => connectionId);
        codes.add({ document: asker, code, connectionIds, reports });
        const face = chipFaceOf(reports, now(), site.expectedItem);
        if (reports.every(({ cached }) => cached)) checks.giveBack(asker.tabId, notFoundCost);
        else if (face !== 'not-found' && face !== 'failed')
          checks.giveBack(asker.tabId, notFoundCost - 1);
        return reports.length === 0 ? null : chip(face);
      },
    },

    async showReport(report) {
      forgetIfLocked();
      for (const { document, code, reports } of codes.addReport(report)) {
        const site = await sites.find(document.origin);
        const shown = chip(chipFaceOf(reports, now(), site?.expectedItem));
        await scripts.send(
          { ticket: 'checked', code, chip: shown } satisfies TicketUpdate,
          document,
        );
      }
    },
  };
}

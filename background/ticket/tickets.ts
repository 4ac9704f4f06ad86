import type { CheckReport } from '#core/check/check-report';
import { type ChipFace, chipFaceOf } from '#core/ticket/chip';
import { neverTicketText, notesFor, withinLines } from '#core/ticket/site-notes';
import type { PendingTexts } from '#adapters/storage/pending-text';
import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { CheckRequest } from '#messaging/check/protocol';
import type { Handlers } from '#messaging/serve';
import type { Chip, TicketUpdate } from '#messaging/ticket/protocol';
import type { ConnectionState } from '#messaging/connections/protocol';
import { chipSize, chipStyle, chipLooks } from '#background/ticket/chip-style';
import type { Sites } from '#background/ticket/sites';
import { createTabLimit } from '#background/ticket/tab-limit';

interface TicketDependencies {
  readonly sites: Sites;
  readonly scripts: ContentScripts;
  readonly panel: SidePanel;
  readonly pendingTexts: PendingTexts;
  readonly browserMessages: BrowserMessages;
  readonly connections: () => Promise<readonly ConnectionState[]>;
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Tickets {
  readonly handlers: Pick<Handlers, 'ticket.start' | 'ticket.open' | 'ticket.check'>;
  /** Updates the chips in the tabs that have opened the report's code. */
  showReport(report: CheckReport): Promise<void>;
}

/** No agent clicks more chips than this in a minute; a hostile page would. */
const maxOpensPerMinute = 30;
/** A third of the usual limit of a server: the rest is left to the agent's own checks. */
const maxChecksPerMinute = 20;
/** A not-found may take several requests, so a page that makes codes up must not use up the server's limit. */
const notFoundCost = 4;
/** Opened codes that are remembered, over all tabs. */
const maxOpened = 100;

/**
 * Serves the ticket script. Its page may be hostile and its renderer compromised: nothing is trusted but its origin,
 * which the browser vouches for, and it learns only a face and a label for codes that it has named itself.
 */
export function createTickets(outside: TicketDependencies): Tickets {
  const { sites, scripts, panel, pendingTexts, browserMessages, now } = outside;
  const opens = createTabLimit(maxOpensPerMinute);
  const checks = createTabLimit(maxChecksPerMinute);
  /** The reports on opened codes, by tab and code. */
  const opened = new Map<
    string,
    { tabId: number; code: string; reports: Map<string, CheckReport> }
  >();

  const chip = (face: ChipFace): Chip => ({
    ...chipLooks[face],
    words: browserMessages(`chip_${face.replace('-', '_')}`),
  });

  function remember(tabId: number, code: string): void {
    const name = `${String(tabId)} ${code}`;
    opened.delete(name);
    opened.set(name, { tabId, code, reports: new Map() });
    if (opened.size > maxOpened) opened.delete(opened.keys().next().value ?? '');
  }

  return {
    handlers: {
      'ticket.start': async (_body, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site === undefined) return null;
        if (!(await scripts.addView(asker.tabId, asker.frameId))) return null;
        const patterns = (await outside.connections()).flatMap(
          ({ dialect }) => dialect.codePattern ?? [],
        );
        const notes = notesFor(asker.origin).map(({ known, messages, composer }) => ({
          messages,
          ...(known === undefined ? {} : { known }),
          ...(composer === undefined ? {} : { composer }),
        }));
        return {
          automatic: site.automatic,
          never: neverTicketText,
          ...{ withinLines, patterns, notes },
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
            remember(tabId, code);
            await pendingTexts.leave({ text: code, at: now(), place: { windowId } });
          }
          await shown;
          return null;
        })();
      },

      'ticket.check': async ({ code }, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site?.automatic !== true || !checks.take(asker.tabId, now())) return null;
        const reports: CheckReport[] = [];
        for (const { id: connectionId } of await outside.connections()) {
          const report = await outside.check({ code, connectionId, fresh: false });
          reports.push(report);
          if (report.outcome.ok && report.outcome.value.kind === 'purchase') break;
        }
        const face = chipFaceOf(reports, now());
        if (reports.every(({ cached }) => cached)) checks.giveBack(asker.tabId);
        else if (face === 'not-found' || face === 'failed')
          for (let more = 1; more < notFoundCost; more += 1) checks.take(asker.tabId, now());
        return reports.length === 0 ? null : chip(face);
      },
    },

    async showReport(report) {
      for (const { tabId, code, reports } of opened.values()) {
        if (code !== report.code) continue;
        reports.set(report.connectionId, report);
        const update: TicketUpdate = {
          ticket: 'checked',
          code,
          chip: chip(chipFaceOf([...reports.values()], now())),
        };
        await scripts.send(update, tabId);
      }
    },
  };
}

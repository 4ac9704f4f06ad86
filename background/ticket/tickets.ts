import type { CheckReport } from '#core/check/check-report';
import { type ChipFace, chipFaceOf } from '#core/ticket/chip';
import { neverTicketText, notesFor, withinLines } from '#core/ticket/site-notes';
import type { PendingTexts } from '#adapters/storage/pending-text';
import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { Handlers } from '#messaging/serve';
import type { Chip, TicketUpdate } from '#messaging/ticket-script';
import type { Body, ConnectionState } from '#messaging/protocol';
import { chipSize, chipStyle, chipLooks } from '#background/ticket/chip-style';
import type { Sites } from '#background/ticket/sites';
import { createTabLimit } from '#background/ticket/tab-limit';

interface Parts {
  readonly sites: Sites;
  readonly scripts: ContentScripts;
  readonly panel: SidePanel;
  readonly pendingTexts: PendingTexts;
  readonly words: BrowserMessages;
  readonly connections: () => Promise<readonly ConnectionState[]>;
  readonly check: (question: Body<'check'>) => Promise<CheckReport>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Tickets {
  readonly handlers: Pick<Handlers, 'ticket.start' | 'ticket.open' | 'ticket.check'>;
  /** A page of ours was told this: the tabs that have opened the code are shown the verdict. */
  saw(report: CheckReport): Promise<void>;
}

/** No agent clicks more chips than this in a minute; a page that pretends to be one would. */
const opensPerMinute = 30;
/** A third of the usual limit of a server, so that the agent's own checks find room. */
const checksPerMinute = 20;
/** A code that is not found may be asked about in several ways; a page that makes codes up must not use up the limit. */
const costOfNothing = 4;
/** Opened codes that are kept in mind, over all tabs. */
const mostOpened = 100;

/**
 * What the script in a ticket may have. Its page may be hostile, and its renderer taken over: it is believed nothing but
 * its origin, which the browser vouches for, and learns a face and two words for codes that it has named itself.
 */
export function createTickets(parts: Parts): Tickets {
  const { sites, scripts, panel, pendingTexts, words, now } = parts;
  const opens = createTabLimit(opensPerMinute);
  const checks = createTabLimit(checksPerMinute);
  /** By tab and code, what was said about it since. */
  const opened = new Map<
    string,
    { tabId: number; code: string; reports: Map<string, CheckReport> }
  >();

  const chip = (face: ChipFace): Chip => ({
    ...chipLooks[face],
    words: words(`chip_${face.replace('-', '_')}`),
  });

  function remember(tabId: number, code: string): void {
    const name = `${String(tabId)} ${code}`;
    opened.delete(name);
    opened.set(name, { tabId, code, reports: new Map() });
    if (opened.size > mostOpened) opened.delete(opened.keys().next().value ?? '');
  }

  return {
    handlers: {
      'ticket.start': async (_, __, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site === undefined) return null;
        if (!(await scripts.addView(asker.tabId, asker.frameId))) return null;
        const patterns = (await parts.connections()).flatMap(
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

      'ticket.open': ({ code }, _, asker) => {
        if (asker.name !== 'ticket-script' || sites.remembered(asker.origin) === false)
          return Promise.resolve(null);
        const { origin, tabId, windowId } = asker;
        if (!opens.take(tabId, now())) return Promise.resolve(null);
        // Before anything is waited for, or the click no longer counts. An empty panel gives nothing away.
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

      'ticket.check': async ({ code }, _, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site?.automatic !== true || !checks.take(asker.tabId, now())) return null;
        const reports: CheckReport[] = [];
        for (const { id: connectionId } of await parts.connections()) {
          const report = await parts.check({ code, connectionId, fresh: false });
          reports.push(report);
          if (report.outcome.ok && report.outcome.value.kind === 'purchase') break;
        }
        const face = chipFaceOf(reports, now());
        if (reports.every(({ cached }) => cached)) checks.giveBack(asker.tabId);
        else if (face === 'not-found' || face === 'failed')
          for (let more = 1; more < costOfNothing; more += 1) checks.take(asker.tabId, now());
        return reports.length === 0 ? null : chip(face);
      },
    },

    async saw(report) {
      for (const { tabId, code, reports } of opened.values()) {
        if (code !== report.code) continue;
        reports.set(report.connectionId, report);
        const news: TicketUpdate = {
          ticket: 'checked',
          code,
          chip: chip(chipFaceOf([...reports.values()], now())),
        };
        await scripts.tell(news, tabId);
      }
    },
  };
}

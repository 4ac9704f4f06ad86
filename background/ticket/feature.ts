import type { LinkedFiles } from '#adapters/browser/linked-files';
import type { AskedContent } from '#adapters/storage/waiting-files';
import type { ConnectionsFeature } from '#background/connections/feature';
import type { WorkerContext } from '#background/dependencies';
import { watchLock } from '#background/seller/access';
import type { ChosenLink } from '#background/ticket/menus';
import { type Sites, createSites } from '#background/ticket/sites';
import { createTickets } from '#background/ticket/tickets';
import type { CheckReport } from '#core/check/check-report';
import { type Result, fail, omitUndefined } from '#core/result';
import { type LinkedFile, type LinkedFileFault, fileNameOf } from '#core/ticket/linked-file';
import { siteOriginOf } from '#core/ticket/site';
import type { Handlers } from '#messaging/serve';
import type { CheckRequest } from '#messaging/topics/check';

interface LinkInspectionDependencies {
  readonly sites: Pick<Sites, 'find'>;
  readonly linkedFiles: LinkedFiles;
  readonly openInVerifier: (content: AskedContent) => Promise<void>;
}

/**
 * Returns what hands the files of links to the verifier. A link is followed only from a page of an allowed site to that site's own
 * origin, and nothing but the site's cookies goes along.
 */
function createLinkInspection({
  sites,
  linkedFiles,
  openInVerifier,
}: LinkInspectionDependencies): (links: readonly ChosenLink[]) => Promise<void> {
  async function fetchFrom(link: ChosenLink): Promise<Result<LinkedFile, LinkedFileFault>> {
    const origin = siteOriginOf(link.address);
    const frameId = origin === undefined ? undefined : frameOf(link, origin);
    if (origin === undefined || frameId === undefined) return fail('elsewhere');
    if ((await sites.find(origin)) === undefined) return fail('elsewhere');
    return linkedFiles.fetch(link.address, { tabId: link.tabId, frameId, origin });
  }

  return async (links) => {
    const fetched = await Promise.all(links.map(fetchFrom));
    const files = fetched.flatMap((one) =>
      one.ok ? [{ name: one.value.name, file: new Blob([one.value.bytes]) }] : [],
    );
    const failed = fetched.findIndex(({ ok }) => !ok);
    const [link, fault] = [links[failed], fetched[failed]];
    const notFetched =
      link === undefined || fault?.ok !== false
        ? undefined
        : { name: nameOf(link.address), kind: fault.fault };
    await openInVerifier(
      omitUndefined({ files: files.length === 0 ? undefined : files, notFetched }),
    );
  };
}

/** Returns the frame of the tab that has this origin: the page itself, else the frame with the link. */
function frameOf(
  { pageUrl = '', frameUrl = '', frameId }: ChosenLink,
  origin: string,
): number | undefined {
  if (siteOriginOf(pageUrl) === origin) return 0;
  return siteOriginOf(frameUrl) === origin ? frameId : undefined;
}

function nameOf(address: string): string {
  return URL.canParse(address) ? fileNameOf(null, address) : '';
}

interface TicketNeeds {
  readonly connections: Pick<ConnectionsFeature, 'list'>;
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
}

export interface TicketFeature {
  readonly sites: Sites;
  readonly handlers: Pick<
    Handlers,
    'sites.list' | 'ticket.start' | 'ticket.finder' | 'ticket.open' | 'ticket.check'
  >;
  /** Updates the chips of a code that a page of ours has just checked. */
  readonly showReport: (report: CheckReport) => Promise<void>;
  /** Hands the file behind a link of an allowed site to the verifier. */
  readonly inspectLink: (link: ChosenLink) => Promise<void>;
  /** Does the same for files that a ticket's page links to. */
  readonly inspectLinks: (links: readonly ChosenLink[]) => Promise<void>;
}

export function createTicketFeature(
  context: WorkerContext,
  { connections, check }: TicketNeeds,
): TicketFeature {
  const sites = createSites({ ...context, store: context.sites, scripts: context.contentScripts });
  const tickets = createTickets({
    ...context,
    sites,
    scripts: context.contentScripts,
    check,
    connections: () => connections.list(),
    watchLock: () => watchLock(context.secrets),
  });

  const inspectLinks = createLinkInspection({ ...context, sites });
  return {
    sites,
    handlers: { 'sites.list': () => sites.list(), ...tickets.handlers },
    showReport: (report) => tickets.showReport(report),
    inspectLink: (link) => inspectLinks([link]),
    inspectLinks,
  };
}

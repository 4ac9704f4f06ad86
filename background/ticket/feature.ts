import type { LinkedFiles } from '#adapters/browser/linked-files';
import type { AskedContent } from '#adapters/storage/waiting-files';
import type { ConnectionsFeature } from '#background/connections/feature';
import type { WorkerContext } from '#background/dependencies';
import { watchLock } from '#background/seller/access';
import type { ChosenLink } from '#background/ticket/menus';
import { type Sites, createSites } from '#background/ticket/sites';
import { createTickets } from '#background/ticket/tickets';
import type { CheckReport } from '#core/check/check-report';
import { type Result, fail } from '#core/result';
import { type LinkedFile, type LinkedFileFault, fileNameOf } from '#core/ticket/linked-file';
import { siteOriginOf } from '#core/ticket/site';
import type { Handlers } from '#messaging/serve';
import type { CheckRequest } from '#messaging/topics/check';

interface LinkInspectionDependencies {
  readonly sites: Pick<Sites, 'find'>;
  readonly linkedFiles: LinkedFiles;
}

/**
 * Returns what fetches a link's file for the verifier. A link is followed only from a page of an allowed site to that site's own
 * origin, and nothing but the site's cookies goes along.
 */
function createLinkInspection({
  sites,
  linkedFiles,
}: LinkInspectionDependencies): (link: ChosenLink) => Promise<AskedContent> {
  async function fetchFrom({
    address,
    tabId,
    pageUrl = '',
    frameUrl = '',
    frameId: frameOfLink,
  }: ChosenLink): Promise<Result<LinkedFile, LinkedFileFault>> {
    const origin = siteOriginOf(address);
    // The page itself fetches it, else the frame with the link.
    const inFrame = siteOriginOf(frameUrl) === origin ? frameOfLink : undefined;
    const frameId = siteOriginOf(pageUrl) === origin ? 0 : inFrame;
    if (origin === undefined || frameId === undefined || (await sites.find(origin)) === undefined)
      return fail('elsewhere');
    return linkedFiles.fetch(address, { tabId, frameId, origin });
  }

  return async (link) => {
    const fetched = await fetchFrom(link);
    return fetched.ok
      ? { files: [{ name: fetched.value.name, file: new Blob([fetched.value.bytes]) }] }
      : { notFetched: { name: nameOf(link.address), kind: fetched.fault } };
  };
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
  /** Fetches such a file, or says why not. */
  readonly fetchLink: (link: ChosenLink) => Promise<AskedContent>;
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

  const fetchLink = createLinkInspection({ ...context, sites });
  return {
    sites,
    handlers: { 'sites.list': () => sites.list(), ...tickets.handlers },
    showReport: (report) => tickets.showReport(report),
    inspectLink: async (link) => context.openInVerifier(await fetchLink(link)),
    fetchLink,
  };
}

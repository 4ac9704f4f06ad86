import type { Connections } from '#background/connections/connections';
import type { WorkerContext } from '#background/dependencies';
import { watchLock } from '#background/seller/access';
import { createLinkInspection } from '#background/ticket/link-inspection';
import type { ChosenLink } from '#background/ticket/menus';
import { createSites } from '#background/ticket/sites';
import { createTickets } from '#background/ticket/tickets';
import type { CheckReport } from '#core/check/check-report';
import type { CheckRequest } from '#messaging/topics/check';
import type { HandlersOf } from '#messaging/serve';
import type { TicketReplies } from '#messaging/topics/ticket';

interface TicketNeeds {
  readonly connections: Pick<Connections, 'list'>;
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
}

export interface TicketFeature {
  readonly handlers: HandlersOf<TicketReplies>;
  /** Updates the chips of a code that a page of ours has just checked. */
  readonly showReport: (report: CheckReport) => Promise<void>;
  /** Hands the file behind a link of an allowed site to the verifier. */
  readonly inspectLink: (link: ChosenLink) => Promise<void>;
  readonly forgetConnection: (connectionId: string) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly permissionsChanged: () => Promise<void>;
}

export function createTicketFeature(
  context: WorkerContext,
  { connections, check }: TicketNeeds,
): TicketFeature {
  const { contentScripts, permissions, runExclusive, panel, pendingTexts, browserMessages, now } =
    context;
  const { menus, linkedFiles, openInVerifier } = context;
  const sites = createSites({
    store: context.sites,
    scripts: contentScripts,
    permissions,
    runExclusive,
    menus,
    originPermissions: context.originPermissions,
  });
  const tickets = createTickets({
    sites,
    scripts: contentScripts,
    panel,
    pendingTexts,
    browserMessages,
    check,
    now,
    connections: () => connections.list(),
    watchLock: () => watchLock(context.secrets),
  });

  return {
    handlers: {
      'sites.list': () => sites.list(),
      'sites.allow': ({ origin }) => sites.allow(origin),
      'sites.remove': ({ origin }) => sites.remove(origin),
      'sites.set-automatic': ({ origin, on }) => sites.setAutomatic(origin, on),
      'sites.set-expected-item': ({ origin, item }) =>
        sites.setExpectedItem(origin, item ?? undefined),
      ...tickets.handlers,
    },
    showReport: (report) => tickets.showReport(report),
    inspectLink: createLinkInspection({ sites, linkedFiles, openInVerifier }),
    forgetConnection: (id) => sites.forgetConnection(id),
    start: () => sites.reconcile(),
    permissionsChanged: () => sites.permissionsChanged(),
  };
}

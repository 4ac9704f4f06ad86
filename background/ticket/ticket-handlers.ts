import type { ConnectionsFeature } from '#background/connections/connections-handlers';
import type { WorkerContext } from '#background/dependencies';
import { watchLock } from '#background/seller/index';
import { type Sites, createSites } from '#background/ticket/sites';
import { createTickets } from '#background/ticket/tickets';
import type { CheckFeature } from '#background/check/check-handlers';
import type { CheckReport } from '#core/check/index';
import type { Handlers } from '#messaging/index';

interface TicketNeeds {
  readonly connections: Pick<ConnectionsFeature, 'list'>;
  readonly check: Pick<CheckFeature, 'run' | 'repeat'>;
}

export interface TicketFeature {
  readonly sites: Sites;
  readonly handlers: Pick<
    Handlers,
    'sites.list' | 'ticket.start' | 'ticket.finder' | 'ticket.open' | 'ticket.check'
  >;
  /** Updates the chips of a code that one of our pages has just checked. */
  readonly showReport: (report: CheckReport) => Promise<void>;
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
    check: check.run,
    repeat: check.repeat,
    connections: () => connections.list(),
    watchLock: () => watchLock(context.secrets),
  });

  return {
    sites,
    handlers: { 'sites.list': () => sites.list(), ...tickets.handlers },
    showReport: (report) => tickets.showReport(report),
  };
}

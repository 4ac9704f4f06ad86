import { createAuthorityFeature } from '#background/authority/feature';
import { createBulkFeature } from '#background/bulk/feature';
import { createCheckFeature } from '#background/check/feature';
import { createConnectionsFeature } from '#background/connections/feature';
import { createOriginPermissions } from '#background/connections/origin-permissions';
import type { AlarmName, WorkerContext, WorkerDependencies } from '#background/dependencies';
import { demandKeyStorage } from '#background/policy/locked-entries';
import { createPolicyFeature } from '#background/policy/feature';
import { createSellerFeature } from '#background/seller/feature';
import { createSerialQueue } from '#background/serial-queue';
import { createTeamFeature } from '#background/team/feature';
import { createTicketFeature } from '#background/ticket/feature';
import type { ChosenLink } from '#background/ticket/menus';
import type { Handlers } from '#messaging/serve';

/** Holds what the entry file binds to the browser's events. Creating it has no side effects. */
export interface Worker {
  readonly handlers: Handlers;
  readonly alarmHandlers: Readonly<Record<AlarmName, () => Promise<void>>>;
  /** Hands the file behind a link of an allowed help desk to the verifier. */
  inspectLink(link: ChosenLink): Promise<void>;
  /** Applies the User-Agent rules and finishes what is overdue. Call it soon after every start. */
  start(): Promise<void>;
  /** Call it when the browser was started, or the extension installed or updated. */
  tidy(): Promise<void>;
  /** Call it when a tab shows another address. */
  tabMoved(tab: { readonly id: number; readonly url: string }): Promise<void>;
  /** Call it when the organization's policy was changed. */
  policyChanged(): Promise<void>;
  /** Call it when the browser granted an origin or took it away. */
  permissionsChanged(): Promise<void>;
}

/** Puts the worker together from the features; each folder brings its own handlers. */
export function createWorker(dependencies: WorkerDependencies): Worker {
  const { permissions, connectionStore, authorities, sites } = dependencies;
  const context: WorkerContext = {
    ...dependencies,
    secrets: demandKeyStorage(
      dependencies.secrets,
      async () => (await dependencies.policy.read()).keyStorage,
    ),
    runExclusive: createSerialQueue(),
    originPermissions: createOriginPermissions({
      permissions,
      connections: connectionStore,
      authorities,
      sites,
      findRelay: async () => (await dependencies.team.read())?.joined?.relay,
    }),
  };

  const connections = createConnectionsFeature(context, {
    seller: () => seller,
    forgetHistory: (id) => check.history.forgetConnection(id),
    forgetExpectedItems: (id) => ticket.forgetConnection(id),
    // A sign-in that waits for the keys may take long, and its failure is not the answer to who changed them.
    keysChanged: () => {
      dependencies.report(team.keysChanged());
    },
    sitesChanged: () => ticket.permissionsChanged(),
  });
  const authority = createAuthorityFeature(context);
  const seller = createSellerFeature(context, connections);
  const check = createCheckFeature(context, {
    seller,
    onReport: (report) => ticket.showReport(report),
  });
  const bulk = createBulkFeature(context, {
    seller,
    history: check.history,
    check: check.run,
  });
  const ticket = createTicketFeature(context, {
    connections: connections.connections,
    check: check.run,
  });

  const team = createTeamFeature(context, {
    connections: connections.connections,
    settings: connections.settings,
    sitesChanged: () => ticket.permissionsChanged(),
  });

  const policy = createPolicyFeature(context, {
    connections: connections.connections,
    settings: connections.settings,
    sitesChanged: () => ticket.permissionsChanged(),
    secrets: dependencies.secrets,
  });

  /** Starts one feature after the other. One that fails keeps no other from starting; the first failure is thrown at the end. */
  async function startFeatures(): Promise<void> {
    const failures: unknown[] = [];
    for (const feature of [connections, authority, ticket, check, bulk, team])
      await feature.start().catch((failure: unknown) => failures.push(failure));
    if (failures.length > 0) throw failures[0];
  }

  return {
    handlers: policy.lock({
      ...authority.handlers,
      ...bulk.handlers,
      ...check.handlers,
      ...connections.handlers,
      ...seller.handlers,
      ...team.handlers,
      ...ticket.handlers,
    }),
    alarmHandlers: {
      ...authority.alarmHandlers,
      ...bulk.alarmHandlers,
      ...check.alarmHandlers,
      ...connections.alarmHandlers,
    },
    inspectLink: ticket.inspectLink,
    tabMoved: team.tabMoved,
    policyChanged: () => policy.apply(),
    // A policy that cannot be stored keeps nothing else from starting.
    async start() {
      await Promise.all([policy.apply(), startFeatures()]);
    },
    tidy: () => connections.tidy(),
    async permissionsChanged() {
      await connections.permissionsChanged();
      await ticket.permissionsChanged();
    },
  };
}

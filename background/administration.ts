import type { ExtensionTabs } from '#adapters/browser/extension-tabs';
import type { ExchangeDependencies } from '#adapters/http/http-exchange';
import type { WorkerStorage } from '#adapters/storage/worker/index';
import { createAuthorityFeature } from '#background/authority/authority-handlers';
import { createBulkFeature } from '#background/bulk/bulk-handlers';
import type { CheckFeature } from '#background/check/check-handlers';
import { createConnectionsAdministration } from '#background/connections/administration-handlers';
import type { ConnectionsFeature } from '#background/connections/connections-handlers';
import { createOriginPermissions } from '#background/connections/origin-permissions';
import type {
  AdministrationContext,
  AdministrationDependencies,
  AlarmName,
  WorkerContext,
} from '#background/dependencies';
import { createPolicyFeature } from '#background/policy/policy-handlers';
import type { PolicyText } from '#background/policy/policy-text';
import type { SellerFeature } from '#background/seller/index';
import { createItemsHandlers } from '#background/items/items-handlers';
import { inOrder } from '#background/serial-queue';
import { createTeamFeature, type TeamFeature } from '#background/team/team-handlers';
import type { TicketFeature } from '#background/ticket/ticket-handlers';
import { type LinkInspection, createLinkInspection } from '#background/ticket/link-inspection';
import { insertReply } from '#background/ticket/replies';
import { createSiteChanges } from '#background/ticket/site-changes';
import { administrationRules, type Handlers } from '#messaging/index';

type AdministrationTopic = keyof typeof administrationRules;

/** The parts that the first script passes to the second; each exists only once. */
export interface FirstScript {
  readonly context: WorkerContext;
  /** The key store without the restriction of the policy. */
  readonly ownSecrets: WorkerContext['secrets'];
  readonly connections: ConnectionsFeature;
  readonly seller: SellerFeature;
  readonly check: CheckFeature;
  readonly ticket: TicketFeature;
}

/**
 * The adapters from which the second script builds its own. Remembered state stays in the first script, so that it
 * exists only once.
 */
interface FirstAdapters {
  readonly records: WorkerStorage;
  readonly network: ExchangeDependencies;
  readonly tabs: ExtensionTabs;
}

/** Creates the administration; the second script passes this function to the first. */
export type AdministrationScript = (first: FirstScript, adapters: FirstAdapters) => Administration;

/** Handles the requests of settings, desk and verifier. */
export interface Administration {
  readonly rules: typeof administrationRules;
  readonly handlers: Pick<Handlers, AdministrationTopic>;
  readonly alarmHandlers: Readonly<
    Record<Exclude<AlarmName, 'lock' | 'prune-replies'>, () => Promise<void>>
  >;
  /** Finishes what is overdue, and continues bulk jobs. Call it once. */
  start(): Promise<void>;
  /** Deletes keys that nothing uses. Call it when the browser was started, or the extension installed or updated. */
  tidy(): Promise<void>;
  /** Applies the organization's policy from its text. The caller must hold the queue `policy`. */
  applyPolicyText(text: PolicyText): Promise<void>;
  /** Opens the file behind a link of an allowed site in the verifier. */
  readonly inspectLink: LinkInspection['inspectLink'];
  /** Continues a sign-in at a team's relay. */
  readonly signIn: Pick<TeamFeature, 'tabMoved' | 'keysChanged'>;
}

/** Composes the worker's second script from its features, without side effects. */
export function createAdministration(
  first: FirstScript,
  dependencies: AdministrationDependencies,
): Administration {
  const { seller, check, ticket } = first;
  const { connectionStore, permissions, sites, report } = first.context;
  const { authorities, team: teamStore } = dependencies;
  const context: AdministrationContext = {
    ...first.context,
    ...dependencies,
    originPermissions: createOriginPermissions({
      permissions,
      connections: connectionStore,
      authorities,
      sites,
      findRelay: async () => (await teamStore.read())?.joined?.relay,
    }),
  };
  const sitesChanged = (): Promise<void> => ticket.sites.permissionsChanged();
  const siteChanges = createSiteChanges(context, ticket.sites);
  const { connections, settings, handlers } = createConnectionsAdministration(context, {
    listed: first.connections,
    seller,
    forgetHistory: (id) => check.history.forgetConnection(id),
    forgetExpectedItems: (id) => siteChanges.forgetConnection(id),
    // A sign-in that waits for the keys may take long, and its failure must not become the answer to the request that
    // changed the keys.
    keysChanged: () => {
      report(team.keysChanged());
    },
    sitesChanged,
  });
  const { inspectLink, inspectAttached } = createLinkInspection({
    ...context,
    sites: ticket.sites,
  });
  const authority = createAuthorityFeature(context);
  const bulk = createBulkFeature(context, { seller, check });
  const team = createTeamFeature(context, { connections, settings, sitesChanged });
  const policy = createPolicyFeature(context, {
    connections,
    settings,
    sitesChanged,
    secrets: first.ownSecrets,
  });

  return {
    rules: administrationRules,
    handlers: policy.lock({
      ...handlers,
      ...authority.handlers,
      ...bulk.handlers,
      ...createItemsHandlers(context, seller),
      ...team.handlers,
      'sites.allow': ({ origin }) => siteChanges.allow(origin),
      'sites.remove': ({ origin }) => siteChanges.remove(origin),
      'sites.set-automatic': ({ origin, on }) => siteChanges.setAutomatic(origin, on),
      'sites.set-expected-item': ({ origin, item }) =>
        siteChanges.setExpectedItem(origin, item ?? undefined),
      'ticket.insert': (body) => insertReply({ ...context, sites: ticket.sites }, body),
      'ticket.inspect': inspectAttached,
    }),
    alarmHandlers: {
      ...authority.alarmHandlers,
      ...bulk.alarmHandlers,
      'finalise-deletions': () => connections.finalise(),
    },
    start: () =>
      inOrder([() => connections.finalise(), () => authority.start(), () => bulk.start()]),
    tidy: () => connections.tidy(),
    applyPolicyText: policy.applyText,
    inspectLink,
    signIn: team,
  };
}

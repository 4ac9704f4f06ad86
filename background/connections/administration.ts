import { type Connections, createConnections } from '#background/connections/connections';
import { createEraseEverything } from '#background/connections/erase-everything';
import type { ConnectionsFeature } from '#background/connections/feature';
import { createQuarantineHandlers } from '#background/connections/quarantine';
import { createSettings, type Settings } from '#background/connections/settings';
import type { AdministrationContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/feature';
import type { Handlers, HandlersOf } from '#messaging/serve';
import type { ConnectionsReplies } from '#messaging/topics/connections';
import type { QuarantineReplies } from '#messaging/topics/quarantine';
import type { SettingsReplies } from '#messaging/topics/settings';

interface ConnectionsNeeds {
  readonly listed: ConnectionsFeature;
  readonly seller: SellerFeature;
  readonly forgetHistory: (connectionId: string) => Promise<void>;
  readonly forgetExpectedItems: (connectionId: string) => Promise<void>;
  /** Called once keys are stored in another way. */
  readonly keysChanged: () => void;
  /** Starts and ends ticket scripts by the sites as they are stored now. */
  readonly sitesChanged: () => Promise<void>;
}

export interface ConnectionsAdministration {
  readonly connections: Connections;
  readonly settings: Settings;
  readonly handlers: Omit<HandlersOf<ConnectionsReplies>, 'connections.list'> &
    HandlersOf<QuarantineReplies> &
    HandlersOf<SettingsReplies> &
    Pick<Handlers, 'secrets.set-mode' | 'secrets.reset'>;
}

/** Changes connections and how keys are stored, and handles settings files, quarantine and the erasure of everything. */
export function createConnectionsAdministration(
  context: AdministrationContext,
  needs: ConnectionsNeeds,
): ConnectionsAdministration {
  const { connectionStore, secrets } = context;
  const { listed, seller, keysChanged, sitesChanged } = needs;
  const { access, accounts, validation, applyRules } = seller;
  const { locking } = listed;
  const connections = createConnections({
    ...context,
    ...listed,
    applyRules,
    store: connectionStore,
    teamKeys: async () => {
      if (await context.team.isNewer()) return undefined;
      const team = await context.team.read();
      return team?.joined === undefined ? [] : [team.joined.id];
    },
    forget: async (id) => {
      await context.jobs.forgetConnection(id);
      await context.items.forgetConnection(id);
      // A side panel that was open meanwhile may have written them again.
      await context.forgetRecentChecks(id);
      await needs.forgetHistory(id);
      await needs.forgetExpectedItems(id);
    },
    scheduleAlarm: (moment) => context.scheduleAlarm('finalise-deletions', moment),
  });
  const settings = createSettings({
    ...context,
    store: connectionStore,
    applyRules,
    sitesChanged,
  });
  const eraseEverything = createEraseEverything({ ...context, locking, applyRules, sitesChanged });
  const thenTell = async <T>(change: Promise<T>): Promise<T> => {
    const changed = await change;
    keysChanged();
    return changed;
  };

  return {
    connections,
    settings,
    handlers: {
      'connections.save': (draft, nonce) => connections.save(draft, nonce),
      'connections.delete': async ({ id }) => {
        const deleted = await connections.delete(id);
        if (deleted.ok) await context.forgetRecentChecks(id);
        return deleted;
      },
      'connections.restore': ({ id }) => connections.restore(id),
      'connections.reorder': ({ ids }) => connections.reorder(ids),
      'connections.test': async ({ id }) => {
        const authorized = await access.authorizeById(id);
        return authorized.ok ? accounts.fetch({ ...authorized.value, fresh: true }) : authorized;
      },
      'connections.detect': async ({ id, code }) => {
        const authorized = await access.authorizeById(id);
        return authorized.ok ? validation.detectDialect(authorized.value, code) : authorized;
      },
      'connections.plain-user-agent': ({ id, on }) => connections.setPlainUserAgent(id, on),
      'secrets.set-mode': (change) => thenTell(locking.setMode(change)),
      'secrets.reset': () => thenTell(locking.reset()),
      ...createQuarantineHandlers({
        ...context,
        settings: { ...context.storedSettings, team: context.team },
        lists: [connectionStore, context.authorities, context.sites],
        secrets,
        tidy: () => connections.tidy(),
      }),
      'settings.export': () => settings.export(),
      'settings.preview': ({ file }) => settings.preview(file),
      'settings.import': ({ file }) => settings.import(file),
      'settings.erase': () => eraseEverything(),
    },
  };
}

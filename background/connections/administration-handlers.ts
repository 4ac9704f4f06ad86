import { type Connections, createConnections } from '#background/connections/connections';
import type { ConnectionsFeature } from '#background/connections/connections-handlers';
import { createEraseEverything } from '#background/connections/erase-everything';
import {
  createSettingsTransfer,
  type SettingsTransfer,
} from '#background/connections/settings-import';
import type { AdministrationContext } from '#background/dependencies';
import type { AuthorizedAccess, SellerFeature } from '#background/seller/index';
import type { Account, Fault } from '#core/marketplaces/index';
import { type Result, succeed } from '#core/result';
import type { Handlers } from '#messaging/index';

/** @param tidy erases the keys that only removed records needed */
function createUnreadableHandlers(
  { unreadableRecords, secrets }: Pick<AdministrationContext, 'unreadableRecords' | 'secrets'>,
  tidy: () => Promise<void>,
): Handlers<'unreadable'> {
  const records = unreadableRecords(secrets);
  return {
    'unreadable.list': () => records.report(),
    'unreadable.copy': async ({ id }) => (await records.copy(id)) ?? null,
    'unreadable.remove': async ({ id }) => {
      await records.remove(id);
      await tidy();
      return records.report();
    },
  };
}

interface ConnectionsNeeds {
  readonly listed: ConnectionsFeature;
  readonly seller: SellerFeature;
  readonly forgetHistory: (connectionId: string) => Promise<void>;
  readonly forgetExpectedItems: (connectionId: string) => Promise<void>;
  /** Called after the way of storing keys has changed. */
  readonly keysChanged: () => void;
  /** Starts and ends ticket scripts to match the stored sites. */
  readonly sitesChanged: () => Promise<void>;
}

export interface ConnectionsAdministration {
  readonly connections: Connections;
  readonly settings: SettingsTransfer;
  readonly handlers: Omit<Handlers<'connections'>, 'connections.list'> &
    Handlers<'unreadable'> &
    Handlers<'settings'> &
    Pick<Handlers, 'secrets.set-mode' | 'secrets.reset'>;
}

/**
 * Creates the handlers for changing connections and key storage, settings files, unreadable records, and erasing
 * everything.
 */
export function createConnectionsAdministration(
  context: AdministrationContext,
  needs: ConnectionsNeeds,
): ConnectionsAdministration {
  const { connectionStore } = context;
  const { listed, seller, keysChanged, sitesChanged } = needs;
  const { access, accounts, client, validation, applyRules } = seller;
  const { locking } = listed;
  const connections = createConnections({
    ...context,
    ...listed,
    applyRules,
    store: connectionStore,
    teamKeys: async () => {
      const { unreadable, newer } = await context.team.unused();
      if (newer || unreadable.length > 0) return undefined;
      const team = await context.team.read();
      return team?.joined === undefined ? [] : [team.joined.id];
    },
    forget: async (id) => {
      await context.jobs.forgetConnection(id);
      await context.items.forgetConnection(id);
      await needs.forgetHistory(id);
      await needs.forgetExpectedItems(id);
    },
    scheduleAlarm: (moment) => context.scheduleAlarm('finalise-deletions', moment),
  });
  const settings = createSettingsTransfer({
    ...context,
    store: connectionStore,
    applyRules,
    sitesChanged,
  });
  const eraseEverything = createEraseEverything({ ...context, locking, applyRules, sitesChanged });
  const thenNotify = async <T>(change: Promise<T>): Promise<T> => {
    const changed = await change;
    keysChanged();
    return changed;
  };

  async function testAccount(request: AuthorizedAccess): Promise<Result<Account, Fault>> {
    const { connection } = request;
    const account = await accounts.fetchAccount(request);
    const { stores } = context.readers.itemReaderOf(connection);
    // The store of a relay's connection is set by the team's lead.
    if (!account.ok || stores === undefined || connection.throughRelay === true) return account;
    const listed = await client.request(request, stores);
    const isOther = listed.ok && listed.value.every(({ id }) => id !== connection.store);
    return isOther ? succeed({ ...account.value, stores: listed.value }) : account;
  }

  return {
    connections,
    settings,
    handlers: {
      'connections.save': (draft, nonce) => connections.save(draft, nonce),
      'connections.delete': async ({ id }) => {
        const deleted = await connections.delete(id);
        if (deleted.ok) await context.forgetKeptAnswers();
        return deleted;
      },
      'connections.restore': ({ id }) => connections.restore(id),
      'connections.reorder': ({ ids }) => connections.reorder(ids),
      'connections.test': async ({ id }) => {
        const authorized = await access.authorizeById(id);
        return authorized.ok ? testAccount({ ...authorized.value, fresh: true }) : authorized;
      },
      'connections.detect': async ({ id, code }) => {
        const authorized = await access.authorizeById(id);
        return authorized.ok ? validation.detectDialect(authorized.value, code) : authorized;
      },
      'connections.plain-user-agent': ({ id, on }) => connections.setPlainUserAgent(id, on),
      'secrets.set-mode': (change) => thenNotify(locking.setMode(change)),
      'secrets.reset': () => thenNotify(locking.reset()),
      ...createUnreadableHandlers(context, () => connections.tidy()),
      'settings.export': () => settings.export(),
      'settings.preview': ({ file }) => settings.preview(file),
      'settings.import': ({ file }) => settings.import(file),
      'settings.erase': () => eraseEverything(),
    },
  };
}

import { type Connections, createConnections } from '#background/connections/connections';
import { createEraseEverything } from '#background/connections/erase-everything';
import { createLocking } from '#background/connections/locking';
import { createQuarantineHandlers } from '#background/connections/quarantine';
import { createSettings, type Settings } from '#background/connections/settings';
import type { WorkerContext } from '#background/dependencies';
import type { SellerFeature } from '#background/seller/feature';
import type { ConnectionsReplies } from '#messaging/topics/connections';
import type { QuarantineReplies } from '#messaging/topics/quarantine';
import type { SecretsReplies } from '#messaging/topics/secrets';
import type { HandlersOf } from '#messaging/serve';
import type { SettingsReplies } from '#messaging/topics/settings';

interface ConnectionsNeeds {
  /** Called in handlers only: the seller feature is built on this one. */
  readonly seller: () => Pick<SellerFeature, 'access' | 'accounts' | 'validation'>;
  readonly forgetHistory: (connectionId: string) => Promise<void>;
  readonly forgetExpectedItems: (connectionId: string) => Promise<void>;
  /** Called once keys were unlocked, or are stored in another way. */
  readonly keysChanged: () => void;
  /** Starts and ends ticket scripts by the sites as they are stored now. */
  readonly sitesChanged: () => Promise<void>;
}

export interface ConnectionsFeature {
  readonly connections: Connections;
  readonly settings: Settings;
  readonly handlers: HandlersOf<ConnectionsReplies> &
    HandlersOf<QuarantineReplies> &
    HandlersOf<SecretsReplies> &
    HandlersOf<SettingsReplies>;
  readonly alarmHandlers: {
    readonly 'finalise-deletions': () => Promise<void>;
    readonly lock: () => Promise<void>;
  };
  /** Tells whether the browser's User-Agent rules match the connections. Tries again what it could not set. */
  readonly rulesReady: () => Promise<boolean>;
  readonly start: () => Promise<void>;
  readonly tidy: () => Promise<void>;
  readonly permissionsChanged: () => Promise<void>;
}

export function createConnectionsFeature(
  context: WorkerContext,
  { seller, forgetHistory, forgetExpectedItems, keysChanged, sitesChanged }: ConnectionsNeeds,
): ConnectionsFeature {
  const { connectionStore, secrets, sessionCache, runExclusive, now } = context;
  const connections = createConnections({
    store: connectionStore,
    secrets,
    sessionCache,
    runExclusive,
    now,
    teamKeys: async () => {
      if (await context.team.isNewer()) return undefined;
      const team = await context.team.read();
      return team?.joined === undefined ? [] : [team.joined.id];
    },
    permissions: context.permissions,
    originPermissions: context.originPermissions,
    rules: context.userAgentRules,
    forget: async (id) => {
      await context.jobs.forgetConnection(id);
      await context.items.forgetConnection(id);
      // A side panel that was open meanwhile may have written them again.
      await context.forgetRecentChecks(id);
      await forgetHistory(id);
      await forgetExpectedItems(id);
    },
    scheduleAlarm: (moment) => context.scheduleAlarm('finalise-deletions', moment),
  });
  const locking = createLocking({
    secrets,
    sessionCache,
    scheduleAlarm: (moment) => context.scheduleAlarm('lock', moment),
  });
  const thenTell = async <T>(change: Promise<T>): Promise<T> => {
    const changed = await change;
    keysChanged();
    return changed;
  };
  let rulesApplied: Promise<boolean> | undefined;
  const rulesReady = async (): Promise<boolean> => {
    rulesApplied ??= connections.applyRules().catch(() => false);
    const applied = await rulesApplied;
    if (!applied) rulesApplied = undefined;
    return applied;
  };
  const settings = createSettings({
    store: connectionStore,
    secrets,
    connections,
    sessionCache,
    runExclusive,
    sitesChanged,
    authorities: context.authorities,
    sites: context.sites,
  });
  const eraseEverything = createEraseEverything({
    eraser: context.eraser,
    permissions: context.permissions,
    runExclusive,
    locking,
    connections,
    sitesChanged,
    publishErasure: context.publishErasure,
  });

  return {
    connections,
    settings,
    handlers: {
      'connections.list': () => connections.list(),
      'connections.save': (draft, nonce) => connections.save(draft, nonce),
      'connections.delete': async ({ id }) => {
        const deleted = await connections.delete(id);
        if (deleted.ok) await context.forgetRecentChecks(id);
        return deleted;
      },
      'connections.restore': ({ id }) => connections.restore(id),
      'connections.reorder': ({ ids }) => connections.reorder(ids),
      'connections.test': async ({ id }) => {
        const access = await seller().access.authorizeById(id);
        return access.ok ? seller().accounts.fetch({ ...access.value, fresh: true }) : access;
      },
      'connections.detect': async ({ id, code }) => {
        const access = await seller().access.authorizeById(id);
        return access.ok ? seller().validation.detectDialect(access.value, code) : access;
      },
      'connections.plain-user-agent': ({ id, on }) => connections.setPlainUserAgent(id, on),
      'secrets.state': () => secrets.state(),
      'secrets.set-mode': (change) => thenTell(locking.setMode(change)),
      'secrets.unlock': ({ passphrase }) => thenTell(locking.unlock(passphrase)),
      'secrets.lock': () => locking.lock(),
      'secrets.reset': () => thenTell(locking.reset()),
      ...createQuarantineHandlers({
        quarantine: context.quarantine,
        secrets,
        settings: { ...context.storedSettings, team: context.team },
        history: context.history,
        jobs: context.jobs,
        lists: [connectionStore, context.authorities, context.sites],
        tidy: () => connections.tidy(),
      }),
      'settings.export': () => settings.export(),
      'settings.preview': ({ file }) => settings.preview(file),
      'settings.import': ({ file }) => settings.import(file),
      'settings.erase': () => eraseEverything(),
    },
    alarmHandlers: {
      'finalise-deletions': () => connections.finalise(),
      lock: () => locking.lockIfDue(),
    },
    rulesReady,
    async start() {
      await rulesReady();
      try {
        await connections.finalise();
      } finally {
        await locking.lockIfDue();
      }
    },
    tidy: () => connections.tidy(),
    permissionsChanged: async () => {
      await connections.applyRules();
    },
  };
}

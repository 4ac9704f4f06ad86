import type { JobUpdate } from '#core/bulk/job';
import type { Authority } from '#core/installation/ports';
import { fail } from '#core/result';
import { originPattern } from '#core/connections/origin';
import type { PendingTexts } from '#adapters/storage/pending-text';
import type { AuthorityControl } from '#adapters/http/authority-control';
import type { AuthorityStore } from '#adapters/storage/authority-store';
import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { ConnectionStore } from '#adapters/storage/connection-store';
import type { HistoryStore } from '#adapters/storage/history-store';
import type { ItemCache } from '#adapters/storage/item-cache';
import type { JobStore } from '#adapters/storage/job-store';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { Permissions } from '#adapters/browser/permissions';
import type { SecretStore } from '#adapters/secrets/secret-store';
import type { SellerHttp } from '#adapters/http/seller-http';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { SiteStore } from '#adapters/storage/site-store';
import type { UserAgentRules } from '#adapters/http/user-agent-rule';
import type { Body, Reply } from '#messaging/protocol';
import type { Handlers } from '#messaging/serve';
import { createSellerAccess } from '#background/seller/access';
import { createAccounts } from '#background/seller/accounts';
import { createSellerClient } from '#background/seller/seller-client';
import { createBulk } from '#background/bulk/bulk';
import { createAuthorities } from '#background/authority/authorities';
import { createAuthorityCalls } from '#background/authority/authority-calls';
import { createCheckCode } from '#background/check/check-code';
import { createConnections } from '#background/connections/connections';
import { createForeground } from '#background/seller/foreground';
import { createHistory } from '#background/check/history';
import { createItems } from '#background/seller/items';
import type { SessionCache } from '#background/seller/session-cache';
import { createLocking } from '#background/connections/locking';
import { createReplyCache } from '#background/check/reply-cache';
import { createSettings } from '#background/connections/settings';
import { createSites } from '#background/ticket/sites';
import { createTickets } from '#background/ticket/tickets';
import { createSerialQueue } from '#background/serial-queue';
import { createValidation } from '#background/seller/validation';

/** The clocks the worker sets: each has one bell in `Worker.bells`. */
export type AlarmName =
  'bulk' | 'finalise-authorities' | 'finalise-deletions' | 'lock' | 'prune-replies';

/** The outside, as the worker needs it. */
export interface WorkerDependencies {
  readonly store: ConnectionStore;
  readonly secrets: SecretStore;
  readonly authorities: AuthorityStore;
  /** The licensing API at an authority's address, and the strings of a test authority. */
  readonly authorityHttp: (address: string) => Authority;
  readonly authorityControl: (address: string, token: string) => AuthorityControl;
  readonly sessionCache: SessionCache;
  readonly items: ItemCache;
  readonly jobs: JobStore;
  readonly history: HistoryStore;
  /** Tells open pages how a bulk check goes. */
  readonly announce: (news: JobUpdate) => void;
  /** Runs a task unless one of that name runs anywhere in this browser; `undefined` then. */
  readonly runAlone: <T>(name: string, task: () => Promise<T>) => Promise<T | undefined>;
  readonly http: SellerHttp;
  readonly permissions: Permissions;
  readonly rules: UserAgentRules;
  readonly sites: SiteStore;
  readonly scripts: ContentScripts;
  readonly panel: SidePanel;
  readonly pendingTexts: PendingTexts;
  readonly words: BrowserMessages;
  readonly scheduleAlarm: (name: AlarmName, moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What the entry file binds to the browser's events. Making it touches nothing outside. */
export interface Worker {
  readonly handlers: Handlers;
  readonly alarmHandlers: Readonly<Record<AlarmName, () => Promise<void>>>;
  /** To be called at every start: puts the User-Agent rules back and ends what is overdue. */
  start(): Promise<void>;
  /** To be called when the browser was started, or the extension installed or updated. */
  tidy(): Promise<void>;
  /** To be called when the browser granted an origin or took it away. */
  permissionsChanged(): Promise<void>;
}

export function createWorker(outside: WorkerDependencies): Worker {
  const { store, secrets, sessionCache, http, permissions, rules, scripts, now } = outside;
  const runExclusive = createSerialQueue();
  const ring = (name: AlarmName) => (moment: number) => outside.scheduleAlarm(name, moment);

  const connectionPatterns = async (): Promise<string[]> =>
    (await store.read()).map((one) => originPattern(one.baseAddress));
  const connections = createConnections({
    ...{ store, secrets, permissions, sessionCache, rules, runExclusive, now },
    forget: async (id) => {
      await outside.jobs.forgetConnection(id);
      await outside.items.forgetConnection(id);
      await history.forgetConnection(id);
    },
    alsoUsed: async () => [...(await sites.patterns()), ...(await authorities.patterns())],
    scheduleAlarm: ring('finalise-deletions'),
  });
  const authorities = createAuthorities({
    ...{ store: outside.authorities, permissions, runExclusive, now },
    alsoUsed: async () => [...(await connectionPatterns()), ...(await sites.patterns())],
    scheduleAlarm: ring('finalise-authorities'),
  });
  const authorityCalls = createAuthorityCalls({
    ...{ authorities, permissions },
    http: outside.authorityHttp,
    control: outside.authorityControl,
  });
  let rulesApplied: Promise<void> | undefined;
  /** A rule that cannot be set leaves the request as it is: the server's answer then says what is wrong. */
  const rulesReady = (): Promise<void> =>
    (rulesApplied ??= connections.applyRules().catch(() => undefined));

  const sellerClient = createSellerClient({
    http,
    sessionCache,
    rules,
    rulesReady,
    runExclusive,
    now,
  });
  const accounts = createAccounts(sellerClient, sessionCache, now);
  const validation = createValidation({
    sellerClient,
    accounts,
    prove: (connection, dialect) => connections.prove(connection, dialect),
  });
  const replies = createReplyCache(sessionCache, now, ring('prune-replies'));
  const sellerAccess = createSellerAccess({
    connections: store,
    permissions,
    secrets,
    sessionCache,
    now,
  });
  const history = createHistory({
    ...{ store: outside.history, sellerAccess, now },
    check: createCheckCode({ sellerAccess, replies, validation, now }),
  });
  const foreground = createForeground();
  const check = (asked: Body<'check'>): Promise<Reply<'check'>> =>
    foreground.during(() => history.check(asked));
  const bulk = createBulk({
    ...{ jobs: outside.jobs, sellerAccess, accounts, validation, foreground, history, now },
    announce: outside.announce,
    runAlone: (task) => outside.runAlone('counterfoil-bulk', task),
    scheduleAlarm: ring('bulk'),
  });
  const items = createItems({ sellerAccess, sellerClient, cache: outside.items, now });
  const sites = createSites({
    ...{ store: outside.sites, scripts, permissions, runExclusive },
    alsoUsed: async () => [...(await connectionPatterns()), ...(await authorities.patterns())],
  });
  const tickets = createTickets({
    ...{ sites, scripts, check, now },
    panel: outside.panel,
    pendingTexts: outside.pendingTexts,
    words: outside.words,
    connections: () => connections.list(),
  });
  const locking = createLocking({ secrets, sessionCache, scheduleAlarm: ring('lock') });
  const settings = createSettings({ store, connections, sessionCache, runExclusive });

  return {
    handlers: {
      check: async (question) => {
        const report = await check(question);
        // A tab that is gone must not cost the agent the answer.
        void tickets.saw(report).catch(() => undefined);
        return report;
      },
      'connections.list': () => connections.list(),
      'connections.save': (draft, nonce) => connections.save(draft, nonce),
      'connections.delete': ({ id }) => connections.delete(id),
      'connections.restore': ({ id }) => connections.restore(id),
      'connections.reorder': ({ ids }) => connections.reorder(ids),
      'connections.test': async ({ id }) => {
        const access = await sellerAccess.gain(await sellerAccess.find(id));
        return access.ok ? accounts.ask(access.value) : fail(access.fault);
      },
      'connections.detect': async ({ id, code }) => {
        const access = await sellerAccess.gain(await sellerAccess.find(id));
        return access.ok ? validation.detect(access.value, code) : fail(access.fault);
      },
      'connections.plain-user-agent': ({ id, on }) => connections.setPlainUserAgent(id, on),
      'items.all': ({ connectionId }) => items.refresh(connectionId),
      'items.item': ({ connectionId, itemId }) => items.lookUp(connectionId, itemId),
      'bulk.drive': () => bulk.drive(),
      'bulk.set': ({ jobId, to }) => bulk.set(jobId, to).then(nothing),
      'bulk.retry': ({ jobId }) => bulk.retryFailed(jobId).then(nothing),
      'bulk.skip': ({ jobId, connectionId }) =>
        bulk.skipConnection(jobId, connectionId).then(nothing),
      'bulk.remove': ({ jobId }) => bulk.remove(jobId).then(nothing),
      'sites.list': () => sites.list(),
      'sites.allow': ({ origin }) => sites.allow(origin),
      'sites.remove': ({ origin }) => sites.remove(origin),
      'sites.set-automatic': ({ origin, on }) => sites.setAutomatic(origin, on),
      ...tickets.handlers,
      'authorities.list': () => authorities.list(),
      'authorities.save': (draft, nonce) => authorities.save(draft, nonce),
      'authorities.set-control': ({ id, token }) => authorities.setControl(id, token),
      'authorities.delete': ({ id }) => authorities.delete(id),
      'authorities.restore': ({ id }) => authorities.restore(id),
      'authority.validate': (call) => authorityCalls.validate(call),
      'rehearsal.activate': (call) => authorityCalls.rehearse('activate', call),
      'rehearsal.validate': (call) => authorityCalls.rehearse('validate', call),
      'rehearsal.control': ({ authorityId, command }) =>
        authorityCalls.command(authorityId, command),
      'rehearsal.sample': ({ authorityId, claims }) => authorityCalls.sample(authorityId, claims),
      'secrets.state': () => secrets.state(),
      'secrets.set-mode': (change) => locking.setMode(change),
      'secrets.unlock': ({ passphrase }) => locking.unlock(passphrase),
      'secrets.lock': () => locking.lock(),
      'secrets.reset': () => locking.reset(),
      'settings.export': () => settings.export(),
      'settings.import': ({ file }) => settings.import(file),
    },
    alarmHandlers: {
      bulk: () => bulk.drive().then(() => undefined),
      'finalise-authorities': () => authorities.finalise(),
      'finalise-deletions': () => connections.finalise(),
      lock: () => locking.lockIfDue(),
      'prune-replies': () => replies.prune(),
    },
    async start() {
      await rulesReady();
      await connections.finalise();
      await authorities.finalise();
      await locking.lockIfDue();
      await sites.reconcile();
      await history.prune();
      await bulk.drive();
    },
    tidy: () => connections.tidy(),
    async permissionsChanged() {
      await connections.applyRules();
      await sites.permissionsChanged();
    },
  };
}

function nothing(): null {
  return null;
}

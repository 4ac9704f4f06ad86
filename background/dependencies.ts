import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { LinkedFiles } from '#adapters/browser/linked-files';
import type { ManagedSettings } from '#adapters/browser/managed-settings';
import type { Permissions } from '#adapters/browser/permissions';
import type { ReplyFields } from '#adapters/browser/reply-fields';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { SellerHttp } from '#adapters/http/http-exchange';
import type { UserAgentRules } from '#adapters/http/user-agent-rule';
import type { JoinTabs } from '#adapters/browser/join-tabs';
import type { RelayHttp } from '#adapters/http/relay-http';
import type { SecretStore } from '#adapters/secrets/secret-store';
import type { AuthorityStore, SiteStore } from '#adapters/storage/worker/connection-store';
import type { Fields } from '#adapters/storage/tables';
import type { Eraser } from '#adapters/storage/worker/eraser';
import type { HistoryStore } from '#adapters/storage/history-store';
import type { ItemCache } from '#adapters/storage/item-cache';
import type { JobStore } from '#adapters/storage/job-store';
import type { PendingTexts } from '#adapters/storage/handoffs';
import type { PolicyStore } from '#adapters/storage/policy-store';
import type { Quarantine } from '#adapters/storage/quarantine';
import type { RememberedList } from '#adapters/storage/record-list';
import type { AskedContent } from '#adapters/browser/waiting-files';
import type { SessionArea } from '#adapters/storage/storage-area';
import type { TeamStore } from '#adapters/storage/worker/team-store';
import type { StoredSetting } from '#adapters/storage/stored-setting';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import type { SessionCache } from '#adapters/storage/session-cache';
import type { RunExclusive } from '#background/serial-queue';
import type { Menus } from '#background/ticket/menus';
import type { StoredConnection } from '#core/connections/connection';
import type { JobUpdate } from '#core/bulk/index';
import type { laterReaders, Readers } from '#core/marketplaces/asking';
import type { ReplySettings } from '#core/reply-templates/template';
import type { LicensingApi } from '#core/installation/ports';

/** Names the alarms the worker sets; each has one handler in `Worker.alarmHandlers`. */
export type AlarmName =
  | 'bulk'
  | 'finalise-authorities'
  | 'finalise-deletions'
  | 'finalise-jobs'
  | 'lock'
  | 'prune-replies';

/** The settings that pages write, and a policy. */
interface WritableSettings {
  readonly preferences: StoredSetting<Fields>;
  readonly 'reply-templates': StoredSetting<ReplySettings>;
}

/** Holds the adapters that a check and a ticket need. */
export interface WorkerDependencies {
  readonly connectionStore: RememberedList<StoredConnection>;
  readonly secrets: SecretStore;
  readonly sessionCache: SessionCache;
  /** Holds a sign-in at the team's relay while it is under way. */
  readonly sessionArea: SessionArea;
  readonly joinTabs: JoinTabs;
  readonly managedSettings: Pick<ManagedSettings, 'read'>;
  readonly policy: PolicyStore;
  readonly history: HistoryStore;
  readonly sellerHttp: SellerHttp;
  /** Loads the readers of marketplaces that no script has at its start; undefined when it cannot. */
  readonly loadReaders: () => typeof laterReaders | undefined;
  readonly permissions: Permissions;
  readonly userAgentRules: UserAgentRules;
  readonly sites: SiteStore;
  readonly contentScripts: ContentScripts;
  readonly menus: Pick<Menus, 'offerLinksOn'>;
  readonly panel: SidePanel;
  readonly pendingTexts: PendingTexts;
  readonly browserMessages: BrowserMessages;
  /** Logs the failure of a task that nothing waits for. */
  readonly report: (task: Promise<void>) => void;
  /** Sets or moves an alarm; the moment is in epoch milliseconds. */
  readonly scheduleAlarm: (name: AlarmName, moment: number) => Promise<void>;
  /** Sets an alarm, unless one of this name is set that fires no later. */
  readonly ensureAlarm: (name: AlarmName, moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Waits for so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Holds what every feature folder is built on. */
export interface WorkerContext extends WorkerDependencies {
  readonly runExclusive: RunExclusive;
  readonly readers: Readers;
}

/** Holds the adapters that administration alone needs. */
export interface AdministrationDependencies {
  readonly quarantine: Quarantine;
  readonly storedSettings: WritableSettings;
  readonly authorities: AuthorityStore;
  /** Opens the licensing API at an authority's address. */
  readonly authorityHttp: (address: string) => LicensingApi;
  /** Opens the control API of a test authority. */
  readonly team: TeamStore;
  readonly relayHttp: RelayHttp;
  readonly items: ItemCache;
  readonly jobs: JobStore;
  readonly replyFields: ReplyFields;
  readonly linkedFiles: LinkedFiles;
  /** Opens the verifier on files, or on why a linked file is not there. */
  readonly openInVerifier: (content: AskedContent) => Promise<void>;
  /** Removes the answers that pages keep in the browser's memory. */
  readonly forgetKeptAnswers: () => Promise<void>;
  readonly eraser: Eraser;
  /** Tells open pages that everything was erased. */
  readonly publishErasure: () => void;
  /** Tells open pages about the progress of a bulk job. */
  readonly publishProgress: (update: JobUpdate) => void;
  /** Runs a task under a lock of the browser; returns undefined when the lock is taken. */
  readonly tryWithLock: <T>(name: string, task: () => Promise<T>) => Promise<T | undefined>;
}

export interface AdministrationContext extends WorkerContext, AdministrationDependencies {
  readonly originPermissions: OriginPermissions;
}

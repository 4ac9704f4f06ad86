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
import type { SecretStore } from '#adapters/secrets/index';
import type { AskedContent } from '#adapters/browser/waiting-files';
import type { AdministrationStorage, WorkerStorage } from '#adapters/storage/worker/index';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import type { RunExclusive } from '#background/serial-queue';
import type { Menus } from '#background/ticket/menus';
import type { laterReaders, Readers } from '#core/marketplaces/asking';
import type { LicensingApi } from '#core/installation/index';
import type { JobUpdate } from '#core/jobs/index';

/** The worker's alarms; each has one handler in `Worker.alarmHandlers`. */
export type AlarmName =
  | 'bulk'
  | 'finalise-authorities'
  | 'finalise-deletions'
  | 'finalise-jobs'
  | 'lock'
  | 'prune-replies';

/** The adapters that a check and a ticket need. */
export interface WorkerDependencies extends Pick<
  WorkerStorage,
  | 'connectionStore'
  | 'history'
  | 'pendingTexts'
  | 'policy'
  | 'sessionArea'
  | 'sessionCache'
  | 'sites'
> {
  readonly secrets: SecretStore;
  readonly joinTabs: JoinTabs;
  readonly managedSettings: Pick<ManagedSettings, 'read'>;
  readonly sellerHttp: SellerHttp;
  /** Loads the marketplace readers that are not loaded at start; undefined if that fails. */
  readonly loadReaders: () => typeof laterReaders | undefined;
  readonly permissions: Permissions;
  readonly userAgentRules: UserAgentRules;
  readonly contentScripts: ContentScripts;
  readonly menus: Pick<Menus, 'offerLinksOn'>;
  readonly panel: SidePanel;
  readonly browserMessages: BrowserMessages;
  /** Logs the failure of a task that nobody awaits. */
  readonly report: (task: Promise<void>) => void;
  /** Sets or moves an alarm; the moment is in epoch milliseconds. */
  readonly scheduleAlarm: (name: AlarmName, moment: number) => Promise<void>;
  /** Sets an alarm, unless one with this name is already set to fire no later. */
  readonly ensureAlarm: (name: AlarmName, moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Waits for this many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** The parts that every feature folder is built on. */
export interface WorkerContext extends WorkerDependencies {
  readonly runExclusive: RunExclusive;
  readonly readers: Readers;
}

export interface AdministrationDependencies extends AdministrationStorage {
  readonly authorityHttp: (address: string) => LicensingApi;
  readonly relayHttp: RelayHttp;
  readonly replyFields: ReplyFields;
  readonly linkedFiles: LinkedFiles;
  /** Opens the verifier with files, or with the reason why a linked file is missing. */
  readonly openInVerifier: (content: AskedContent) => Promise<void>;
  /** Informs open pages that everything was erased. */
  readonly publishErasure: () => void;
  /** Informs open pages about the progress of a bulk job. */
  readonly publishProgress: (update: JobUpdate) => void;
  /** Runs a task under a browser lock; returns undefined if the lock is taken. */
  readonly tryWithLock: <T>(name: string, task: () => Promise<T>) => Promise<T | undefined>;
}

export interface AdministrationContext extends WorkerContext, AdministrationDependencies {
  readonly originPermissions: OriginPermissions;
}

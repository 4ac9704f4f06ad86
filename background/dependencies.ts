import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { Permissions } from '#adapters/browser/permissions';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { AuthorityControl } from '#adapters/http/authority-control';
import type { SellerHttp } from '#adapters/http/seller-http';
import type { UserAgentRules } from '#adapters/http/user-agent-rule';
import type { SecretStore } from '#adapters/secrets/secret-store';
import type { AuthorityStore } from '#adapters/storage/authority-store';
import type { ConnectionStore } from '#adapters/storage/connection-store';
import type { HistoryStore } from '#adapters/storage/history-store';
import type { ItemCache } from '#adapters/storage/item-cache';
import type { JobStore } from '#adapters/storage/job-store';
import type { PendingTexts } from '#adapters/storage/pending-text';
import type { Quarantine } from '#adapters/storage/quarantine';
import type { SiteStore } from '#adapters/storage/site-store';
import type { OriginPermissions } from '#background/connections/origin-permissions';
import type { SessionCache } from '#background/seller/session-cache';
import type { RunExclusive } from '#background/serial-queue';
import type { JobUpdate } from '#core/bulk/job';
import type { Authority } from '#core/installation/ports';

/** The alarms the worker sets; each has one handler in `Worker.alarmHandlers`. */
export type AlarmName =
  'bulk' | 'finalise-authorities' | 'finalise-deletions' | 'lock' | 'prune-replies';

/** The adapters the worker runs on. */
export interface WorkerDependencies {
  readonly store: ConnectionStore;
  readonly secrets: SecretStore;
  readonly quarantine: Quarantine;
  readonly authorities: AuthorityStore;
  /** The licensing API at an authority's address. */
  readonly authorityHttp: (address: string) => Authority;
  /** The control API of a test authority. */
  readonly authorityControl: (address: string, token: string) => AuthorityControl;
  readonly sessionCache: SessionCache;
  readonly items: ItemCache;
  readonly jobs: JobStore;
  readonly history: HistoryStore;
  /** Tells open pages about the progress of a bulk job. */
  readonly publishProgress: (update: JobUpdate) => void;
  /** Runs a task under a lock of the browser; returns undefined when the lock is taken. */
  readonly tryWithLock: <T>(name: string, task: () => Promise<T>) => Promise<T | undefined>;
  readonly http: SellerHttp;
  readonly permissions: Permissions;
  readonly rules: UserAgentRules;
  readonly sites: SiteStore;
  readonly scripts: ContentScripts;
  readonly panel: SidePanel;
  readonly pendingTexts: PendingTexts;
  readonly browserMessages: BrowserMessages;
  /** Sets or moves an alarm; the moment is in epoch milliseconds. */
  readonly scheduleAlarm: (name: AlarmName, moment: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What every feature folder is built on. */
export interface WorkerContext extends WorkerDependencies {
  readonly runExclusive: RunExclusive;
  readonly originPermissions: OriginPermissions;
}

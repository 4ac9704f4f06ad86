import type { Account } from '#core/seller/account';
import type { Connection, Dialect } from '#core/connections/connection';
import type { Fault } from '#core/seller/fault';
import type { Item } from '#core/seller/item';
import type { SecretFault, SecretMode, SecretState } from '#core/connections/secret';
import type { RememberedReport } from '#core/history/entry';
import type { Result } from '#core/result';
import type { Site } from '#core/ticket/site';
import type { Chip, TicketScriptSettings } from '#messaging/ticket-script';
import type { EncodedReply } from '#core/authority/encoded-reply';
import type { JsonObject } from '#core/license/encoding/strict-json';
import type { ControlCommand, ControlState, SampleLicense } from '#core/rehearsal/control-api';
import type {
  AuthorityCall,
  AuthorityDraft,
  AuthorityFault,
  AuthoritySaveFault,
  AuthorityState,
  RehearsalFault,
} from '#messaging/authority-messages';

/**
 * Everything a page may ask of the worker, and what it gets. `messaging/rules.ts` says who may ask each topic and
 * what a body must look like; a topic without a rule does not compile. No reply holds an API key.
 */
export interface Protocol {
  /**
   * One code at one connection. `fresh` passes over kept replies. `ticket`: the address it was asked from, which is kept
   * only where the agent has said so.
   */
  check: Topic<
    { code: string; connectionId: string; fresh: boolean; ticket?: string },
    RememberedReport
  >;

  'connections.list': Topic<Nothing, ConnectionState[]>;
  /** Adds (no `id`) or changes. The one message that carries a key, and only inwards. Leaving `apiKey` out keeps the present one. */
  'connections.save': Topic<ConnectionDraft, Result<ConnectionState, SaveFault>>;
  /** Can be undone until `undoUntil` (epoch ms); then its key and kept replies are gone. */
  'connections.delete': Topic<{ id: string }, { undoUntil: number }>;
  'connections.restore': Topic<{ id: string }, Result<ConnectionState, Fault>>;
  /** All ids in their new order. */
  'connections.reorder': Topic<{ ids: string[] }, ConnectionState[]>;
  /** Asks for the account behind the key. */
  'connections.test': Topic<{ id: string }, Result<Account, Fault>>;
  /** Tries placements and encodings with a code known to be good; keeps the first that validates. */
  'connections.detect': Topic<{ id: string; code: string }, Result<Dialect, Fault>>;
  /** Turns the plain User-Agent on or off for this one base address. */
  'connections.plain-user-agent': Topic<
    { id: string; on: boolean },
    Result<ConnectionState, Fault>
  >;

  /** Asks for all items of a connection and keeps them in the cache, where pages read them. */
  'items.all': Topic<{ connectionId: string }, Result<ItemsRefreshed, ItemsFault>>;
  /** Looks one item up by its id and keeps it there too. */
  'items.item': Topic<{ connectionId: string; itemId: number }, Result<FoundItem, Fault>>;

  /** Lets running bulk checks go on for some seconds. `again`: when to ask once more; absent when nothing is left to do. */
  'bulk.drive': Topic<Nothing, { again?: number }>;
  'bulk.set': Topic<{ jobId: string; to: 'running' | 'paused' | 'cancelled' }, null>;
  /** Asks again about the rows that failed, and about no other. */
  'bulk.retry': Topic<{ jobId: string }, null>;
  /** Goes on without the connection that holds the job up. */
  'bulk.skip': Topic<{ jobId: string; connectionId: string }, null>;
  'bulk.remove': Topic<{ jobId: string }, null>;

  /** The help desks in whose pages verdicts are shown. */
  'sites.list': Topic<Nothing, SiteState[]>;
  /** To be asked beside the browser's permission, in either order: the script runs once both are there. */
  'sites.allow': Topic<{ origin: string }, SiteState[]>;
  /** Gives the origin back to the browser as well, unless a connection lies there. */
  'sites.remove': Topic<{ origin: string }, SiteState[]>;
  'sites.set-automatic': Topic<{ origin: string; on: boolean }, SiteState[]>;

  /** The ticket script in a document: may it run here? `null`: no. Brings its second stage along. */
  'ticket.start': Topic<Nothing, TicketScriptSettings | null>;
  /** A chip was clicked: shows the code in the side panel, or wherever the browser lets us. */
  'ticket.open': Topic<{ code: string }, null>;
  /** Where checking is automatic for the site; `null` where it is not, or when the tab has asked too often. */
  'ticket.check': Topic<{ code: string }, Chip | null>;

  'authorities.list': Topic<Nothing, AuthorityState[]>;
  /** Adds (no `id`) or changes. */
  'authorities.save': Topic<AuthorityDraft, Result<AuthorityState, AuthoritySaveFault>>;
  /** Keeps a control token, which no message carries back. */
  'authorities.set-control': Topic<
    { id: string; token: string },
    Result<AuthorityState, AuthoritySaveFault>
  >;
  /** Can be undone until `undoUntil` (epoch ms). */
  'authorities.delete': Topic<{ id: string }, { undoUntil: number }>;
  'authorities.restore': Topic<{ id: string }, Result<AuthorityState, AuthoritySaveFault>>;
  /** To the authority it is that installation calling in. The reply is handed on as it came: the page judges it. */
  'authority.validate': Topic<AuthorityCall, Result<EncodedReply, AuthorityFault>>;

  /** A rehearsal's calls, which go to test authorities alone. */
  'rehearsal.activate': Topic<AuthorityCall, Result<EncodedReply, RehearsalFault>>;
  'rehearsal.validate': Topic<AuthorityCall, Result<EncodedReply, RehearsalFault>>;
  'rehearsal.control': Topic<
    { authorityId: string; command: ControlCommand },
    Result<ControlState, RehearsalFault>
  >;
  'rehearsal.sample': Topic<
    { authorityId: string; claims: JsonObject },
    Result<SampleLicense, RehearsalFault>
  >;

  'secrets.state': Topic<Nothing, SecretState>;
  /**
   * Re-wraps every key. To and from `passphrase` a passphrase is needed. While the mode is and stays `passphrase`,
   * `passphrase` is the present one and `newPassphrase` takes its place; with neither, only the timer is set.
   */
  'secrets.set-mode': Topic<
    { mode: SecretMode; passphrase?: string; newPassphrase?: string; lockAfterMinutes?: number },
    Result<SecretState, SecretFault>
  >;
  'secrets.unlock': Topic<{ passphrase: string }, Result<SecretState, SecretFault>>;
  'secrets.lock': Topic<Nothing, SecretState>;
  /** For a forgotten passphrase: throws every key away and goes back to `device`. Keys must be entered again. */
  'secrets.reset': Topic<Nothing, SecretState>;

  /** Connections and preferences, never a key. */
  'settings.export': Topic<Nothing, SettingsFile>;
  'settings.import': Topic<
    { file: unknown },
    Result<{ added: number; changed: number }, ImportFault>
  >;
}

/** The body of a question that needs none: `{}`. */
type Nothing = Record<string, never>;

interface Topic<Body, Reply> {
  body: Body;
  reply: Reply;
}

export type TopicName = keyof Protocol;
export type Body<T extends TopicName> = Protocol[T]['body'];
export type Reply<T extends TopicName> = Protocol[T]['reply'];

/** Asks the worker. Bound to `runtime.sendMessage` in the entry files; rejects only when there is no worker to ask. */
export type Ask = <T extends TopicName>(topic: T, body: Body<T>) => Promise<Reply<T>>;

/** A connection as pages see it. */
export interface ConnectionState extends Connection {
  readonly hasKey: boolean;
  /** Whether the browser allows the worker to reach its origin. */
  readonly permitted: boolean;
}

export interface SiteState extends Site {
  /** Whether the browser allows the script to run there. */
  readonly permitted: boolean;
}

export interface ConnectionDraft {
  readonly id?: string;
  readonly name: string;
  readonly baseAddress: string;
  readonly apiKey?: string;
  readonly dialect: Dialect;
}

export interface ItemsRefreshed {
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  readonly count: number;
  /** Entries of the reply that could not be read. */
  readonly unreadable: number;
  /** The server said that there are none, in these words: a single item may be hidden. */
  readonly noneFound?: string;
}

export type ItemsFault = Fault | { readonly kind: 'storage-full' };

export type FoundItem =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'not-found'; readonly msg: string };

export type SaveFault =
  | { readonly kind: 'bad-address' }
  | { readonly kind: 'bad-key' }
  /** The origin changed: a kept key belongs to the old one and must be entered again. */
  | { readonly kind: 'key-needed' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'no-connection' }
  | { readonly kind: 'storage-full' };

export type { SecretFault, SecretMode, SecretState };

export interface SettingsFile {
  readonly format: 'counterfoil-settings';
  readonly version: 1;
  readonly connections: readonly Omit<Connection, 'revision'>[];
}

export interface ImportFault {
  readonly kind: 'unreadable';
  readonly path: string;
}

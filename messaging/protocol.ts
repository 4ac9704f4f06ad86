import type { Account } from '#core/seller/account';
import type { Connection, Dialect } from '#core/seller/connection';
import type { Fault } from '#core/seller/fault';
import type { CheckReport } from '#core/purchase/check';
import type { Result } from '#core/result';

/**
 * Everything a page may ask of the worker, and what it gets. `messaging/rules.ts` says who may ask each topic and
 * what a body must look like; a topic without a rule does not compile. No reply holds an API key.
 */
export interface Protocol {
  /** One code at one connection. `fresh` passes over kept replies. */
  check: Topic<{ code: string; connectionId: string; fresh: boolean }, CheckReport>;

  'connections.list': Topic<Record<never, never>, ConnectionState[]>;
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

  'secrets.state': Topic<Record<never, never>, SecretState>;
  /** Re-wraps every key. To and from `passphrase` a passphrase is needed. */
  'secrets.set-mode': Topic<
    { mode: SecretMode; passphrase?: string; lockAfterMinutes?: number },
    Result<SecretState, SecretFault>
  >;
  'secrets.unlock': Topic<{ passphrase: string }, Result<SecretState, SecretFault>>;
  'secrets.lock': Topic<Record<never, never>, SecretState>;

  /** Connections and preferences, never a key. */
  'settings.export': Topic<Record<never, never>, SettingsFile>;
  'settings.import': Topic<
    { file: unknown },
    Result<{ added: number; changed: number }, ImportFault>
  >;
}

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

export interface ConnectionDraft {
  readonly id?: string;
  readonly name: string;
  readonly baseAddress: string;
  readonly apiKey?: string;
  readonly dialect: Dialect;
}

export type SaveFault =
  | { readonly kind: 'bad-address' }
  /** The origin changed: a kept key belongs to the old one and must be entered again. */
  | { readonly kind: 'key-needed' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'no-connection' }
  | { readonly kind: 'storage-full' };

/** Where API keys live: encrypted on this device, encrypted under a passphrase, or only until the browser closes. */
export type SecretMode = 'device' | 'passphrase' | 'session';

export interface SecretState {
  readonly mode: SecretMode;
  readonly locked: boolean;
  /** Minutes without use until the passphrase is asked for again. */
  readonly lockAfterMinutes: number;
}

export type SecretFault =
  | { readonly kind: 'wrong-passphrase' }
  | { readonly kind: 'passphrase-too-short'; readonly least: number }
  | { readonly kind: 'locked' }
  /** What decrypts the keys is gone (cleared storage): they must be entered again. */
  | { readonly kind: 'material-lost' };

export interface SettingsFile {
  readonly format: 'counterfoil-settings';
  readonly version: 1;
  readonly connections: readonly Omit<Connection, 'revision'>[];
}

export type ImportFault = { readonly kind: 'unreadable'; readonly path: string };

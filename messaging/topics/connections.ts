import type { Connection, Dialect } from '#core/connections/connection';
import type { SetByPolicy } from '#core/policy/policy';
import type { Result } from '#core/result';
import type { Account } from '#core/seller/resources';
import type { Fault } from '#core/seller/fault';
import type { StorageFull } from '#core/storage-full';
import type { NoBody, Topic } from '#messaging/topic';

export interface ConnectionsProtocol {
  'connections.list': Topic<NoBody, ConnectionState[]>;
  /**
   * Adds (no `id`) or changes. The one message that carries an API key, and only inwards. Leaving `apiKey` out keeps
   * the present one.
   */
  'connections.save': Topic<ConnectionDraft, Result<ConnectionState, SaveFault>>;
  /** Deletes; can be undone until `undoUntil` (epoch ms), then its key and cached replies are gone. */
  'connections.delete': Topic<
    { id: string },
    Result<{ undoUntil: number }, StorageFull | SetByPolicy>
  >;
  'connections.restore': Topic<{ id: string }, Result<ConnectionState, Fault | StorageFull>>;
  /** Takes all ids in their new order. */
  'connections.reorder': Topic<{ ids: string[] }, Result<ConnectionState[], StorageFull>>;
  /** Requests the account behind the key. */
  'connections.test': Topic<{ id: string }, Result<Account, Fault>>;
  /** Tries key placements and encodings with a code known to be good; stores the first that validates. */
  'connections.detect': Topic<{ id: string; code: string }, Result<Dialect, Fault>>;
  /** Turns the plain User-Agent on or off for this one base address. */
  'connections.plain-user-agent': Topic<
    { id: string; on: boolean },
    Result<ConnectionState, Fault | StorageFull>
  >;
}

/** Describes a connection as pages see it. */
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
  | { readonly kind: 'bad-key' }
  /** The address changed: a stored key belongs to the old one and must be entered again. */
  | { readonly kind: 'key-needed' }
  | { readonly kind: 'locked' }
  /** The organisation demands another way to store keys. */
  | { readonly kind: 'key-storage-demanded' }
  | { readonly kind: 'no-connection' }
  | StorageFull;

import * as v from 'valibot';
import {
  connectionBounds,
  connectionFields,
  type ConnectionState,
  type Dialect,
  maxApiKeyLength,
} from '#core/connections/index';
import type { SetByPolicy } from '#core/policy/index';
import type { Result } from '#core/result';
import type { Account, Fault } from '#core/marketplaces/index';
import type { StorageFull, TooMany } from '#core/storage/index';
import { checkPages, optionsPage, boundedText, codeSchema, type Rules } from '#messaging/topic';

const { id } = connectionFields;

const draft = v.strictObject({
  ...connectionFields,
  id: v.exactOptional(id),
  baseAddress: boundedText(connectionBounds.baseAddress),
  apiKey: v.exactOptional(boundedText(maxApiKeyLength)),
});

export type ConnectionDraft = v.InferOutput<typeof draft>;

export const connectionsRules = {
  'connections.save': { from: optionsPage, body: draft },
  'connections.delete': { from: optionsPage, body: v.strictObject({ id }) },
  'connections.restore': { from: optionsPage, body: v.strictObject({ id }) },
  'connections.reorder': {
    from: optionsPage,
    body: v.strictObject({ ids: v.pipe(v.array(id), v.maxLength(connectionBounds.connections)) }),
  },
  'connections.test': { from: [...optionsPage, 'desk'], body: v.strictObject({ id }) },
  'connections.detect': { from: optionsPage, body: v.strictObject({ id, code: codeSchema }) },
  // One click in the popup fixes a connection whose server rejects browsers.
  'connections.plain-user-agent': {
    from: checkPages,
    body: v.strictObject({ id, on: v.boolean() }),
  },
} satisfies Rules;

export interface ConnectionsReplies {
  'connections.list': ConnectionState[];
  /**
   * Adds (without `id`) or changes a connection. This is the only message that contains an API key, and only towards
   * the worker. Without `apiKey` the present key is kept.
   */
  'connections.save': Result<ConnectionState, SaveFault>;
  /**
   * Deletes a connection. This can be undone until `undoUntil` (epoch milliseconds); then its key and cached replies
   * are deleted.
   */
  'connections.delete': Result<{ undoUntil: number }, StorageFull | SetByPolicy>;
  'connections.restore': Result<ConnectionState, Fault | StorageFull>;
  /** Takes all ids in their new order. */
  'connections.reorder': Result<ConnectionState[], StorageFull>;
  /** Requests the account behind the key. */
  'connections.test': Result<Account, Fault>;
  /** Tries key placements and encodings with a code known to be good; stores the first that works. */
  'connections.detect': Result<Dialect, Fault>;
  /** Turns the plain User-Agent on or off for this one base address. */
  'connections.plain-user-agent': Result<ConnectionState, Fault | StorageFull>;
}

export type SaveFault =
  | { readonly kind: 'bad-address' }
  | { readonly kind: 'bad-key' }
  /** The address changed: a stored key belongs to the old one and must be entered again. */
  | { readonly kind: 'key-needed' }
  | { readonly kind: 'locked' }
  /** The organization requires another way to store keys. */
  | { readonly kind: 'key-storage-demanded' }
  | { readonly kind: 'no-connection' }
  | StorageFull
  | TooMany;

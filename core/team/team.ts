import * as v from 'valibot';

import type { TransportFault } from '#core/installation/index';
import type { Fault } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage/index';
import { type EntryIds, entryIdsSchema } from '#core/settings-import/index';

/** The team that this browser has joined. It holds no token. */
export interface JoinedTeam {
  /** The token's id among the stored keys. */
  readonly id: string;
  /** The relay's origin. */
  readonly relay: string;
  readonly name: string;
  /** The address of the person who signed in. */
  readonly email: string;
  /** The public key whose fingerprint the agent confirmed; absent while the team signs no settings. */
  readonly settingsKey?: string;
  /** The version of the settings in use; 0 for none. */
  readonly version: number;
  readonly added: EntryIds;
}

/** Why joining a team, or asking its relay, did not work. */
export type TeamFault =
  | TransportFault
  | Extract<Fault, { kind: `relay-${string}` }>
  | Extract<Fault, { kind: 'rate-limited' | 'locked' | 'not-permitted' }>
  | StorageFull
  /** The organization requires another way to store keys. */
  | { readonly kind: 'key-storage-demanded' }
  /** The relay's version does not support the request. */
  | { readonly kind: 'relay-too-old' }
  | { readonly kind: 'no-relay' }
  /** The agent did not join, or the relay refused it on its page. */
  | { readonly kind: 'not-joined' }
  /** The keys must be unlocked before the one-time code, which expires soon, can be used. */
  | { readonly kind: 'unlock-to-join' }
  /** The one-time code was already used or has expired. */
  | { readonly kind: 'code-refused' }
  /** No team is joined, or a different one. */
  | { readonly kind: 'other-team' };

/** Tells whether the relay's failure is temporary. */
export function mayPass({ kind }: { readonly kind: string }): boolean {
  return ['offline', 'unreachable', 'timeout', 'rate-limited', 'relay-unavailable'].includes(kind);
}

/** Tells whether the keys must be unlocked to continue. */
export function needsKeys({ kind }: { readonly kind: string }): boolean {
  return kind === 'locked' || kind === 'unlock-to-join';
}

export const joinedTeamSchema: v.GenericSchema<unknown, JoinedTeam> = v.object({
  id: v.string(),
  relay: v.string(),
  name: v.string(),
  email: v.string(),
  settingsKey: v.exactOptional(v.string()),
  version: v.number(),
  added: entryIdsSchema,
});

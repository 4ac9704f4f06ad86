import type { SessionArea } from '#adapters/storage/worker/index';
import { encodeBase64Url } from '#core/encoding/index';
import type { Body, Reply } from '#messaging/index';

type JoinRequest = Body<'team.join'>;
type TeamState = Reply<'team.state'>;

/** A sign-in in progress. It outlives the worker, which the browser may stop in the meantime. */
export interface PendingJoin extends JoinRequest {
  readonly state: string;
  /** The secret behind the PKCE challenge (RFC 7636). */
  readonly verifier: string;
  readonly tabId?: number;
  /** The one-time code, while it waits for the keys to be unlocked. The relay accepts it for 60 seconds. */
  readonly code?: string;
}

/** The name of the sign-in in session storage. */
const joinKey = 'team-join';

/** Stores the sign-in in progress, or why the last one failed. */
export interface PendingJoins {
  read(): Promise<PendingJoin | undefined>;
  /** Returns the part that a page may see. */
  seen(): Promise<TeamState['signIn']>;
  write(pending: PendingJoin | TeamState['signIn']): Promise<void>;
}

export function createPendingJoins(session: SessionArea): PendingJoins {
  const stored = async () =>
    (await session.get(joinKey))[joinKey] as PendingJoin | TeamState['signIn'] | undefined;
  return {
    async read() {
      const pending = await stored();
      return pending && 'verifier' in pending ? pending : undefined;
    },
    async seen() {
      const pending = (await stored()) ?? null;
      if (!pending || !('verifier' in pending)) return pending;
      const { relay, code, tabId } = pending;
      return code === undefined ? { relay, tabId } : { relay, fault: { kind: 'unlock-to-join' } };
    },
    write: (pending) =>
      pending === null ? session.remove(joinKey) : session.set({ [joinKey]: pending }),
  };
}

/** Returns 32 random bytes as 43 characters. */
export function randomText(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

export async function joinPageOf({
  relay,
  state,
  verifier,
  invite,
}: Pick<PendingJoin, 'relay' | 'state' | 'verifier' | 'invite'>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    state,
    code_challenge: encodeBase64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  });
  // Fragments are not sent to the server, so the invite does not appear in logs.
  return `${relay}/relay/v1/join?${query.toString()}${invite === undefined ? '' : `#invite=${invite}`}`;
}

/**
 * Returns the code that the relay wrote into the tab's address, or null if it gave none; undefined for any other
 * address or tab.
 */
export function joinResultOf(
  { relay, state, tabId }: PendingJoin,
  tab: { readonly id: number; readonly url: string },
): string | null | undefined {
  const end = `${relay}/relay/v1/joined#`;
  if (tab.id !== tabId || !tab.url.startsWith(end)) return undefined;
  const result = new URLSearchParams(tab.url.slice(end.length));
  return result.get('state') === state ? result.get('code') : undefined;
}

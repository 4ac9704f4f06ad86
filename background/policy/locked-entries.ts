import type { WorkerContext } from '#background/dependencies';
import { locksExpectedItem, type PolicyEntries } from '#core/policy/locks';
import type { Policy } from '#core/policy/policy';
import { fail } from '#core/result';
import type { Handlers } from '#messaging/serve';
import { omitUndefined } from '#core/omit-undefined';
import { accountPlaceOf } from '#core/marketplaces/marketplace-id';

const refused = fail({ kind: 'set-by-policy' } as const);

type LockedTopic =
  | 'connections.save'
  | 'connections.delete'
  | 'connections.detect'
  | 'authorities.save'
  | 'authorities.delete'
  | 'sites.remove'
  | 'sites.set-automatic'
  | 'sites.set-expected-item';

/**
 * Returns the handlers that would change an entry: those of the policy are refused. Its connections still take the agent's key.
 * @param inForce returns the policy in force; null when it cannot be read any more
 */
export function lockEntries(
  handlers: Pick<Handlers, LockedTopic>,
  { policy, connectionStore }: Pick<WorkerContext, 'policy' | 'connectionStore'>,
  inForce: () => Promise<Policy | null>,
): Pick<Handlers, LockedTopic> {
  const isLocked = async (list: keyof PolicyEntries, id: string | undefined): Promise<boolean> =>
    id !== undefined && (await policy.read()).locked[list].includes(id);

  return {
    'connections.save': async (draft, ...request) => {
      const own = (await isLocked('connections', draft.id))
        ? (await connectionStore.read()).find(({ id }) => id === draft.id)
        : undefined;
      if (own === undefined) return handlers['connections.save'](draft, ...request);
      const { name, baseAddress, dialect } = own;
      const { id, apiKey } = draft;
      const kept = omitUndefined({
        id,
        apiKey,
        ...accountPlaceOf(own),
        name,
        baseAddress,
        dialect,
      });
      return handlers['connections.save'](kept, ...request);
    },
    'connections.delete': async (body, ...request) =>
      (await isLocked('connections', body.id))
        ? refused
        : handlers['connections.delete'](body, ...request),
    // Detecting would change how the key is sent.
    'connections.detect': async (body, ...request) =>
      (await isLocked('connections', body.id))
        ? fail({ kind: 'no-connection' })
        : handlers['connections.detect'](body, ...request),
    'authorities.save': async (draft, ...request) =>
      (await isLocked('authorities', draft.id))
        ? refused
        : handlers['authorities.save'](draft, ...request),
    'authorities.delete': async (body, ...request) =>
      (await isLocked('authorities', body.id))
        ? refused
        : handlers['authorities.delete'](body, ...request),
    'sites.remove': async (body, ...request) =>
      (await isLocked('sites', body.origin)) ? refused : handlers['sites.remove'](body, ...request),
    'sites.set-automatic': async (body, ...request) =>
      (await isLocked('sites', body.origin))
        ? refused
        : handlers['sites.set-automatic'](body, ...request),
    'sites.set-expected-item': async (body, ...request) =>
      (await isLocked('sites', body.origin)) && locksExpectedItem(await inForce(), body.origin)
        ? refused
        : handlers['sites.set-expected-item'](body, ...request),
  };
}

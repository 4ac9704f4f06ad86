import type { WorkerContext } from '#background/dependencies';
import { accountLocation } from '#core/connections/index';
import type { EntryIds } from '#core/settings-import/index';
import { locksExpectedItem, type Policy } from '#core/policy/index';
import { fail, omitUndefined } from '#core/result';
import type { Handlers } from '#messaging/index';

const setByPolicy = fail({ kind: 'set-by-policy' });

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
 * Wraps the handlers that change entries, to refuse changes to the policy's entries. Saving one of the policy's
 * connections stores only the agent's key.
 * @param inForce returns the policy in force; null if it can no longer be read
 */
export function lockEntries(
  handlers: Pick<Handlers, LockedTopic>,
  {
    policy,
    connectionStore,
    runExclusive,
  }: Pick<WorkerContext, 'policy' | 'connectionStore' | 'runExclusive'>,
  inForce: () => Promise<Policy | null>,
): Pick<Handlers, LockedTopic> {
  const isLocked = async (list: keyof EntryIds, id: string | undefined): Promise<boolean> =>
    id !== undefined && (await policy.read()).locked[list].includes(id);
  /** Runs a change unless the entry is locked. No policy is applied in between. */
  const unlessLocked = <T>(
    list: keyof EntryIds,
    id: string | undefined,
    change: () => Promise<T>,
  ): Promise<T | typeof setByPolicy> =>
    runExclusive('policy', async () => ((await isLocked(list, id)) ? setByPolicy : change()));

  return {
    'connections.save': (draft, ...request) =>
      runExclusive('policy', async () => {
        const own = (await isLocked('connections', draft.id))
          ? (await connectionStore.read()).find(({ id }) => id === draft.id)
          : undefined;
        if (own === undefined) return handlers['connections.save'](draft, ...request);
        const { name, baseAddress, dialect } = own;
        const { id, apiKey } = draft;
        const kept = omitUndefined({
          id,
          apiKey,
          ...accountLocation(own),
          name,
          baseAddress,
          dialect,
        });
        return handlers['connections.save'](kept, ...request);
      }),
    'connections.delete': (body, ...request) =>
      unlessLocked('connections', body.id, () => handlers['connections.delete'](body, ...request)),
    // Detecting could change how the key is sent, so it is refused for locked entries. Since it asks the seller API, it
    // does not hold up the policy.
    'connections.detect': async (body, ...request) =>
      (await isLocked('connections', body.id))
        ? fail({ kind: 'no-connection' })
        : handlers['connections.detect'](body, ...request),
    'authorities.save': (draft, ...request) =>
      unlessLocked('authorities', draft.id, () => handlers['authorities.save'](draft, ...request)),
    'authorities.delete': (body, ...request) =>
      unlessLocked('authorities', body.id, () => handlers['authorities.delete'](body, ...request)),
    'sites.remove': (body, ...request) =>
      unlessLocked('sites', body.origin, () => handlers['sites.remove'](body, ...request)),
    'sites.set-automatic': (body, ...request) =>
      unlessLocked('sites', body.origin, () => handlers['sites.set-automatic'](body, ...request)),
    'sites.set-expected-item': (body, ...request) =>
      runExclusive('policy', async () =>
        (await isLocked('sites', body.origin)) && locksExpectedItem(await inForce(), body.origin)
          ? setByPolicy
          : handlers['sites.set-expected-item'](body, ...request),
      ),
  };
}

import type { AdministrationContext, WorkerContext } from '#background/dependencies';
import { type ApplyNeeds, applyPolicy } from '#background/policy/apply-policy';
import { type PolicyText, policyText } from '#background/policy/policy-text';
import { bytesOfHex, hexOf } from '#core/encoding/index';
import {
  locksExpectedItem,
  type Policy,
  type PolicyFault,
  type PolicyState,
  readPolicy,
} from '#core/policy/index';
import { type Result, succeed, fail, omitUndefined } from '#core/result';
import type { administrationRules, Handlers } from '#messaging/index';
import { accountLocation } from '#core/connections/index';
import type { EntryIds } from '#core/entry-ids';

type AdministrationTopic = keyof typeof administrationRules;

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
 * Wraps the handlers that change entries: changes to the policy's entries are refused. Saving one of its connections stores only
 * the agent's key.
 * @param inForce returns the policy in force; null when it cannot be read any more
 */
function lockEntries(
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
  /** Runs a change unless the entry is locked; no policy is applied in between. */
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
    // Detecting would change how the key is sent. It asks the seller API, so that a policy is not kept waiting.
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

type AdministrationHandlers = Pick<Handlers, AdministrationTopic>;

export interface PolicyFeature {
  /** Adds the policy's own handler, which changes nothing, and keeps the others from changing what the policy sets. */
  readonly lock: (handlers: Omit<AdministrationHandlers, 'policy.state'>) => AdministrationHandlers;
  /** Applies the policy of a text, unless that cannot be read. Its caller holds the queue `policy`. */
  readonly apply: (text: PolicyText) => Promise<void>;
}

/**
 * Applies the organization's policy to what is stored, and locks it there. A policy with a fault changes nothing: the one that
 * was applied last stays in force.
 */
export function createPolicyFeature(
  context: AdministrationContext,
  needs: ApplyNeeds,
): PolicyFeature {
  const { policy: policyStore } = context;

  /** Why the policy of a text could not be applied in this life of the worker. */
  let lastRefusal: { readonly text: unknown; readonly fault: PolicyState['fault'] } | undefined;

  async function apply({ present, applied: before }: PolicyText): Promise<void> {
    const read = await readText(present);
    if (!read.ok) return;
    const interrupted = await readText(before.begun?.text ?? '');
    const applied = await applyPolicy(context, needs, {
      policy: read.value,
      text: typeof present === 'string' ? present : '',
      before,
      interrupted: interrupted.ok ? interrupted.value : null,
    });
    lastRefusal = applied.ok ? undefined : { text: present, fault: applied.fault };
  }

  const readState = (): Promise<PolicyState> =>
    context.runExclusive('policy', async () => {
      const { present, applied } = await policyText(context);
      const read = await readText(present);
      const inForce = await readText(applied.text);
      const refusal =
        lastRefusal !== undefined && present === lastRefusal.text ? lastRefusal.fault : null;
      return {
        policy: inForce.ok ? inForce.value : null,
        locked: applied.locked,
        fault: read.ok ? refusal : read.fault,
      };
    });

  const thenReapply = async <T>(done: Promise<T>): Promise<T> => {
    try {
      return await done;
    } finally {
      await context.runExclusive('policy', async () => {
        const text = await policyText(context);
        if (text.isDue || text.present !== '') await apply(text);
      });
    }
  };

  return {
    lock: (handlers) => ({
      ...handlers,
      ...lockEntries(handlers, context, async () => {
        const read = await readText((await policyStore.read()).text);
        return read.ok ? read.value : null;
      }),
      'policy.state': readState,
      'settings.import': (...request) => thenReapply(handlers['settings.import'](...request)),
      'settings.erase': (...request) => thenReapply(handlers['settings.erase'](...request)),
      'team.apply': (...request) => thenReapply(handlers['team.apply'](...request)),
      'team.leave': (...request) => thenReapply(handlers['team.leave'](...request)),
    }),
    apply,
  };
}

/** Reads a policy; null for the empty text, which is none. */
async function readText(settings: unknown): Promise<Result<Policy | null, PolicyFault>> {
  return settings === '' ? succeed(null) : readPolicy(settings, fingerprintOf);
}

async function fingerprintOf(raw: string): Promise<string> {
  const bytes = bytesOfHex(raw) ?? new Uint8Array();
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

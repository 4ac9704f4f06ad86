import type { AdministrationContext, WorkerContext } from '#background/dependencies';
import { type ApplyNeeds, applyPolicy } from '#background/policy/apply-policy';
import { policyText } from '#background/policy/demand';
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
import type { EntryIds } from '#core/settings/index';
import { accountPlaceOf } from '#core/connections/index';

type AdministrationTopic = keyof typeof administrationRules;

const refused = fail({ kind: 'set-by-policy' });

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
function lockEntries(
  handlers: Pick<Handlers, LockedTopic>,
  { policy, connectionStore }: Pick<WorkerContext, 'policy' | 'connectionStore'>,
  inForce: () => Promise<Policy | null>,
): Pick<Handlers, LockedTopic> {
  const isLocked = async (list: keyof EntryIds, id: string | undefined): Promise<boolean> =>
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

type AdministrationHandlers = Pick<Handlers, AdministrationTopic>;

export interface PolicyFeature {
  /** Adds the policy's own handler, and keeps the others from changing what the policy sets. */
  readonly lock: (handlers: Omit<AdministrationHandlers, 'policy.state'>) => AdministrationHandlers;
  /** Applies the policy where it has changed. */
  readonly apply: () => Promise<void>;
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

  /** @param again whether a policy is applied that has been before */
  const ensureApplied = (again: boolean): Promise<PolicyState> =>
    context.runExclusive('policy', async () => {
      const before = await policyStore.read();
      const { present: settings } = await policyText(context);
      const read = await readText(settings);
      const isDue = settings !== before.text || (again && settings !== '');
      const applied =
        read.ok && isDue
          ? await applyPolicy(context, needs, {
              policy: read.value,
              text: typeof settings === 'string' ? settings : '',
              before,
            })
          : read;
      const inForce = applied.ok ? read : await readText(before.text);
      return {
        policy: inForce.ok ? inForce.value : null,
        locked: (await policyStore.read()).locked,
        fault: applied.ok ? null : applied.fault,
      };
    });

  const thenReapply = async <T>(done: Promise<T>): Promise<T> => {
    const result = await done;
    await ensureApplied(true);
    return result;
  };

  return {
    lock: (handlers) => ({
      ...handlers,
      ...lockEntries(handlers, context, async () => {
        const read = await readText((await policyStore.read()).text);
        return read.ok ? read.value : null;
      }),
      'policy.state': () => ensureApplied(false),
      'settings.import': (...request) => thenReapply(handlers['settings.import'](...request)),
      'settings.erase': (...request) => thenReapply(handlers['settings.erase'](...request)),
      'team.apply': (...request) => thenReapply(handlers['team.apply'](...request)),
      'team.leave': (...request) => thenReapply(handlers['team.leave'](...request)),
    }),
    apply: async () => {
      await ensureApplied(false);
    },
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

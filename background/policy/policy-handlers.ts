import type { AdministrationContext } from '#background/dependencies';
import { type ApplyNeeds, applyPolicy } from '#background/policy/apply-policy';
import { lockEntries } from '#background/policy/lock-entries';
import { type PolicyText, policyText } from '#background/policy/policy-text';
import { bytesOfHex, hexOf } from '#core/encoding/index';
import { type Policy, type PolicyFault, type PolicyState, readPolicy } from '#core/policy/index';
import { type Result, succeed } from '#core/result';
import type { administrationRules, Handlers } from '#messaging/index';

type AdministrationHandlers = Pick<Handlers, keyof typeof administrationRules>;

export interface PolicyFeature {
  /** Adds the policy's own read-only handler, and prevents the others from changing what the policy sets. */
  readonly lock: (handlers: Omit<AdministrationHandlers, 'policy.state'>) => AdministrationHandlers;
  /** Applies the policy from its text, if it is readable. The caller must hold the queue `policy`. */
  readonly applyText: (text: PolicyText) => Promise<void>;
}

/**
 * Applies the organization's policy to the stored settings, and locks it there. A policy with a fault changes nothing:
 * the one that was applied last stays in force.
 */
export function createPolicyFeature(
  context: AdministrationContext,
  needs: ApplyNeeds,
): PolicyFeature {
  const { policy: policyStore } = context;

  /** Why a policy could not be applied since this worker started. */
  let lastApplyFault: { readonly text: unknown; readonly fault: PolicyState['fault'] } | undefined;

  async function applyText({ present, applied: before }: PolicyText): Promise<void> {
    const read = await readText(present);
    if (!read.ok) return;
    const interrupted = await readText(before.begun?.text ?? '');
    const applied = await applyPolicy(context, needs, {
      policy: read.value,
      text: typeof present === 'string' ? present : '',
      before,
      interrupted: interrupted.ok ? interrupted.value : null,
    });
    lastApplyFault = applied.ok ? undefined : { text: present, fault: applied.fault };
  }

  const readState = (): Promise<PolicyState> =>
    context.runExclusive('policy', async () => {
      const { present, applied } = await policyText(context);
      const read = await readText(present);
      const inForce = await readText(applied.text);
      const refusal =
        lastApplyFault !== undefined && present === lastApplyFault.text
          ? lastApplyFault.fault
          : null;
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
        if (text.isDue || text.present !== '') await applyText(text);
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
    applyText,
  };
}

/** Reads a policy; null for an empty text, which means no policy. */
async function readText(settings: unknown): Promise<Result<Policy | null, PolicyFault>> {
  return settings === '' ? succeed(null) : readPolicy(settings, fingerprintOf);
}

async function fingerprintOf(raw: string): Promise<string> {
  const bytes = bytesOfHex(raw) ?? new Uint8Array();
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

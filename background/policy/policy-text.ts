import type { AppliedPolicy } from '#adapters/storage/worker/index';
import type { WorkerContext } from '#background/dependencies';

/** The policy's text as the browser holds it, beside what was applied last. */
export interface PolicyText {
  readonly present: unknown;
  readonly applied: AppliedPolicy;
  /** Whether the present text is to be applied, or an application was begun and never recorded as done. */
  readonly isDue: boolean;
}

/**
 * Returns the policy as the browser holds it, not yet parsed, and the text applied last, which stands in while the
 * browser does not answer. A browser that has just started may not know its policy yet, so that it has to say twice
 * that there is none any more.
 */
export async function policyText({
  managedSettings,
  policy,
  pause,
}: Pick<WorkerContext, 'managedSettings' | 'policy' | 'pause'>): Promise<PolicyText> {
  const applied = await policy.read();
  const read = async (): Promise<unknown> =>
    (await managedSettings.read().catch(() => applied.text)) ?? '';
  let present = await read();
  if (present === '' && applied.text !== '') {
    await pause(1000);
    present = await read();
  }
  return {
    present,
    applied,
    isDue: present !== applied.text || applied.begun !== undefined,
  };
}

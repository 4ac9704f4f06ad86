import type { AppliedPolicy } from '#adapters/storage/worker/index';
import type { WorkerContext } from '#background/dependencies';

/** The policy's text in the browser, and the one that was applied last. */
export interface PolicyText {
  readonly present: unknown;
  readonly applied: AppliedPolicy;
  /** Whether the present text must be applied, or an application was started but not recorded as finished. */
  readonly isDue: boolean;
}

/**
 * Returns the browser's policy, not yet parsed, and the text applied last, which is used while the browser does not
 * answer. A browser that has just started may not know its policy yet, so absence must be read twice before it counts.
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

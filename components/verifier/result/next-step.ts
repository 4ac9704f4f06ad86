import type { Inspection } from '#core/license/index';

/**
 * What an agent can do next about a result: pin or link a key, look the code up, set the clock right, or say what a key
 * is for.
 */
export type NextStepId = 'code' | 'key' | 'pin' | 'unknown-key' | 'other-signer' | 'clock' | 'kind';

/** @param purchaseCode the purchase code that was opened instead of a license */
export function nextStepOf(
  inspection: Inspection,
  purchaseCode: string | undefined,
): NextStepId | undefined {
  const reasons = inspection.checks.map(({ reason }) => reason);
  if (purchaseCode !== undefined) return 'code';
  if (inspection.sourceFault?.kind === 'key') return 'key';
  if (reasons.includes('no-keys')) return 'pin';
  if (reasons.includes('unknown-key')) return 'unknown-key';
  if (reasons.includes('other-signer')) return 'other-signer';
  if (reasons.includes('turned-back')) return 'clock';
  if (unstatedView(inspection) !== undefined) return 'kind';
  return undefined;
}

/** Returns the document signed under a key whose purpose nobody has stated yet. */
export function unstatedView({
  certificate,
  license,
}: Inspection): Inspection['certificate'] | Inspection['license'] {
  return [certificate, license].find(
    (view) => view?.genuine === true && view.signed?.kind === 'unstated',
  );
}

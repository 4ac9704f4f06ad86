import { webCryptoEngine } from '#core/keys/ed25519';
import { type InspectContext, inspectText } from '#core/license/inspect/inspect';
import type { Check, CheckId, Inspection } from '#core/license/inspect/inspection';
import { NOW, pinned } from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

/** Signs with the key that is pinned as “Main key” unless a test pins others. */
export const signer = makeSigner(1);

const base: InspectContext = {
  keys: [pinned(signer)],
  engine: webCryptoEngine(crypto.subtle),
  now: NOW,
};

/** Inspects a source under the main key at `NOW`, unless told otherwise. */
export function inspection(
  source: Parameters<typeof inspectText>[0],
  changes: Partial<InspectContext> = {},
): Promise<Inspection> {
  return inspectText(source, { ...base, ...changes });
}

export function checkOf({ checks }: Inspection, id: CheckId): Check {
  const found = checks.find((check) => check.id === id);
  if (found === undefined) throw new Error(`no check ${id}`);
  return found;
}

export function leads({ headline }: Inspection): string[] {
  return headline.sentences.map(({ id }) => id);
}

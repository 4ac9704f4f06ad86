import { eachOnce, type FoundCode, locateCandidates } from '#core/codes/find-codes';

/** Finds the codes of a text that was pasted. */
export function findCodes(
  text: string,
  { patterns = [] }: { readonly patterns?: readonly string[] } = {},
): FoundCode[] {
  const found = locateCandidates(text, patterns);
  return eachOnce(found.filter((one) => one.kind !== 'near-miss'));
}

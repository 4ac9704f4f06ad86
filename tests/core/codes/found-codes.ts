import { eachOnce, type FoundCode, locateCodes } from '#core/codes/find-codes';

export function findCodes(
  text: string,
  { patterns = [] }: { readonly patterns?: readonly string[] } = {},
): FoundCode[] {
  return eachOnce(locateCodes(text, patterns));
}

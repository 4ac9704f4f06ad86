import type { Result } from '#core/result';
import {
  type BaseAddress,
  type BaseAddressProblem,
  parseBaseAddress,
} from '#core/connections/base-address';

/**
 * Parses a typed or pasted {authority_url} (spec section 2) by the rules of `parseBaseAddress`. Removes the path of a licensing call
 * at its end.
 */
export function parseAuthorityAddress(text: string): Result<BaseAddress, BaseAddressProblem> {
  return parseBaseAddress(
    text.trim().replace(/(?:\/api)?\/license(?:\/v1)?(?:\/[a-z]+)?\/*$/iu, ''),
  );
}

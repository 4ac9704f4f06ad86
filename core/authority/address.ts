import type { Result } from '#core/result';
import type { BaseAddress, BaseAddressProblem } from '#core/connections/base-address';
import { parseBaseAddress } from '#core/connections/base-address';

/**
 * Reads the spec's {authority_url} as a person types or pastes it, by the rules of `parseBaseAddress`. The path of a
 * licensing call at its end is forgiven.
 */
export function parseAuthorityAddress(text: string): Result<BaseAddress, BaseAddressProblem> {
  return parseBaseAddress(
    text.trim().replace(/(?:\/api)?\/license(?:\/v1)?(?:\/[a-z]+)?\/*$/iu, ''),
  );
}

import { type BaseAddressProblem, parseBaseAddress } from '#core/connections/base-address';
import { type Result, succeed } from '#core/result';

/** Holds where a team's relay is, and the invite of a link. */
export interface RelayAddress {
  /** The relay's origin. */
  readonly relay: string;
  readonly invite?: string;
}

const invitePattern = /#invite=(cfi1_[0-9a-f]{16}_[0-9a-f]{64})\s*$/u;

/** Parses the address of a relay, or an invite link. Only its origin counts. */
export function parseRelayAddress(text: string): Result<RelayAddress, BaseAddressProblem> {
  const invite = invitePattern.exec(text)?.[1];
  const address = parseBaseAddress(text.replace(/[?#].*$/su, ''));
  if (!address.ok) return address;
  const relay = new URL(address.value.address).origin;
  return succeed({ relay, ...(invite !== undefined && { invite }) });
}

/** Tells whether a base address leads to a connection of the relay at an origin. */
export function isThroughRelay(baseAddress: string, relay: string): boolean {
  return baseAddress.startsWith(`${relay}/c/`);
}

import * as v from 'valibot';

import { type BaseAddressProblem, parseBaseAddress } from '#core/address/index';
import { type Result, succeed, omitUndefined } from '#core/result';

/** The address of a team's relay, and the invite from an invite link. */
export interface RelayAddress {
  /** The relay's origin. */
  readonly relay: string;
  readonly invite?: string;
}

const invitePattern = /#invite=(cfi1_[0-9a-f]{16}_[0-9a-f]{64})\s*$/u;

/** Parses the address of a relay, or an invite link. Only the origin of the address is used. */
export function parseRelayAddress(text: string): Result<RelayAddress, BaseAddressProblem> {
  const invite = invitePattern.exec(text)?.[1];
  const address = parseBaseAddress(text.replace(/[?#].*/su, ''));
  if (!address.ok) return address;
  const relay = new URL(address.value.address).origin;
  return succeed(omitUndefined({ relay, invite }));
}

/** A relay's description of itself, not yet confirmed. */
export interface RelayInfo {
  readonly name: string;
  /** The public key that the team's settings are signed with; absent if there are no settings. */
  readonly settingsKey?: string;
}

const schema = v.object({
  counterfoil_relay: v.object({
    version: v.literal(1),
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
    settings_key: v.nullish(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u))),
  }),
});

/** Reads a relay's answer at `/.well-known/counterfoil-relay`; undefined for anything else. */
export function readRelayInfo(data: unknown): RelayInfo | undefined {
  const read = v.safeParse(schema, data);
  if (!read.success) return undefined;
  const { name, settings_key } = read.output.counterfoil_relay;
  return omitUndefined({ name, settingsKey: settings_key ?? undefined });
}

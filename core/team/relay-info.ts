import * as v from 'valibot';

import { omitUndefined } from '#core/omit-undefined';

/** Describes a relay as it introduces itself, before anything of it is confirmed. */
export interface RelayInfo {
  readonly name: string;
  /** The public key that the team's settings are signed with; absent where there are none. */
  readonly settingsKey?: string;
}

const schema = v.object({
  counterfoil_relay: v.object({
    version: v.literal(1),
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
    settings_key: v.nullish(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u))),
  }),
});

/** Reads what a relay answers at `/.well-known/counterfoil-relay`; undefined for anything else. */
export function readRelayInfo(data: unknown): RelayInfo | undefined {
  const read = v.safeParse(schema, data);
  if (!read.success) return undefined;
  const { name, settings_key } = read.output.counterfoil_relay;
  return omitUndefined({ name, settingsKey: settings_key ?? undefined });
}

import * as v from 'valibot';

import { teamSettingsPrefix } from '#core/keys/index';
import { type Ed25519Engine, verifySignature } from '#core/keys/ed25519';
import { type Bytes, bytesOfHex, parseStrictJson, utf8 } from '#core/encoding/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import {
  maxSettingsLength,
  readSettingsFile,
  type SettingsFile,
  type SettingsFileFault,
} from '#core/settings/index';
import { isThroughRelay } from '#core/connections/index';

/** The settings that a team's administrator signed. Moments are epoch milliseconds. */
export interface TeamSettings {
  /** Increases with each signing. */
  readonly version: number;
  /** The origin of the only relay that may distribute them. */
  readonly relay: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly settings: SettingsFile;
  /** Revoked public keys, 64 lower-case hexadecimal digits each. */
  readonly revokedKeys: readonly string[];
}

/** Settings as distributed by the relay, not yet verified. */
export interface SignedTeamSettings {
  /** The JSON text that was signed. */
  readonly payload: string;
  /** 128 hexadecimal digits. */
  readonly signature: string;
  /** The signer's public key, 64 lower-case hexadecimal digits. */
  readonly key: string;
}

export type TeamPayloadFault =
  | { readonly kind: 'not-team-settings' }
  /** The settings file in it cannot be read. */
  | { readonly kind: 'settings'; readonly fault: SettingsFileFault };

export type TeamSettingsFault =
  | TeamPayloadFault
  /** Signed by a key other than the one that the agent confirmed. */
  | { readonly kind: 'other-signer'; readonly key: string }
  | { readonly kind: 'wrong-signature' }
  /** Made for the relay at another address. */
  | { readonly kind: 'other-relay'; readonly relay: string }
  | { readonly kind: 'expired'; readonly at: number }
  /** Older than the version in use. */
  | { readonly kind: 'older-version'; readonly version: number };

/** The team settings that this browser already has. */
export interface KnownTeam {
  /** The relay's origin. */
  readonly relay: string;
  /** The signer's public key that the agent confirmed. */
  readonly settingsKey: string;
  /** The version in use; 0 for none. */
  readonly version: number;
}

const maxRevokedKeys = 1000;

const hexKey = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u));
const moment = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => Date.parse(text)),
  v.number(),
);

const signedSchema = v.object({
  payload: v.pipe(v.string(), v.maxLength(maxSettingsLength)),
  signature: v.pipe(v.string(), v.regex(/^[0-9a-f]{128}$/u)),
  key: hexKey,
});

const payloadSchema = v.strictObject({
  format: v.literal('counterfoil-team-settings'),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  relay: v.pipe(
    v.string(),
    v.check((text) => URL.canParse(text) && new URL(text).origin === text),
  ),
  issued_at: moment,
  expires_at: moment,
  settings: v.unknown(),
  revoked_keys: v.pipe(v.array(hexKey), v.maxLength(maxRevokedKeys)),
});

/** Reads signed settings from untrusted data; undefined if it is something else. */
export function readSignedSettings(data: unknown): SignedTeamSettings | undefined {
  const read = v.safeParse(signedSchema, data);
  return read.success ? read.output : undefined;
}

/** Returns the bytes that the administrator signs with Ed25519. */
export function teamSettingsInput(payload: string): Bytes {
  return utf8(`${teamSettingsPrefix}v1\n${payload}`);
}

/**
 * Parses the payload of signed settings. Refuses ambiguous JSON, unknown members, and a connection through the relay
 * that would put the token into a query.
 */
export function parseTeamSettings(payload: string): Result<TeamSettings, TeamPayloadFault> {
  const json = parseStrictJson(payload);
  if (!json.ok || json.value.oddities.length > 0) return fail({ kind: 'not-team-settings' });
  const read = v.safeParse(payloadSchema, json.value.value);
  if (!read.success) return fail({ kind: 'not-team-settings' });
  const { version, relay, issued_at, expires_at, revoked_keys } = read.output;
  const settings = readSettingsFile(read.output.settings);
  if (!settings.ok) return fail({ kind: 'settings', fault: settings.fault });
  const misplaced = settings.value.connections.findIndex(
    ({ baseAddress, dialect }) =>
      isThroughRelay(baseAddress, relay) && dialect.keyPlacement !== 'Authorization',
  );
  if (misplaced >= 0) {
    const path = `connections.${String(misplaced)}.dialect.keyPlacement`;
    return fail({ kind: 'settings', fault: { kind: 'unreadable', path } });
  }
  return succeed({
    version,
    relay,
    issuedAt: issued_at,
    expiresAt: expires_at,
    settings: settings.value,
    revokedKeys: revoked_keys,
  });
}

/**
 * Verifies signed settings: the confirmed signer, the signature, the relay that they are for, their expiry, and that
 * they are not older than the version in use.
 * @param now epoch milliseconds
 */
export async function verifyTeamSettings(
  { payload, signature, key }: SignedTeamSettings,
  known: KnownTeam,
  engine: Ed25519Engine,
  now: number,
): Promise<Result<TeamSettings, TeamSettingsFault>> {
  if (key !== known.settingsKey) return fail({ kind: 'other-signer', key });
  const publicKey = engine.fitKey(key);
  const signed = bytesOfHex(signature);
  if (
    publicKey === undefined ||
    signed === undefined ||
    !(await verifySignature(
      { publicKey, message: teamSettingsInput(payload), signature: signed },
      engine,
    ))
  )
    return fail({ kind: 'wrong-signature' });
  const parsed = parseTeamSettings(payload);
  if (!parsed.ok) return parsed;
  const { relay, expiresAt, version } = parsed.value;
  if (relay !== known.relay) return fail({ kind: 'other-relay', relay });
  if (now >= expiresAt) return fail({ kind: 'expired', at: expiresAt });
  if (version < known.version) return fail({ kind: 'older-version', version });
  return parsed;
}

/** Leaves out the privacy settings, which a team cannot set. */
export function withoutPrivacy(file: SettingsFile): Omit<SettingsFile, 'privacy'> {
  const { format, version, connections, authorities, sites, keys, templates } = file;
  return omitUndefined({ format, version, connections, authorities, sites, keys, templates });
}

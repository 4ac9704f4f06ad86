import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

import * as v from 'valibot';

import type { Encoding } from '#core/keys/index';

const year = 31_536_000;

/** The four encodings of a certificate that deployments use; the first is this authority's default. */
const certificateEncodings = ['token', 'jws', 'pair', 'member'] as const satisfies Encoding[];

/** The bytes that Ed25519 signs: the decoded payload, or the ASCII of the payload segment. */
const signingInputs = ['payload', 'segment'] as const;
export type SegmentInput = (typeof signingInputs)[number];

/** The choices that the spec leaves open (sections 2 and 8). */
export const AuthorityConfig = v.strictObject({
  /** From a certificate's issue to `next_validation_at`. */
  validationSeconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10 * year)),
  /** From `next_validation_at` to `grace_until`. */
  graceSeconds: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10 * year)),
  certificateEncoding: v.picklist(certificateEncodings),
  /** Applies to licenses, and to certificates in the encodings that have segments (a JWS signs its own way). */
  signingInput: v.picklist(signingInputs),
  /** `kid` among the claims (a JWS carries it in its header as well). */
  keyIdInPayload: v.boolean(),
  timeFormat: v.picklist(['iso', 'epoch-seconds']),
});
export type AuthorityConfig = v.InferOutput<typeof AuthorityConfig>;

export const defaultConfig: AuthorityConfig = {
  validationSeconds: 7 * 86_400,
  graceSeconds: 14 * 86_400,
  certificateEncoding: 'token',
  signingInput: 'payload',
  keyIdInPayload: true,
  timeFormat: 'iso',
};

/**
 * The tokens that are random for each database and stored in it, so that they survive a restart of the process.
 */
export interface Tokens {
  /** May call `issue`. */
  readonly marketplace: string;
  /** May call `revoke`. */
  readonly administrator: string;
  /** May call the control API. */
  readonly control: string;
}

/** Reads and writes the settings of one database. Reads at each use, since another process may have changed them. */
export interface SettingsStore {
  config(): AuthorityConfig;
  configure(change: Partial<AuthorityConfig>): AuthorityConfig;
  /** Returns how far this authority's clock is ahead of the real clock, in milliseconds. */
  clockOffset(): number;
  setClockOffset(offset: number): void;
  available(): boolean;
  setAvailable(available: boolean): void;
  readonly tokens: Tokens;
}

export function openSettings(database: DatabaseSync): SettingsStore {
  const select = database.prepare('SELECT value FROM authority_settings WHERE name = ?');
  const upsert = database.prepare(
    `INSERT INTO authority_settings (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  const insert = database.prepare('INSERT OR IGNORE INTO authority_settings VALUES (?, ?)');

  const read = (name: string): unknown => {
    const row = select.get(name) as { value: string } | undefined;
    return row === undefined ? undefined : (JSON.parse(row.value) as unknown);
  };
  const write = (name: string, value: unknown): void => {
    upsert.run(name, JSON.stringify(value));
  };
  const token = (name: string): string => {
    insert.run(`token:${name}`, JSON.stringify(`${name}-${randomBytes(24).toString('base64url')}`));
    return v.parse(v.string(), read(`token:${name}`));
  };
  let known: { readonly text: string; readonly config: AuthorityConfig } | undefined;
  const config = (): AuthorityConfig => {
    const row = select.get('config') as { value: string } | undefined;
    if (row === undefined) return defaultConfig;
    if (known?.text !== row.value) {
      const stored = v.safeParse(AuthorityConfig, JSON.parse(row.value));
      known = { text: row.value, config: stored.success ? stored.output : defaultConfig };
    }
    return known.config;
  };

  return {
    config,
    configure(change) {
      const changed = v.parse(AuthorityConfig, { ...config(), ...change });
      write('config', changed);
      return changed;
    },
    clockOffset: () => v.parse(v.optional(v.number(), 0), read('clock-offset')),
    setClockOffset(offset) {
      write('clock-offset', offset);
    },
    available: () => v.parse(v.optional(v.boolean(), true), read('available')),
    setAvailable(available) {
      write('available', available);
    },
    tokens: {
      marketplace: token('marketplace'),
      administrator: token('administrator'),
      control: token('control'),
    },
  };
}

import { generateKeyPairSync, sign } from 'node:crypto';

import { hexOf } from '#core/encoding/index';
import { type SignedTeamSettings, teamSettingsInput } from '#core/team/index';

/** Describes what a team's administrator signs. */
export interface TeamPayload {
  readonly version: number;
  readonly relay: string;
  readonly settings: object;
  readonly revokedKeys?: readonly string[];
  readonly expiresAt?: string;
}

export interface TeamSigner {
  /** The public key, 64 hexadecimal digits. */
  readonly key: string;
  sign(payload: TeamPayload): SignedTeamSettings;
}

/** Creates a key of a team's administrator. */
export function createTeamSigner(): TeamSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = hexOf(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  return {
    key,
    sign: ({ version, relay, settings, revokedKeys = [], expiresAt = '2099-01-01T00:00:00Z' }) => {
      const payload = JSON.stringify({
        format: 'counterfoil-team-settings',
        version,
        relay,
        issued_at: '2026-11-01T00:00:00Z',
        expires_at: expiresAt,
        settings: { format: 'counterfoil-settings', version: 2, ...settings },
        revoked_keys: revokedKeys,
      });
      return { payload, signature: hexOf(sign(null, teamSettingsInput(payload), privateKey)), key };
    },
  };
}

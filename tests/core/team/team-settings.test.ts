import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { hexOf } from '#core/encoding/index';
import { nobleEngine } from '#core/keys/ed25519';
import { fail, succeed } from '#core/result';
import {
  parseTeamSettings,
  readSignedSettings,
  teamSettingsInput,
  verifyTeamSettings,
} from '#core/team/team-settings';

const relay = 'https://relay.example';
const now = Date.parse('2026-11-22T08:00:00Z');
const revoked = 'a'.repeat(64);
const dialect = { ...defaultDialect, keyPlacement: 'Authorization' };
const connection = { id: 'shop', name: 'Shop', baseAddress: `${relay}/c/shop`, dialect };

function payloadWith(change: object = {}): string {
  return JSON.stringify({
    format: 'counterfoil-team-settings',
    version: 3,
    relay,
    issued_at: '2026-11-21T08:00:00.000Z',
    expires_at: '2026-12-21T08:00:00Z',
    settings: { format: 'counterfoil-settings', version: 2, connections: [connection] },
    revoked_keys: [revoked],
    ...change,
  });
}

function createSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  const key = hexOf(der.subarray(-32));
  return {
    key,
    sign: (payload: string, input = teamSettingsInput(payload)) => ({
      payload,
      signature: hexOf(sign(null, input, privateKey)),
      key,
    }),
  };
}

const signer = createSigner();
const known = { relay, settingsKey: signer.key, version: 2 };
const verify = (signed: ReturnType<typeof signer.sign>, team = known, moment = now) =>
  verifyTeamSettings(signed, team, nobleEngine(), moment);

describe('the payload of a team’s settings', () => {
  it('says where the account of each connection is', () => {
    const places = [
      { marketplace: 'envato' },
      { marketplace: 'gumroad' },
      { marketplace: 'lemon-squeezy', store: '4711' },
    ];
    const connections = places.map((place, at) => ({
      ...connection,
      id: `shop-${String(at)}`,
      baseAddress: `${relay}/c/shop-${String(at)}`,
      ...place,
    }));
    const settings = { format: 'counterfoil-settings', version: 2, connections };
    expect(parseTeamSettings(payloadWith({ settings }))).toMatchObject(
      succeed({ settings: { connections: places } }),
    );
  });

  it('is read whole', () => {
    expect(parseTeamSettings(payloadWith())).toMatchObject(
      succeed({
        version: 3,
        relay,
        revokedKeys: [revoked],
        issuedAt: Date.parse('2026-11-21T08:00:00Z'),
        expiresAt: Date.parse('2026-12-21T08:00:00Z'),
        settings: { version: 2, connections: [connection], authorities: [], keys: [] },
      }),
    );
  });

  it.each([
    ['another format', { format: 'counterfoil-settings' }],
    ['version 0', { version: 0 }],
    ['a version that is no whole number', { version: 1.5 }],
    ['a relay with a path', { relay: `${relay}/c/shop` }],
    ['a relay with a slash at its end', { relay: `${relay}/` }],
    ['a relay that is no address', { relay: 'relay' }],
    ['a moment that is no timestamp', { expires_at: 'tomorrow' }],
    ['a revoked key that is no key', { revoked_keys: ['abc'] }],
    ['a member of its own', { api_key: 'secret' }],
  ])('is refused with %s', (_, change) => {
    expect(parseTeamSettings(payloadWith(change))).toEqual(fail({ kind: 'not-team-settings' }));
  });

  it('is refused when readers of JSON disagree about it', () => {
    const twice = payloadWith().replace('"version":3', '"version":3,"version":4');
    expect(parseTeamSettings(twice)).toEqual(fail({ kind: 'not-team-settings' }));
  });

  it('is refused with a settings file that holds a secret', () => {
    const connections = [{ ...connection, apiKey: 'secret' }];
    const settings = { format: 'counterfoil-settings', version: 2, connections };
    expect(parseTeamSettings(payloadWith({ settings }))).toMatchObject(
      fail({ kind: 'settings', fault: { kind: 'unreadable' } }),
    );
  });

  it('is refused when a connection would put the token into a query', () => {
    const connections = [{ ...connection, dialect: defaultDialect }];
    const settings = { format: 'counterfoil-settings', version: 2, connections };
    expect(parseTeamSettings(payloadWith({ settings }))).toEqual(
      fail({
        kind: 'settings',
        fault: { kind: 'unreadable', path: 'connections.0.dialect.keyPlacement' },
      }),
    );
  });

  it('may hold a connection that does not go through the relay, in any dialect', () => {
    const connections = [
      { ...connection, baseAddress: 'https://market.example', dialect: defaultDialect },
    ];
    const settings = { format: 'counterfoil-settings', version: 2, connections };
    expect(parseTeamSettings(payloadWith({ settings })).ok).toBe(true);
  });
});

describe('signed settings', () => {
  it('are verified by the confirmed key', async () => {
    expect(await verify(signer.sign(payloadWith()))).toMatchObject(succeed({ version: 3 }));
  });

  it('are refused when they name another signer, whose signature holds', async () => {
    const other = createSigner();
    expect(await verify(other.sign(payloadWith()))).toEqual(
      fail({ kind: 'other-signer', key: other.key }),
    );
  });

  it('are refused when one character was changed', async () => {
    const signed = signer.sign(payloadWith());
    const changed = { ...signed, payload: signed.payload.replace('Shop', 'Shoq') };
    expect(await verify(changed)).toEqual(fail({ kind: 'wrong-signature' }));
  });

  it('are refused when the payload was signed for another purpose', async () => {
    const payload = payloadWith();
    const signed = signer.sign(payload, new TextEncoder().encode(payload));
    expect(await verify(signed)).toEqual(fail({ kind: 'wrong-signature' }));
  });

  it('are refused from another relay', async () => {
    const other = 'https://other.example';
    expect(await verify(signer.sign(payloadWith({ relay: other })))).toEqual(
      fail({ kind: 'other-relay', relay: other }),
    );
  });

  it('are refused from their expiry on', async () => {
    const at = Date.parse('2026-12-21T08:00:00Z');
    const signed = signer.sign(payloadWith());
    expect((await verify(signed, known, at - 1)).ok).toBe(true);
    expect(await verify(signed, known, at)).toEqual(fail({ kind: 'expired', at }));
  });

  it('are refused when they are older than the version in use, and read again when they are that version', async () => {
    expect(await verify(signer.sign(payloadWith({ version: 1 })))).toEqual(
      fail({ kind: 'older-version', version: 1 }),
    );
    expect((await verify(signer.sign(payloadWith({ version: 2 })))).ok).toBe(true);
  });

  it('are read from data that holds payload, signature and key alone', () => {
    const signed = signer.sign(payloadWith());
    expect(readSignedSettings({ ...signed, more: 1 })).toEqual(signed);
    expect(readSignedSettings({ ...signed, signature: 'ab' })).toBeUndefined();
    expect(readSignedSettings({ ...signed, key: signed.key.toUpperCase() })).toBeUndefined();
    expect(readSignedSettings(null)).toBeUndefined();
  });
});

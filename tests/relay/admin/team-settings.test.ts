import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nobleEngine } from '#core/keys/ed25519';
import { type SignedTeamSettings, verifyTeamSettings } from '#core/team/index';
import { runSigning } from '#relay/signing/signing';
import { callThrough, type RelayFiles, relayFiles } from '#tests/relay/support/relay';

let files: RelayFiles;
const relay = 'https://relay.test';
const now = Date.now();
const settings = {
  format: 'counterfoil-settings',
  version: 2,
  connections: [
    {
      id: '7b9d1a52-0000-4000-8000-000000000001',
      name: 'Shop',
      baseAddress: `${relay}/c/shop`,
      dialect: {
        encoding: 'form',
        keyPlacement: 'Authorization',
        proven: false,
        plainUserAgent: false,
        requestsPerMinute: 60,
      },
    },
  ],
};

const raw = 'a1'.repeat(32);
const fingerprint = createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex');
const publicKey = { raw, fingerprint, kind: 'live', label: 'Licenses 2026' };

beforeEach(() => {
  files = relayFiles();
  writeFileSync(path('settings.json'), JSON.stringify(settings));
  run('keygen', path('signer.pem'));
});
afterEach(() => {
  files.remove();
});

const path = (name: string): string => join(files.folder, name);

function run(...args: string[]): string {
  const printed: string[] = [];
  expect(runSigning(args, now, (line) => printed.push(line))).toBe(0);
  return printed.join('\n');
}

const sign = (version = 1, ...more: string[]): string =>
  run(
    'sign',
    '--key',
    path('signer.pem'),
    '--relay',
    relay,
    '--version',
    String(version),
    '--expires',
    new Date(now + 86_400_000).toISOString(),
    ...more,
    path('settings.json'),
  );

test('a signing key is written for its owner alone, never over another', () => {
  expect(statSync(path('signer.pem')).mode & 0o777).toBe(0o400);
  expect(() => run('keygen', path('signer.pem'))).toThrow('EEXIST');
  expect(run('keygen', path('other.pem'))).toMatch(
    /public key\t[0-9a-f]{64}\nfingerprint\t([0-9a-f]{4} ){15}/,
  );
});

test('signed settings are what the extension verifies', async () => {
  const revoked = 'AB'.repeat(32);
  const signed = JSON.parse(sign(3, '--revoke', revoked)) as SignedTeamSettings;
  const known = { relay, settingsKey: signed.key, version: 2 };
  const verified = await verifyTeamSettings(signed, known, nobleEngine(), now);
  expect(verified).toMatchObject({
    ok: true,
    value: { version: 3, relay, issuedAt: now, revokedKeys: [revoked.toLowerCase()] },
  });
});

/** Returns the text of the settings with these public keys. */
function withKeys(...keys: readonly object[]): string {
  return JSON.stringify({ ...settings, keys });
}

test('a settings file may begin with a byte order mark, and its keys need not say that they hold', () => {
  writeFileSync(path('settings.json'), `\uFEFF${withKeys(publicKey)}`);
  expect(JSON.parse(sign())).toHaveProperty('signature');
});

test.each([
  ['a file that is no settings file', '{"format":"other"}', 'cannot be read: not-settings'],
  [
    'a token that would stand in a query',
    JSON.stringify(settings).replace('Authorization', 'parameter'),
    'cannot be read at connections.0.dialect.keyPlacement',
  ],
  [
    'a secret',
    JSON.stringify(settings).replace('"name"', '"apiKey":"x","name"'),
    'cannot be read at connections.0.apiKey',
  ],
  ['a file with a comma too many', '{"format":"counterfoil-settings",}', 'is not valid JSON: '],
  ['a public key that is none', withKeys({ raw: 'xyz' }), 'cannot be read at keys.0.raw'],
  [
    'a public key of a kind that nobody knows',
    withKeys(publicKey, { ...publicKey, kind: 'prod' }),
    'cannot be read at keys.1.kind',
  ],
  [
    'a public key with the fingerprint of another',
    withKeys(publicKey, { ...publicKey, fingerprint: '0'.repeat(64) }),
    'The fingerprint at keys.1.fingerprint is of another key',
  ],
])('%s is not signed', (_what, text, sentence) => {
  writeFileSync(path('settings.json'), text);
  expect(() => sign()).toThrow(sentence);
});

test.each([
  ['--version', '0'],
  ['--version', '1.5'],
  ['--relay', 'http://relay.test'],
  ['--relay', 'https://relay.test/path'],
  ['--expires', '2020-01-01'],
  ['--revoke', 'abc'],
])('%s %s is refused', (name, value) => {
  expect(() => sign(1, name, value)).toThrow(name);
});

test('a draft for the relay’s own connections is ready to be signed', async () => {
  await files.connect('shop', 'https://market.test', 'key-0123456789', '--name Shop');
  await expect(files.admin('settings draft')).rejects.toThrow('RELAY_ORIGIN');
  const draft = await files.admin('settings draft', '', relay);
  expect(JSON.parse(draft)).toMatchObject({
    connections: [{ id: 'shop', name: 'Shop', baseAddress: `${relay}/c/shop` }],
  });
  writeFileSync(path('settings.json'), draft);
  expect(JSON.parse(sign())).toHaveProperty('signature');
});

test.each([
  ['10', '1', 600],
  ['7', '60', 7],
  ['100000', '1', 6000],
  ['2', '86400', 1],
])(
  'a draft says the relay’s limit: %s in %s s are %i a minute',
  async (limit, window, expected) => {
    const options = `--limit ${limit} --window ${window}`;
    await files.connect('shop', 'https://market.test', 'key-0123456789', options);
    const draft = await files.admin('settings draft', '', relay);
    expect(JSON.parse(draft)).toMatchObject({
      connections: [{ dialect: { requestsPerMinute: expected } }],
    });
  },
);

describe('settings that are given to the relay', () => {
  test('are handed to agents as they were signed', async () => {
    const signed = sign();
    await files.connect('shop', 'https://market.test', 'key-0123456789');
    expect(await files.admin('settings show')).toBe('There are no settings for the team.');
    expect(await files.admin('settings set', signed)).toContain('Version 1 is offered');
    const shown = await files.admin('settings show');
    expect(shown).toContain(`"relay": "${relay}"`);
    expect(shown).toContain(`${relay}/c/shop`);

    const started = await files.start();
    const token = await files.join('ada@fenwick.test');
    const given = await callThrough(started.origin, token, '/relay/v1/settings');
    const wellKnown = await fetch(`${started.origin}/.well-known/counterfoil-relay`);
    await started.stop();
    expect(await given.json()).toEqual({ settings: JSON.parse(signed) as unknown });
    const { key } = JSON.parse(signed) as SignedTeamSettings;
    expect(await wellKnown.json()).toMatchObject({ counterfoil_relay: { settings_key: key } });
  });

  test('are shown with each of their parts', async () => {
    const template = {
      id: 't',
      situation: 'lapsed',
      language: 'en',
      name: 'Renew',
      text: 'Renew.',
    };
    const whole = {
      ...settings,
      authorities: [
        { id: 'l', name: 'Licenses', address: 'https://l.test', kind: 'live', products: [] },
      ],
      sites: [{ origin: 'https://desk.test', automatic: false }],
      keys: [publicKey, { ...publicKey, label: 'Old', revoked: true }],
      templates: { format: 'plain', templates: [template] },
    };
    writeFileSync(path('settings.json'), JSON.stringify(whole));
    const given = await files.admin('settings set', `\uFEFF${sign()}`);
    expect(given).toContain('Version 1 is offered');
    const shown = await files.admin('settings show');
    const payload = JSON.parse(shown.slice(shown.indexOf('{'))) as { readonly settings: unknown };
    expect(payload.settings).toEqual(whole);
  });

  test('rise in version', async () => {
    await files.admin('settings set', sign(2));
    await expect(files.admin('settings set', sign(1))).rejects.toThrow('not higher than 2');
    await expect(files.admin('settings set', sign(2))).rejects.toThrow('not higher than 2');
    expect(await files.admin('settings set', sign(3))).toContain('Version 3');
  });

  test('are signed by the same key, unless another is meant', async () => {
    await files.admin('settings set', sign(1));
    run('keygen', path('other.pem'));
    const other = sign(2, '--key', path('other.pem'));
    await expect(files.admin('settings set', other)).rejects.toThrow('another key');
    expect(await files.admin('settings set --new-signer', other)).toContain('Version 2');
  });

  test('are refused when they were changed, or are none', async () => {
    const changed = sign().replace('Shop', 'Shap');
    await expect(files.admin('settings set', changed)).rejects.toThrow('signature is wrong');
    const unsigned = readFileSync(path('settings.json'), 'utf8');
    await expect(files.admin('settings set', unsigned)).rejects.toThrow('"settings sign" wrote');
  });
});

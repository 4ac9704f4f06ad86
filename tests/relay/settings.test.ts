import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readRelayInfo } from '#core/team/index';
import { readSettings } from '#relay/settings';

const least = { RELAY_DATABASE: 'relay.db' };

test('an empty variable counts as one that is not set', () => {
  const names = ['HOST', 'PORT', 'METRICS_PORT', 'NAME', 'ORIGIN', 'LOG_LEVEL', 'NOTICE_MS'];
  const empty = Object.fromEntries(names.map((name) => [`RELAY_${name}`, '']));
  // As JSON, without the functions.
  const settings = JSON.stringify(readSettings({ ...least, ...empty }));
  expect(settings).toBe(JSON.stringify(readSettings(least)));
  expect(settings).toContain('"host":"127.0.0.1"');
});

test('a name is no longer than a browser takes from a relay', () => {
  const { name } = readSettings({ ...least, RELAY_NAME: 'Team '.repeat(100) });
  const info = readRelayInfo({ counterfoil_relay: { version: 1, name, settings_key: null } });
  expect(info?.name).toMatch(/^Team Team/);
});

describe('what cannot be read is named, with what it should be', () => {
  test.each<[environment: Record<string, string>, sentence: string]>([
    [{}, 'RELAY_DATABASE is not set: it names the file'],
    [{ ...least, DATABASE_URL: 'postgres://x@127.0.0.1/x' }, 'are both set'],
    [{ DATABASE_URL: 'mysql://x@127.0.0.1/x' }, 'DATABASE_URL is no address such as postgres://'],
    [{ DATABASE_URL: 'postgres://x@/x?host=/run' }, 'DATABASE_URL is no address such as'],
    [{ ...least, RELAY_PORT: '80a' }, 'RELAY_PORT is a whole number, 0 to 65535, and not "80a"'],
    [{ ...least, RELAY_LOG_LEVEL: 'verbose' }, 'RELAY_LOG_LEVEL is one of trace'],
    [{ ...least, RELAY_ORIGIN: 'http://relay.test' }, 'RELAY_ORIGIN is "http://relay.test"'],
  ])('%o', (environment, sentence) => {
    expect(() => readSettings(environment)).toThrow(sentence);
  });

  test('a master key that no variable names', () => {
    expect(() => readSettings(least).keyring()).toThrow('RELAY_MASTER_KEY is not set: it names');
  });

  test.skipIf(process.platform === 'win32')('a secret that everybody may read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'relay-settings-'));
    const file = join(folder, 'secret');
    writeFileSync(file, 'secret-of-the-provider\n');
    const provider = (more: Readonly<Record<string, string>> = {}) =>
      readSettings({
        ...least,
        RELAY_ORIGIN: 'https://relay.test',
        RELAY_OIDC_ISSUER: 'https://login.test',
        RELAY_OIDC_CLIENT_ID: 'relay',
        RELAY_OIDC_CLIENT_SECRET_FILE: file,
        ...more,
      }).openId;
    const openId = provider();
    for (const mode of [0o444, 0o404, 0o442, 0o441]) {
      chmodSync(file, mode);
      expect(openId).toThrow('can be read by everybody: chmod 440 it');
    }
    chmodSync(file, 0o440);
    expect(openId()).toMatchObject({
      clientSecret: 'secret-of-the-provider',
      scope: 'openid email',
      identifiedBy: 'email',
      groups: undefined,
    });
    expect(
      provider({ RELAY_OIDC_ROLES: 'lead = cn=Leads,dc=x ; agent=Support' })()?.groups,
    ).toEqual({
      claim: 'groups',
      roles: [
        { role: 'lead', group: 'cn=Leads,dc=x' },
        { role: 'agent', group: 'Support' },
      ],
    });
    expect(provider({ RELAY_OIDC_ROLES: 'lead' })).toThrow('must be ROLE=GROUP; ROLE=GROUP.');
    expect(provider({ RELAY_OIDC_IDENTITY: 'oid' })).toThrow(
      'is one of email, object-id, and not "oid"',
    );
    rmSync(folder, { recursive: true });
  });

  test('a provider without the relay’s own address', () => {
    const { openId } = readSettings({ ...least, RELAY_OIDC_ISSUER: 'https://login.test' });
    expect(openId).toThrow('RELAY_ORIGIN is not set: it is the address');
  });
});

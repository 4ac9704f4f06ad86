import { describe, expect, test } from 'vitest';

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

describe('what cannot be read is named, with what it should be', () => {
  test.each<[environment: Record<string, string>, sentence: string]>([
    [{}, 'RELAY_DATABASE is not set: it names the file'],
    [{ ...least, DATABASE_URL: 'postgres://x@127.0.0.1/x' }, 'are both set'],
    [{ DATABASE_URL: 'mysql://x@127.0.0.1/x' }, 'DATABASE_URL is no address such as postgres://'],
    [{ DATABASE_URL: 'postgres://x@/x?host=/run' }, 'DATABASE_URL is no address such as'],
    [{ ...least, RELAY_PORT: '80a' }, 'RELAY_PORT is "80a", and must be 0 to 65535'],
    [{ ...least, RELAY_LOG_LEVEL: 'verbose' }, 'RELAY_LOG_LEVEL is "verbose", and must be one of'],
    [{ ...least, RELAY_ORIGIN: 'http://relay.test' }, 'RELAY_ORIGIN is "http://relay.test"'],
  ])('%o', (environment, sentence) => {
    expect(() => readSettings(environment)).toThrow(sentence);
  });

  test('a master key that no variable names', () => {
    expect(() => readSettings(least).keyring()).toThrow('RELAY_MASTER_KEY is not set: it names');
  });

  test('a provider without the relay’s own address', () => {
    const { openId } = readSettings({ ...least, RELAY_OIDC_ISSUER: 'https://login.test' });
    expect(openId).toThrow('RELAY_ORIGIN is not set: it is the address');
  });
});

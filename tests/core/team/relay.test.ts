import { expect, test } from 'vitest';

import { succeed } from '#core/result';
import { isThroughRelay } from '#core/connections/index';
import { parseRelayAddress, readRelayInfo } from '#core/team/relay';
import { mayPass, needsKeys } from '#core/team/team';

const invite = `cfi1_${'0'.repeat(16)}_${'a'.repeat(64)}`;
const relay = 'https://relay.example';

test.each([
  [relay, { relay }],
  [`${relay}/c/market?x=1#top`, { relay }],
  [`${relay}/#invite=${invite}`, { relay, invite }],
  [`${relay}/#invite=${invite} \n`, { relay, invite }],
  [`${relay}/#invite=${invite}0`, { relay }],
  [`${relay}/#invite=x${invite}`, { relay }],
  [`${relay}/\n#invite=${invite}`, { relay, invite }],
])('%j leads to its origin, with the invite of a link', (text, address) => {
  expect(parseRelayAddress(text)).toEqual(succeed(address));
});

test('an address without protection leads nowhere', () => {
  expect(parseRelayAddress('http://relay.example')).toMatchObject({ ok: false });
});

test('a connection goes through the relay by its path', () => {
  expect(isThroughRelay(`${relay}/c/market`, relay)).toBe(true);
  expect(isThroughRelay(`${relay}/market`, relay)).toBe(false);
  expect(isThroughRelay(`${relay}.other/c/market`, relay)).toBe(false);
});

test.each([
  [{ version: 1, name: 'Ours' }, { name: 'Ours' }],
  [{ version: 1, name: 'Ours', settings_key: null }, { name: 'Ours' }],
  [
    { version: 1, name: 'Ours', settings_key: 'a'.repeat(64) },
    { name: 'Ours', settingsKey: 'a'.repeat(64) },
  ],
  [{ version: 2, name: 'Ours' }, undefined],
  [{ version: 1, name: '' }, undefined],
  [{ version: 1, name: 'x'.repeat(200) }, { name: 'x'.repeat(200) }],
  [{ version: 1, name: 'x'.repeat(201) }, undefined],
  [{ version: 1, name: 'Ours', settings_key: `${'a'.repeat(64)}a` }, undefined],
  [{ version: 1, name: 'Ours', settings_key: `x${'a'.repeat(64)}` }, undefined],
  [{ version: 1, name: 'Ours', settings_key: 'A'.repeat(64) }, undefined],
])('%j introduces a relay, or nothing', (answer, info) => {
  expect(readRelayInfo({ counterfoil_relay: answer })).toEqual(info);
});

test('anything else introduces no relay', () => {
  expect(readRelayInfo(undefined)).toBeUndefined();
  expect(readRelayInfo({})).toBeUndefined();
});

test.each(['offline', 'unreachable', 'timeout', 'rate-limited', 'relay-unavailable'])(
  'a relay that was %s may answer the next time',
  (kind) => {
    expect(mayPass({ kind })).toBe(true);
    expect(needsKeys({ kind })).toBe(false);
  },
);

test.each(['locked', 'unlock-to-join'])(
  '%s asks for the keys, and passes not by itself',
  (kind) => {
    expect(needsKeys({ kind })).toBe(true);
    expect(mayPass({ kind })).toBe(false);
  },
);

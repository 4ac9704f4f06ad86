import { expect, it } from 'vitest';

import type { PinnedKey } from '#core/keys/index';
import { succeed } from '#core/result';
import type { Ask } from '#messaging/index';
import type { PolicyState } from '#core/policy/index';
import { pinnedKeyOf } from '#tests/core/keys/pinned-key';
import { pinPolicyKeys, syncPinnedKeys } from '#stores/policy/sync-pinned-keys';
import { noEntries } from '#core/settings-import/index';

const stateOf = (...keys: PinnedKey[]): PolicyState => ({
  policy: {
    format: 'counterfoil-settings',
    version: 2,
    connections: [],
    authorities: [],
    sites: [],
    keys,
  },
  locked: noEntries,
  fault: null,
});
const noPolicy: PolicyState = { policy: null, locked: noEntries, fault: null };

function ringOf(...present: PinnedKey[]) {
  let keys: readonly PinnedKey[] = present;
  let writes = 0;
  return {
    read: () => Promise.resolve([...keys]),
    change: (change: (all: readonly PinnedKey[]) => readonly PinnedKey[]) => {
      keys = change(keys);
      writes += 1;
      return Promise.resolve(succeed([...keys]));
    },
    now: () => keys,
    writes: () => writes,
  };
}

it('the keys of a policy are pinned, and go with it', async () => {
  const ring = ringOf(pinnedKeyOf('a'));
  await pinPolicyKeys(ring, stateOf(pinnedKeyOf('b')));
  expect(ring.now()).toEqual([pinnedKeyOf('b', { byPolicy: true }), pinnedKeyOf('a')]);
  await pinPolicyKeys(ring, noPolicy);
  expect(ring.now()).toEqual([pinnedKeyOf('a')]);
});

it('a ring that holds them already is not written', async () => {
  const ring = ringOf(pinnedKeyOf('b', { byPolicy: true }));
  await pinPolicyKeys(ring, stateOf(pinnedKeyOf('b')));
  const own = ringOf(pinnedKeyOf('a'));
  await pinPolicyKeys(own, noPolicy);
  expect([ring.writes(), own.writes()]).toEqual([0, 0]);
});

it('the verifier pins them before it asks the team', async () => {
  const ring = ringOf();
  const asked: string[] = [];
  const ask = ((topic: string) => {
    asked.push(topic);
    return Promise.resolve(
      topic === 'policy.state'
        ? stateOf(pinnedKeyOf('b'))
        : { joined: null, signedIn: false, signIn: null },
    );
  }) as Ask;
  await syncPinnedKeys(ask, ring, 0);
  expect(ring.now()).toEqual([pinnedKeyOf('b', { byPolicy: true })]);
  expect(asked).toEqual(['policy.state', 'team.state']);
});

it('the keys stay while the policy in force cannot be read, as after an update', async () => {
  const ring = ringOf(pinnedKeyOf('b', { byPolicy: true }));
  await pinPolicyKeys(ring, { ...noPolicy, fault: { kind: 'not-json' } });
  expect(ring.now()).toEqual([pinnedKeyOf('b', { byPolicy: true })]);
  expect(ring.writes()).toBe(0);
});

import { beforeEach, describe, expect, it } from 'vitest';

import type { PinnedKey } from '#core/keys/index';
import { succeed } from '#core/result';
import type { Ask } from '#messaging/index';
import { syncPinnedKeys } from '#stores/policy/sync-pinned-keys';
import { createTeamSigner } from '#tests/support/team-signer';
import { noEntries } from '#core/settings-import/index';

const relay = 'https://relay.example';
const now = Date.parse('2026-11-22T08:00:00Z');
const signer = createTeamSigner();
const pinned = (raw: string): PinnedKey => ({
  id: raw,
  label: raw.slice(0, 4),
  raw,
  fingerprint: raw,
  revoked: false,
  kind: 'live',
});
const [stolen, kept] = ['a'.repeat(64), 'b'.repeat(64)];

let keys: readonly PinnedKey[];
const ring = {
  read: () => Promise.resolve([...keys]),
  change: (change: (all: readonly PinnedKey[]) => readonly PinnedKey[]) => {
    keys = change(keys);
    return Promise.resolve(succeed([...keys]));
  },
};
const revokedNow = (): string[] => keys.flatMap(({ raw, revoked }) => (revoked ? [raw] : []));

/** A worker of a browser that confirmed this signer, and whose relay hands out these settings. */
function workerWith(settingsKey: string | undefined, settings: unknown): Ask {
  const joined = {
    id: 'x',
    relay,
    name: 'Fenwick',
    email: '',
    version: 1,
    added: noEntries,
    ...(settingsKey !== undefined && { settingsKey }),
  };
  const replies: Record<string, unknown> = {
    'policy.state': { policy: null, locked: noEntries, fault: null },
    'team.state': { joined, signedIn: true, signIn: null },
    'team.settings': succeed(settings),
  };
  return ((topic: string) => Promise.resolve(replies[topic])) as Ask;
}

const signed = signer.sign({ version: 2, relay, settings: {}, revokedKeys: [stolen] });

describe('the team’s revoked keys', () => {
  beforeEach(() => {
    keys = [pinned(stolen), pinned(kept)];
  });

  it('are revoked here as well, and no others', async () => {
    await syncPinnedKeys(workerWith(signer.key, signed), ring, now);
    expect(revokedNow()).toEqual([stolen]);
  });

  it('are not believed of another signer', async () => {
    const stranger = createTeamSigner();
    const theirs = stranger.sign({ version: 2, relay, settings: {}, revokedKeys: [kept] });
    await syncPinnedKeys(workerWith(signer.key, theirs), ring, now);
    expect(revokedNow()).toEqual([]);
  });

  it('are not believed while no signer is confirmed', async () => {
    await syncPinnedKeys(workerWith(undefined, signed), ring, now);
    expect(revokedNow()).toEqual([]);
  });

  it('are none where the relay hands out no settings', async () => {
    await syncPinnedKeys(workerWith(signer.key, null), ring, now);
    expect(revokedNow()).toEqual([]);
  });
});

import { expect, test } from 'vitest';

import { fingerprintOf, type PinnedKey } from '#core/keys/index';
import { bytesOfHex } from '#core/encoding/index';
import type { ReplyTemplate } from '#core/reply-templates/index';
import { fail, succeed } from '#core/result';
import type { JoinedTeam } from '#core/team/index';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import { historySettingsPort } from '#stores/settings/ports';
import { relayInfoPort, tabsPort, teamChangesPort } from '#stores/team/ports';
import { useTeam } from '#stores/team/team';
import { keyRingPort, verifyPort } from '#stores/verifier/ports';
import { createMemoryReplies } from '#tests/stores/reply-templates/memory-replies';
import { type Script, scriptedWorker } from '#tests/stores/scripted-worker';
import { createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';
import { withPorts } from '#tests/stores/with-ports';
import { createTeamSigner } from '#tests/support/team-signer';
import { defaultHistorySettings } from '#core/preferences/index';
import { noEntries } from '#core/settings-import/index';

const relay = 'https://relay.example';
const signer = createTeamSigner();
const raw = 'a'.repeat(64);
const fingerprint = fingerprintOf(bytesOfHex(raw) ?? new Uint8Array());
const oldKey: PinnedKey = {
  raw: 'b'.repeat(64),
  id: 'old',
  fingerprint: 'old',
  label: 'Old',
  revoked: false,
  kind: 'live',
};
const template: ReplyTemplate = {
  id: 'theirs',
  name: 'Theirs',
  text: 'Hello',
  language: 'en',
  situation: 'supported',
};
const lists = {
  connections: { added: [], changed: [] },
  authorities: { added: [], changed: [] },
  sites: { added: [], changed: [] },
  headersKept: 0,
  kindsKept: 0,
};

/** Says what cannot be stored. */
interface Failing {
  ringFails?: boolean;
  applyFails?: boolean;
  finishFails?: boolean;
}

/**
 * A browser that has joined a team whose first settings brought an old key, and whose newer ones hold a new key and a
 * template.
 */
function joined(failing: Failing, own: readonly ReplyTemplate[] = [], script: Script = {}) {
  const ring = createMemoryKeyRing([oldKey]);
  const replies = createMemoryReplies({ format: 'plain', templates: own });
  const settings = {
    keys: [{ raw, fingerprint, id: fingerprint, label: 'Licenses', revoked: false, kind: 'live' }],
    templates: { format: 'plain', templates: [template] },
  };
  const signed = signer.sign({ version: 2, relay, settings });
  let team: JoinedTeam = {
    id: 'x',
    relay,
    name: 'Fenwick',
    email: '',
    settingsKey: signer.key,
    version: 1,
    added: { ...noEntries, keys: [oldKey.raw] },
  };
  const worker = scriptedWorker({
    'team.state': () => ({ joined: team, signedIn: true, signIn: null }),
    'team.settings': () => succeed(signed),
    'team.apply': ({ adds }) => {
      const keys = [...team.added.keys, ...adds.keys];
      team = { ...team, added: { ...team.added, ...adds, keys } };
      return failing.applyFails === true
        ? fail({ kind: 'storage-full' })
        : succeed({ ...lists, notStored: [] });
    },
    'team.leave': () => ({ revoked: true }),
    'team.finish': ({ version }) => {
      if (failing.finishFails === true) return fail({ kind: 'storage-full' });
      team = { ...team, version };
      return succeed(null);
    },
    'connections.list': () => [],
    'authorities.list': () => [],
    'sites.list': () => [],
    'settings.preview': () => succeed(lists),
    'policy.state': () => ({ policy: null, locked: noEntries, fault: null }),
    ...script,
  });
  const pinia = withPorts({
    ask: worker.ask,
    provide: (app) =>
      app
        .provide(keyRingPort, {
          ...ring,
          change: (change) =>
            failing.ringFails === true
              ? Promise.resolve(fail({ kind: 'not-stored' }))
              : ring.change(change),
        })
        .provide(verifyPort, {
          size: 1,
          ask: () => Promise.resolve({ ok: true, value: { raw, fingerprint } } as never),
        })
        .provide(replyTemplatesPort, () => Promise.resolve(replies))
        .provide(historySettingsPort, { settings: () => Promise.resolve(defaultHistorySettings) })
        .provide(relayInfoPort, () => Promise.resolve(fail({ kind: 'no-relay' })))
        .provide(tabsPort, {
          isOpen: () => Promise.resolve(true),
          watchClosed: () => () => undefined,
        })
        .provide(teamChangesPort, () => () => undefined),
  });
  return { team: useTeam(pinia), ring, replies, worker };
}

test('settings that are applied bring their keys and templates', async () => {
  const { team, ring, worker } = joined({});
  await team.load();
  await team.apply();
  expect(team).toMatchObject({ done: 'applied', fault: undefined, difference: undefined });
  expect(await ring.read()).toMatchObject([{ raw }]);
  expect(worker.bodies('team.apply')).toMatchObject([
    { file: { templates: { templates: [template] } } },
  ]);
});

test.each([{ ringFails: true }, { applyFails: true }, { finishFails: true }])(
  'settings are not called applied where a part was not stored, and can be applied again: %o',
  async (failing: Failing) => {
    const { team, ring } = joined(failing);
    await team.load();
    await team.apply();
    expect(team).toMatchObject({ done: undefined, fault: { kind: 'storage-full' } });
    failing.ringFails = failing.applyFails = failing.finishFails = false;
    await team.apply();
    expect(team).toMatchObject({ done: 'applied', fault: undefined, difference: undefined });
    expect(await ring.read()).toMatchObject([{ raw }]);
  },
);

test('a template of the same id in another language stays the agent’s', async () => {
  const german = { ...template, language: 'de' };
  const { team, replies, worker } = joined({}, [german]);
  await team.load();
  await team.apply();
  expect(worker.bodies('team.apply')).toMatchObject([{ adds: { templates: ['theirs en'] } }]);
  await team.leave();
  expect(replies.written.at(-1)?.templates).toEqual([german]);
});

test('a key that an earlier try has removed is forgotten by the next', async () => {
  const failing: Failing = { finishFails: true };
  const { team, ring, worker } = joined(failing);
  await team.load();
  await team.apply();
  failing.finishFails = false;
  await team.apply();
  expect(worker.bodies('team.finish').at(-1)).toMatchObject({ removes: { keys: [oldKey.raw] } });
  expect(await ring.read()).toMatchObject([{ raw }]);
});

test.each(['apply', 'leave', 'signInAgain'] as const)(
  'when the worker never answers, %s leaves nothing busy and can be asked for again',
  async (deed) => {
    const silent = () => Promise.reject(new Error('silent'));
    const script: Script = { 'team.apply': silent, 'team.leave': silent, 'team.join': silent };
    const { team } = joined({}, [], script);
    await team.load();
    await expect(team[deed]()).rejects.toThrow('silent');
    expect(team.busy).toBe(false);
    await expect(team[deed]()).rejects.toThrow('silent');
    expect(team.done).toBeUndefined();
  },
);

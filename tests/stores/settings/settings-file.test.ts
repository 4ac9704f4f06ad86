import { expect, test } from 'vitest';

import type { PinnedKey } from '#core/keys/index';
import { fail, succeed } from '#core/result';
import { recentChecksPort } from '#stores/check/index';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';
import { useSettingsFile } from '#stores/settings/settings-file';
import { useDiagnostics } from '#stores/settings/diagnostics';
import { historySettingsPort, programPort } from '#stores/settings/ports';
import { keyRingPort } from '#stores/verifier/ports';
import { connection, faulty } from '#tests/stores/check/samples';
import { createMemoryReplies } from '#tests/stores/reply-templates/memory-replies';
import { type Script, scriptedWorker } from '#tests/stores/scripted-worker';
import { createMemoryKeyRing } from '#tests/stores/verifier/verifier-ports';
import { withPorts } from '#tests/stores/with-ports';
import { defaultHistorySettings } from '#core/preferences/index';
import { forSharedSwitches } from '#core/settings/index';
import { noEntries } from '#core/settings-import/index';
import { pinnedKeyOf } from '#tests/core/keys/pinned-key';

const nothing = { added: [], changed: [] };
const lists = {
  connections: nothing,
  authorities: nothing,
  sites: nothing,
  headersKept: 0,
  kindsKept: 0,
};
const keyOf = (digit: string): PinnedKey =>
  pinnedKeyOf(digit, { id: digit, label: `Key ${digit}` });
const key = keyOf('1');

/** Opens the settings file over a worker with nothing in its lists. */
function opened(script: Script = {}) {
  const replies = createMemoryReplies();
  const worker = scriptedWorker({
    'connections.list': () => [],
    'authorities.list': () => [],
    'sites.list': () => [],
    'settings.export': () => ({ connections: [], authorities: [], sites: [] }),
    'settings.preview': () => succeed(lists),
    'settings.import': () => succeed({ ...lists, notStored: [] }),
    'policy.state': () => ({ policy: null, locked: noEntries, fault: null }),
    ...script,
  });
  const pinia = withPorts({
    ask: worker.ask,
    provide: (app) =>
      app
        .provide(keyRingPort, createMemoryKeyRing([key]))
        .provide(replyTemplatesPort, () => Promise.resolve(replies))
        .provide(historySettingsPort, { settings: () => Promise.resolve(defaultHistorySettings) })
        .provide(programPort, {
          version: '1.2.3',
          browser: 'Chromium',
          fromSource: () => Promise.resolve(true),
          restart: () => undefined,
          reload: () => undefined,
        })
        .provide(recentChecksPort, {
          watch: () => undefined,
          read: () =>
            Promise.resolve([
              {
                code: 'canary-code',
                checks: [
                  {
                    connectionId: 'market',
                    report: faulty(
                      { code: 'canary-code', connectionId: 'market' },
                      { kind: 'timeout', afterMs: 1 },
                    ),
                  },
                  { connectionId: 'demo' },
                ],
              },
            ]),
          change: () => Promise.resolve(),
          stored: () => Promise.resolve([]),
        }),
  });
  return { pinia, settings: useSettingsFile(pinia), worker, replies: replies.written };
}

const fileOf = (content: object): Blob =>
  new Blob([JSON.stringify({ format: 'counterfoil-settings', version: 2, ...content })]);

test('an export is JSON that an import reads, and finds nothing new in', async () => {
  const { settings } = opened();
  const text = await settings.exportText();
  expect(JSON.parse(text)).toMatchObject({
    format: 'counterfoil-settings',
    version: 2,
    keys: [{ raw: key.raw }],
    privacy: { ...forSharedSwitches(() => true), history: defaultHistorySettings },
  });
  expect(text).not.toContain('remembered');
  await settings.open(new Blob([text]));
  expect(settings.preview).toMatchObject({ lists, keys: [], privacy: [] });
});

test('the customers that a language is remembered for are in no file, and a file that names some is refused', async () => {
  const { settings, replies, pinia } = opened();
  const customers = [{ domain: 'customer.example', language: 'de' }];
  await useReplyTemplateSettings(pinia).change(() => ({ format: 'plain', customers }));
  expect(await settings.exportText()).not.toContain('customer');
  const strangers = [{ domain: 'stranger.example', language: 'ja' }];
  await settings.open(fileOf({ templates: { format: 'markdown', customers: strangers } }));
  expect(settings.fault).toEqual({ kind: 'unreadable', path: 'templates.customers' });
  expect(settings.preview).toBeUndefined();
  expect(replies.at(-1)).toEqual({ format: 'plain', customers });
});

test('a file is imported only once its preview is accepted', async () => {
  const { settings, worker, replies } = opened();
  const template = {
    id: 'a',
    situation: 'lapsed',
    language: 'en',
    name: 'Renew',
    text: 'Please renew.',
  };
  const privacy = {
    pictures: false,
    maskCodes: true,
    selectionAtOnce: true,
    history: { ...defaultHistorySettings, days: 7 },
  };
  await settings.open(
    fileOf({ templates: { format: 'markdown', templates: [template] }, privacy }),
  );
  expect(settings.preview?.privacy).toEqual([
    { setting: 'pictures', value: false },
    { setting: 'days', value: 7 },
  ]);
  expect(settings.preview?.templates).toMatchObject({ added: ['Renew'], otherFormat: true });
  expect(worker.bodies('settings.import')).toEqual([]);
  expect(replies).toEqual([]);
  await settings.apply();
  expect(worker.bodies('settings.import')).toHaveLength(1);
  // The worker stores all of it, and applies the policy over it.
  expect(worker.bodies('policy.state')).toEqual([]);
  expect(settings.imported?.notStored).toEqual([]);
  expect(replies).toEqual([]);
});

test('a key is to be confirmed when the ring lacks it, or the file alone revokes it', async () => {
  const { settings } = opened();
  const other = keyOf('2');
  await settings.open(fileOf({ keys: [key, other, { raw: 'no key' }] }));
  expect(settings.preview?.keys.map(({ raw }) => raw)).toEqual([other.raw]);
  await settings.open(fileOf({ keys: [{ ...key, revoked: true }] }));
  expect(settings.preview?.keys.map(({ raw }) => raw)).toEqual([key.raw]);
});

test('what a full disk kept out is named', async () => {
  const { settings } = opened({
    'settings.import': () => succeed({ ...lists, notStored: ['privacy', 'templates'] }),
  });
  await settings.open(fileOf({ templates: { format: 'markdown' } }));
  await settings.apply();
  expect(settings.imported?.notStored).toEqual(['privacy', 'templates']);
});

test('a file that the worker cannot store imports nothing', async () => {
  const { settings, replies } = opened({
    'settings.import': () => fail({ kind: 'storage-full' }),
  });
  await settings.open(fileOf({ templates: { format: 'markdown' } }));
  await settings.apply();
  expect(settings.fault).toEqual({ kind: 'storage-full' });
  expect(replies).toEqual([]);
});

test.each([
  ['text that is no JSON', new Blob(['<html>'])],
  ['another JSON', new Blob(['{"a":1}'])],
  ['a huge file', new Blob([new Uint8Array(2_097_153)])],
])('%s is no settings file, and the worker is not even asked', async (_, file) => {
  const { settings, worker } = opened();
  await settings.open(file);
  expect(settings.fault).toEqual({ kind: 'not-settings' });
  expect(worker.asked).toEqual([]);
});

test('diagnostics hold states and faults, and no code, name or address', async () => {
  const { pinia } = opened({
    'connections.list': () => [
      connection({ name: 'canary-name', baseAddress: 'https://canary.example' }),
    ],
    'sites.list': () => [{ origin: 'https://canary.example', automatic: true, permitted: true }],
    'secrets.state': () => ({ mode: 'device', locked: false, lockAfterMinutes: 15 }),
    'unreadable.list': () => ({
      records: [{ id: 'one', source: 'jobs', path: '$', name: 'canary-job' }],
      newer: false,
    }),
  });
  const text = await useDiagnostics(pinia).text();
  expect(text).toContain('Counterfoil 1.2.3');
  expect(text).toContain('Latest checks: timeout');
  expect(text).not.toContain('canary');
});

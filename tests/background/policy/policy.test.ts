import { createHash } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { recentChecksName } from '#adapters/storage/kept-answers';
import { marketplaceIds } from '#core/marketplaces/index';
import type { ReplyTemplate } from '#core/reply-templates/index';
import { fail, succeed } from '#core/result';
import { codes as lemonSqueezyCodes, store as ownStore } from '#sandbox/marketplaces/lemon-squeezy';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { defaultHistorySettings } from '#core/preferences/index';
import { noEntries } from '#core/settings-import/index';
import { deriveInOneRound } from '#tests/support/one-round';

deriveInOneRound();

const known = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';
const passphrase = 'correct horse battery';

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

const market = (changes: object = {}) => ({
  id: 'market',
  name: 'Market',
  baseAddress: `${harness.sandbox.origin}/market`,
  ...changes,
});
const authority = {
  id: 'licenses',
  name: 'Licenses',
  address: 'https://licenses.example',
  kind: 'live',
  products: [],
};
const desk = { origin: 'https://desk.example', automatic: true };
const template: ReplyTemplate = {
  id: 'lapsed-en',
  situation: 'lapsed',
  language: 'en',
  name: 'Ours',
  text: 'Renew.',
};
const policyOf = (parts: object): string =>
  JSON.stringify({ format: 'counterfoil-settings', version: 2, ...parts });

const state = () => harness.ask('policy.state', {});
const connections = () => harness.ask('connections.list', {});
const check = () => harness.ask('check', { connectionId: 'market', code: known, fresh: true });
const stored = async (key: string): Promise<unknown> => (await harness.local.get(key))[key];
/** Enters a key at a connection, as the options page does. */
const enterKey = async (apiKey: string) => {
  const [connection] = await connections();
  const { id, name, baseAddress, dialect } = connection ?? expect.unreachable();
  return harness.ask('connections.save', { id, name, baseAddress, dialect, apiKey });
};

describe('without a policy', () => {
  it('nothing is set, and nothing is stored', async () => {
    expect(await state()).toEqual({
      policy: null,
      locked: noEntries,
      fault: null,
    });
    expect(await stored('policy')).toBeUndefined();
  });
});

describe('the lists of a policy', () => {
  it('are there as soon as it is, and go with it; what the agent added stays', async () => {
    await harness.connect('/demo', { name: 'Mine' });
    await harness.setPolicy(
      policyOf({ connections: [market()], authorities: [authority], sites: [desk] }),
    );
    expect(await connections()).toMatchObject([
      { name: 'Mine' },
      { id: 'market', name: 'Market', hasKey: false, dialect: { proven: false } },
    ]);
    expect(await harness.ask('authorities.list', {})).toMatchObject([authority]);
    expect(await harness.ask('sites.list', {})).toMatchObject([desk]);
    expect((await state()).locked).toEqual({
      connections: ['market'],
      authorities: ['licenses'],
      sites: ['https://desk.example'],
      keys: [],
      templates: [],
    });

    await harness.setPolicy(undefined);
    expect(await connections()).toMatchObject([{ name: 'Mine' }]);
    expect(await harness.ask('authorities.list', {})).toEqual([]);
    expect(await harness.ask('sites.list', {})).toEqual([]);
    expect(await state()).toMatchObject({ policy: null, fault: null });
  });

  it('say where a connection’s account is, which the agent who enters the key cannot change', async () => {
    const { origin, tokens } = harness.sandbox;
    const place = { marketplace: 'lemon-squeezy', store: ownStore } as const;
    const baseAddress = `${origin}/lemon-squeezy`;
    const others = ['envato', 'gumroad'].map((marketplace) => ({
      id: marketplace,
      name: marketplace,
      marketplace,
      baseAddress: `${origin}/${marketplace}`,
    }));
    await harness.setPolicy(
      policyOf({ connections: [{ ...market({ baseAddress }), ...place }, ...others] }),
    );
    const [connection] = await connections();
    const { id, name, dialect } = connection ?? expect.unreachable();
    const apiKey = tokens['/lemon-squeezy'].whole;
    const draft = { id, name, baseAddress, dialect, apiKey, store: '815' };
    await harness.ask('connections.save', { ...draft, marketplace: 'gumroad' });
    expect(await connections()).toMatchObject([
      { ...place, hasKey: true },
      { marketplace: 'envato' },
      { marketplace: 'gumroad' },
    ]);
    const { active: code, otherStore } = lemonSqueezyCodes;
    const checked = (asked: string) =>
      harness.ask('check', { connectionId: id, code: asked, fresh: true });
    expect(await checked(code)).toMatchObject({ outcome: { value: { kind: 'purchase' } } });
    expect(await checked(otherStore)).toMatchObject({ outcome: { value: { kind: 'not-found' } } });
  });

  it.each(marketplaceIds)('connect %s, which answers once its key is entered', async (id) => {
    const { origin, tokens } = harness.sandbox;
    const { store, codes } = emulations[id];
    const place = { marketplace: id, ...(store !== undefined && { store }) };
    const baseAddress = `${origin}/${id}`;
    await harness.setPolicy(policyOf({ connections: [market({ baseAddress, ...place })] }));
    const [connection] = await connections();
    expect(connection).toMatchObject(place);
    const { name, dialect } = connection ?? expect.unreachable();
    const draft = { id: 'market', name, baseAddress, dialect, ...place };
    const saved = await harness.ask('connections.save', {
      ...draft,
      apiKey: tokens[`/${id}`].whole,
    });
    expect(saved).toMatchObject({ ok: true });
    const [code = ''] = Object.values(codes);
    expect(await harness.ask('check', { connectionId: 'market', code, fresh: true })).toMatchObject(
      { outcome: { value: { kind: 'purchase' } } },
    );
  });

  it('stay while the browser does not say what its policy is', async () => {
    await harness.setPolicy(policyOf({ connections: [market()] }));
    await harness.setPolicy(new Error('silent'));
    expect(await connections()).toMatchObject([{ id: 'market' }]);
    // An import has it applied again.
    const nothing = { connections: [], authorities: [], sites: [] };
    const file = { format: 'counterfoil-settings', version: 2, ...nothing };
    expect(await harness.ask('settings.import', { file })).toMatchObject({ ok: true });
    expect((await state()).locked.connections).toEqual(['market']);
  });

  it('are found by a worker that starts, and applied once', async () => {
    await harness.setPolicy(policyOf({ connections: [market()] }));
    const [before] = await connections();
    await harness.restart();
    expect(await connections()).toEqual([before]);
  });

  it('lock a connection but for its key, which each agent enters', async () => {
    await harness.setPolicy(policyOf({ connections: [market()] }));
    const [connection] = await connections();
    const { id, dialect } = connection ?? expect.unreachable();
    const saved = await harness.ask('connections.save', {
      id,
      name: 'Elsewhere',
      baseAddress: 'https://evil.example',
      dialect: { ...dialect, keyPlacement: 'Authorization' },
      apiKey: harness.sandbox.keys['/market'],
    });
    expect(saved).toMatchObject({
      value: { ...market(), hasKey: true, dialect: { keyPlacement: 'parameter' } },
    });
    expect(await check()).toMatchObject({ outcome: { ok: true } });
    expect(await harness.ask('connections.delete', { id })).toEqual(
      fail({ kind: 'set-by-policy' }),
    );
    expect(await harness.ask('connections.detect', { id, code: known })).toMatchObject({
      ok: false,
    });
    expect(await connections()).toHaveLength(1);
  });

  it('lock authorities and help desks, and leave those of the agent alone', async () => {
    const refused = { ok: false, fault: { kind: 'set-by-policy' } };
    const expected = { ...desk, expectedItem: { itemId: 7, name: 'Lantern' } };
    await harness.setPolicy(policyOf({ authorities: [authority], sites: [expected] }));
    const { origin } = desk;
    expect(await harness.ask('authorities.delete', { id: 'licenses' })).toEqual(refused);
    expect(
      await harness.ask('authorities.save', { ...authority, kind: 'live', name: 'Other' }),
    ).toEqual(refused);
    expect(await harness.ask('sites.remove', { origin })).toEqual(refused);
    expect(await harness.ask('sites.set-automatic', { origin, on: false })).toEqual(refused);
    expect(await harness.ask('sites.set-expected-item', { origin, item: null })).toEqual(refused);
    const own = 'https://own.example';
    await harness.ask('sites.allow', { origin: own });
    expect(await harness.ask('sites.remove', { origin: own })).toMatchObject({ ok: true });
  });

  it('leave the expected item of a help desk to the agent where they name none', async () => {
    const { origin } = desk;
    const item = { itemId: 7, name: 'Lantern' };
    await harness.setPolicy(policyOf({ sites: [desk] }));
    expect(await harness.ask('sites.set-expected-item', { origin, item })).toMatchObject({
      value: [{ ...desk, expectedItem: item }],
    });
    await harness.setPolicy(policyOf({ sites: [desk], language: 'de' }));
    expect(await harness.ask('sites.list', {})).toMatchObject([{ expectedItem: item }]);
    await harness.setPolicy(policyOf({ sites: [{ ...desk, expectedItem: item }] }));
    expect(await harness.ask('sites.set-expected-item', { origin, item: null })).toMatchObject({
      ok: false,
    });
  });

  it('expect the item of the connection as the agent has it', async () => {
    const { id } = await harness.connect('/market', { name: 'Market' });
    const expectedItem = { connectionId: 'market', itemId: 7, name: 'Lantern' };
    await harness.setPolicy(
      policyOf({ connections: [market()], sites: [{ ...desk, expectedItem }] }),
    );
    expect(id).not.toBe('market');
    expect(await harness.ask('sites.list', {})).toMatchObject([
      { expectedItem: { ...expectedItem, connectionId: id } },
    ]);
  });

  it('take over a connection of the same name and address with its key, and give it back', async () => {
    const { id } = await harness.connect('/market', { name: 'Market' });
    await harness.setPolicy(policyOf({ connections: [market()] }));
    expect(await connections()).toMatchObject([{ id, hasKey: true }]);
    expect(await harness.ask('connections.delete', { id })).toMatchObject({ ok: false });
    await harness.setPolicy(undefined);
    expect(await connections()).toMatchObject([{ id, hasKey: true }]);
    expect(await harness.ask('connections.delete', { id })).toMatchObject({ ok: true });
  });

  it('are locked for who changes them while they are applied', async () => {
    const { id, name, baseAddress, dialect } = await harness.connect('/market', { name: 'Market' });
    await harness.ask('authorities.save', { ...authority, kind: 'live' });
    const applied = harness.setPolicy(
      policyOf({ connections: [market()], authorities: [authority], sites: [desk] }),
    );
    const draft = { id, name: `${name} of mine`, baseAddress, dialect };
    const saved = harness.ask('connections.save', draft);
    const deleted = harness.ask('connections.delete', { id });
    await applied;
    expect(await saved).toMatchObject({ value: { name: 'Market' } });
    expect(await deleted).toEqual(fail({ kind: 'set-by-policy' }));
    expect(await connections()).toMatchObject([{ id, name: 'Market' }]);
  });

  it('keep the key of a connection that is renamed, and let one at another address start anew', async () => {
    await harness.setPolicy(policyOf({ connections: [market()] }));
    await enterKey(harness.sandbox.keys['/market']);
    await harness.setPolicy(policyOf({ connections: [market({ name: 'Bazaar' })] }));
    expect(await connections()).toMatchObject([{ name: 'Bazaar', hasKey: true }]);
    const moved = market({ baseAddress: `${harness.sandbox.origin}/demo` });
    await harness.setPolicy(policyOf({ connections: [moved] }));
    expect(await connections()).toMatchObject([
      { ...moved, id: expect.any(String) as string, hasKey: false },
    ]);
  });

  it('stay when the browser says only once that there is no policy', async () => {
    const settings = policyOf({ connections: [market()] });
    await harness.setPolicy(settings);
    await enterKey(harness.sandbox.keys['/market']);
    harness.hidePolicy(1);
    await harness.restart();
    expect(await connections()).toMatchObject([{ id: 'market', hasKey: true }]);
  });

  it('come back with their key when the policy was away for a moment', async () => {
    const settings = policyOf({ connections: [market()] });
    await harness.setPolicy(settings);
    await enterKey(harness.sandbox.keys['/market']);
    await harness.setPolicy(undefined);
    expect(await connections()).toEqual([]);
    await harness.setPolicy(settings);
    expect(await connections()).toMatchObject([{ id: 'market', hasKey: true }]);
    await harness.setPolicy(undefined);
    harness.pass(60_000);
    await harness.runAlarms();
    await harness.setPolicy(settings);
    expect(await connections()).toMatchObject([{ id: 'market', hasKey: false }]);
  });

  it('are as the policy says again after an import and after everything was erased', async () => {
    await harness.setPolicy(policyOf({ connections: [market()] }));
    const file = {
      format: 'counterfoil-settings',
      version: 2,
      ...(await harness.ask('settings.export', {})),
    };
    const [first] = file.connections;
    const renamed = { ...file, connections: [{ ...first, name: 'Other' }] };
    expect(await harness.ask('settings.import', { file: renamed })).toMatchObject({ ok: true });
    expect(await connections()).toMatchObject([{ id: 'market', name: 'Market' }]);
    await harness.ask('settings.erase', {});
    expect(await connections()).toMatchObject([{ id: 'market', name: 'Market' }]);
  });
});

describe('the settings of a policy', () => {
  const privacy = {
    pictures: false,
    maskCodes: true,
    selectionAtOnce: false,
    history: { ...defaultHistorySettings, days: 7 },
  };

  it('are stored over those of the agent, and stay when it goes', async () => {
    await harness.local.set({ preferences: { theme: 'dark', pictures: true, version: 1 } });
    await harness.setPolicy(policyOf({ privacy, language: 'de' }));
    const expected = { theme: 'dark', pictures: false, selectionAtOnce: false, language: 'de' };
    expect(await stored('preferences')).toMatchObject(expected);
    expect(await harness.history.settings()).toEqual(privacy.history);
    await harness.setPolicy(undefined);
    expect(await stored('preferences')).toMatchObject(expected);
  });

  it('count more than those of a file, over which the policy is applied once', async () => {
    const templates = { format: 'plain', templates: [template] };
    await harness.setPolicy(policyOf({ privacy, templates }));
    const applied = vi.spyOn(harness.local, 'set');
    const file = {
      format: 'counterfoil-settings',
      version: 2,
      connections: [],
      authorities: [],
      sites: [],
      templates: { format: 'markdown', templates: [{ ...template, text: 'Of the file.' }] },
      privacy: { ...privacy, pictures: true, history: { ...privacy.history, days: 30 } },
    };
    expect(await harness.ask('settings.import', { file })).toMatchObject(
      succeed({ notStored: [] }),
    );
    expect(await stored('preferences')).toMatchObject({ pictures: false });
    expect(await stored('reply-templates')).toMatchObject({ templates: [template] });
    expect((await harness.history.settings()).days).toBe(7);
    const begun = () =>
      applied.mock.calls.filter(([values]) => JSON.stringify(values).includes('begun'));
    expect(begun()).toHaveLength(1);
    // A page that asks what the policy sets has nothing applied again.
    await state();
    expect(begun()).toHaveLength(1);
  });

  it('leave reply templates that a page stores while they are applied', async () => {
    const set = harness.local.set.bind(harness.local);
    const own = { ...template, id: 'own', name: 'Mine' };
    vi.spyOn(harness.local, 'set').mockImplementationOnce(async (values) => {
      await set({ 'reply-templates': { format: 'plain', templates: [own], version: 1 } });
      await set(values);
    });
    const templates = { format: 'plain', templates: [template] };
    await harness.setPolicy(policyOf({ privacy, templates }));
    expect(await stored('reply-templates')).toMatchObject({ templates: [template, own] });
  });

  it('erase a history that may not be kept', async () => {
    await harness.setPolicy(policyOf({ connections: [market()] }));
    await enterKey(harness.sandbox.keys['/market']);
    await check();
    expect(await harness.history.latest(10)).toHaveLength(1);
    const none = { ...privacy, history: { ...defaultHistorySettings, days: 0 } };
    await harness.session.set({ [recentChecksName]: [{ code: 'x', checks: [] }] });
    await harness.setPolicy(policyOf({ connections: [market()], privacy: none }));
    expect(await harness.history.latest(10)).toEqual([]);
    expect(await harness.session.get(recentChecksName)).toEqual({});
  });

  it('bring reply templates, which go with it', async () => {
    const own = { ...template, id: 'own', name: 'Mine' };
    await harness.local.set({
      'reply-templates': { format: 'markdown', templates: [own], version: 1 },
    });
    const templates = { format: 'plain', templates: [template] };
    await harness.setPolicy(policyOf({ templates }));
    expect(await stored('reply-templates')).toMatchObject({
      format: 'plain',
      templates: [template, own],
    });
    expect((await state()).locked.templates).toEqual([`${template.id} en`]);
    await harness.setPolicy(undefined);
    expect(await stored('reply-templates')).toMatchObject({ templates: [own] });
  });

  it('bring reply templates beside the agent’s own of the same id in another language', async () => {
    const german = { ...template, language: 'de' };
    await harness.local.set({
      'reply-templates': { format: 'plain', templates: [german], version: 1 },
    });
    const templates = { format: 'plain', templates: [template] };
    await harness.setPolicy(policyOf({ templates }));
    await harness.setPolicy(policyOf({ templates, language: 'de' }));
    expect(await stored('reply-templates')).toMatchObject({ templates: [template, german] });
    await harness.setPolicy(undefined);
    expect(await stored('reply-templates')).toMatchObject({ templates: [german] });
  });
});

describe('a policy with a fault', () => {
  const wrong = 'b2'.repeat(32);
  it.each([
    ['a number', 7, { kind: 'not-text' }],
    ['no JSON', '{', { kind: 'not-json' }],
    ['an unreadable part', policyOf({ sites: [{ origin: 'x' }] }), 'sites.0.origin'],
    [
      'an API key',
      policyOf({ connections: [{ apiKey: 'canary' }] }),
      { kind: 'holds-secret', path: 'connections.0.apiKey' },
    ],
    [
      'a wrong fingerprint',
      policyOf({ keys: [{ raw: wrong, fingerprint: wrong, kind: 'live' }] }),
      { kind: 'wrong-fingerprint', path: 'keys.0.fingerprint' },
    ],
  ])('(%s) changes nothing, and the one before stays in force', async (_, settings, fault) => {
    await harness.setPolicy(policyOf({ connections: [market()] }));
    await harness.setPolicy(settings);
    expect(await state()).toMatchObject({
      policy: { connections: [market()] },
      locked: { connections: ['market'] },
      fault: typeof fault === 'string' ? { kind: 'unreadable', path: fault } : fault,
    });
    expect(await connections()).toMatchObject([market()]);
    expect(JSON.stringify(await harness.local.get(null))).not.toContain('canary');
  });

  it('is not in force while the disk is full, and whole when there is room', async () => {
    harness.setDiskFull(true);
    const settings = policyOf({ connections: [market()], sites: [desk], language: 'de' });
    await harness.setPolicy(settings);
    expect(await state()).toMatchObject({
      policy: null,
      locked: noEntries,
      fault: { kind: 'storage-full' },
    });
    expect(await connections()).toEqual([]);
    expect(await stored('preferences')).toBeUndefined();
    harness.setDiskFull(false);
    // Whoever asks what is set has nothing applied; the next start does.
    expect(await state()).toMatchObject({ policy: null, fault: { kind: 'storage-full' } });
    await harness.restart();
    expect(await state()).toMatchObject({ policy: { language: 'de' }, fault: null });
    expect(await connections()).toMatchObject([market()]);
  });

  it('is not in force while its history setting cannot be stored, and goes as a whole afterwards', async () => {
    const privacy = {
      pictures: false,
      maskCodes: true,
      selectionAtOnce: false,
      history: { ...defaultHistorySettings, days: 0 },
    };
    vi.spyOn(harness.history, 'changeSettings').mockRejectedValueOnce(new Error('Full.'));
    await harness.setPolicy(policyOf({ connections: [market()], sites: [desk], privacy }));
    expect(await state()).toMatchObject({ policy: null, fault: { kind: 'storage-full' } });
    expect(await connections()).toEqual([]);
    await harness.restart();
    expect(await state()).toMatchObject({ policy: { privacy }, fault: null });
    expect(await harness.history.settings()).toMatchObject({ days: 0 });
    await harness.setPolicy(undefined);
    expect(await connections()).toEqual([]);
    expect(await harness.ask('sites.list', {})).toEqual([]);
  });

  it.each(['preferences', 'policy'])(
    'is not in force while its %s cannot be stored, and what it brought by then is not the agent’s',
    async (part) => {
      const set = harness.local.set.bind(harness.local);
      const refusing = vi.spyOn(harness.local, 'set').mockImplementation((values) => {
        const isIntent = JSON.stringify(values).includes('begun');
        return part in values && !isIntent
          ? Promise.reject(new Error('Quota exceeded.'))
          : set(values);
      });
      const settings = policyOf({ connections: [market()], sites: [desk], language: 'de' });
      await harness.setPolicy(settings).catch(() => undefined);
      expect(await state()).toMatchObject({
        policy: null,
        locked: noEntries,
        fault: { kind: 'storage-full' },
      });
      expect(await connections()).toEqual([]);
      expect(await harness.ask('sites.list', {})).toEqual([]);
      refusing.mockRestore();
      await harness.restart();
      expect(await state()).toMatchObject({ locked: { connections: ['market'] }, fault: null });
      await harness.setPolicy(undefined);
      expect(await connections()).toEqual([]);
      expect(await harness.ask('sites.list', {})).toEqual([]);
    },
  );

  it.each([
    ['goes', undefined],
    ['is another', policyOf({ language: 'de' })],
  ])(
    'takes what it brought with it when the worker was stopped while it was applied and it then %s',
    async (_, next) => {
      await harness.connect('/demo', { name: 'Mine' });
      harness.granted.add('https://desk.example/*');
      // A stopped worker takes no further step.
      harness.ticket.whileStarting = () => Promise.withResolvers<never>().promise;
      void harness.setPolicy(policyOf({ connections: [market()], sites: [desk], language: 'es' }));
      await expect.poll(() => harness.ticket.started).toHaveLength(1);
      harness.ticket.whileStarting = () => Promise.resolve();
      harness.changePolicy(next);
      await harness.restart();
      expect(await connections()).toMatchObject([{ name: 'Mine' }]);
      expect(await harness.ask('sites.list', {})).toEqual([]);
    },
  );

  it('is applied again where an import or an erasure was broken off', async () => {
    await harness.setPolicy(policyOf({ connections: [market()] }));
    const file = {
      format: 'counterfoil-settings',
      version: 2,
      ...(await harness.ask('settings.export', {})),
    };
    const [first] = file.connections;
    const renamed = { ...file, connections: [{ ...first, name: 'Other' }], sites: [desk] };
    harness.granted.add('https://desk.example/*');
    harness.ticket.whileStarting = () => Promise.reject(new Error('No script.'));
    await expect(harness.ask('settings.import', { file: renamed })).rejects.toThrow('No script.');
    expect(await connections()).toMatchObject([{ id: 'market', name: 'Market' }]);
  });

  it('is one with more templates than fit beside the own ones', async () => {
    const own = Array.from({ length: 200 }, (_, at) => ({ ...template, id: `own-${String(at)}` }));
    await harness.local.set({
      'reply-templates': { format: 'plain', templates: own, version: 1 },
    });
    await harness.setPolicy(policyOf({ templates: { format: 'plain', templates: [template] } }));
    expect((await state()).fault).toEqual({ kind: 'unreadable', path: 'templates' });
  });
});

it('a public key whose fingerprint is right is handed to the pages', async () => {
  const raw = 'a1'.repeat(32);
  const fingerprint = createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex');
  await harness.setPolicy(policyOf({ keys: [{ raw, fingerprint, kind: 'live' }] }));
  expect((await state()).policy?.keys).toEqual([
    { id: fingerprint, label: '', raw, fingerprint, kind: 'live', revoked: false },
  ]);
});

describe('a policy that demands a passphrase', () => {
  const demand = () =>
    policyOf({
      connections: [market()],
      keyStorage: { mode: 'passphrase', lockAfterMinutes: 7 },
    });
  const setMode = (mode: 'device' | 'passphrase' | 'session') =>
    harness.ask('secrets.set-mode', { mode, passphrase });

  it('lets no key be stored before there is one', async () => {
    await harness.setPolicy(demand());
    expect(await enterKey('canary-key')).toEqual(fail({ kind: 'key-storage-demanded' }));
    expect(await setMode('session')).toEqual(fail({ kind: 'set-by-policy' }));
    expect(await setMode('passphrase')).toMatchObject({
      value: { mode: 'passphrase', locked: false, lockAfterMinutes: 7 },
    });
    expect(await enterKey(harness.sandbox.keys['/market'])).toMatchObject({ ok: true });
    expect(await check()).toMatchObject({ outcome: { ok: true } });
    expect(await setMode('device')).toEqual(fail({ kind: 'set-by-policy' }));
  });

  it('lets a key that was stored otherwise rest until there is one', async () => {
    await harness.connect('/market', { name: 'Market' });
    await harness.setPolicy(demand().replace('"market"', '"other"'));
    const [connection] = await connections();
    const { id = '' } = connection ?? {};
    const again = () => harness.ask('check', { connectionId: id, code: known, fresh: true });
    expect(await again()).toMatchObject({
      outcome: fail({ kind: 'no-key', reason: 'key-storage-demanded' }),
    });
    expect(await setMode('passphrase')).toMatchObject({ ok: true });
    expect(await again()).toMatchObject({ outcome: { ok: true } });
  });

  it('sets the time of the lock when the passphrase is typed next', async () => {
    await setMode('passphrase');
    await harness.ask('secrets.lock', {});
    await harness.setPolicy(demand());
    expect(await harness.ask('secrets.unlock', { passphrase })).toMatchObject({
      value: { locked: false, lockAfterMinutes: 7 },
    });
  });

  it('holds after the worker was started again', async () => {
    await harness.setPolicy(demand());
    await harness.restart();
    expect(await enterKey('canary-key')).toMatchObject({ ok: false });
  });
});

it('a policy that demands keys for one session moves those that are stored', async () => {
  const { id } = await harness.connect('/market', { name: 'Market' });
  await harness.setPolicy(policyOf({ keyStorage: { mode: 'session' } }));
  expect(await harness.ask('secrets.state', {})).toMatchObject({ mode: 'session' });
  expect(await harness.ask('check', { connectionId: id, code: known, fresh: true })).toMatchObject({
    outcome: { ok: true },
  });
});

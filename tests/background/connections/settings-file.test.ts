import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Dialect, defaultDialect } from '#core/connections/index';
import { marketplaceIds } from '#core/marketplaces/index';
import { fail } from '#core/result';
import type { SharedConnection } from '#core/settings/index';
import type { Reply } from '#messaging/index';
import { store as ownStore } from '#sandbox/marketplaces/lemon-squeezy';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { defaultHistorySettings } from '#core/preferences/index';
import { deriveInOneRound } from '#tests/support/one-round';

deriveInOneRound();

const known = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';
const other = 'ffffffff-c3e4-457a-8873-d20a7b8c74df';

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

/** The settings file of the harness, as the options page writes it. */
const exported = async () => ({
  format: 'counterfoil-settings',
  version: 2,
  ...(await harness.ask('settings.export', {})),
});
const importFile = (file: object) => harness.ask('settings.import', { file });

/** What an import says when it changes connections alone. */
function outcome(
  connections: { added?: string[]; changed?: string[] },
  headersKept = 0,
): Reply<'settings.import'> {
  const nothing = { added: [], changed: [] };
  return {
    ok: true,
    value: {
      connections: { ...nothing, ...connections },
      authorities: nothing,
      sites: nothing,
      headersKept,
      kindsKept: 0,
      notStored: [],
    },
  };
}

const names = async (): Promise<string[]> =>
  (await harness.ask('connections.list', {})).map(({ name }) => name);
const check = (connectionId: string) =>
  harness.ask('check', { connectionId, code: known, fresh: false });

describe('a settings file', () => {
  it('holds connections and no key, and makes the same team elsewhere', async () => {
    await harness.connect('/market', { name: 'Market', apiKey: 'canary-key' });
    await harness.connect('/demo', { name: 'Demo' });
    const file = await exported();
    expect(JSON.stringify(file)).not.toContain('canary');

    const other = await createWorkerHarness();
    expect(await other.ask('settings.import', { file })).toEqual(
      outcome({ added: ['Market', 'Demo'] }),
    );
    expect(await other.ask('connections.list', {})).toMatchObject([
      { name: 'Market', hasKey: false },
      { name: 'Demo', hasKey: false },
    ]);
    expect(await other.ask('settings.import', { file })).toEqual(outcome({}));
    await other.close();
  });

  it('says of each connection on which marketplace it is, and for which store', async () => {
    await harness.connect('/demo', { name: 'Demo' });
    for (const marketplace of marketplaceIds)
      await harness.ask('connections.save', {
        name: marketplace,
        marketplace,
        ...(marketplace === 'lemon-squeezy' && { store: ownStore }),
        baseAddress: `${harness.sandbox.origin}/${marketplace}`,
        apiKey: `canary-${marketplace}`,
        dialect: { ...defaultDialect, keyPlacement: 'Authorization' },
      });
    const file = await exported();
    expect(JSON.stringify(file)).not.toContain('canary');

    const other = await createWorkerHarness();
    await other.ask('settings.import', { file });
    const places = (await other.ask('connections.list', {})).map(({ marketplace, store }) => ({
      marketplace,
      store,
    }));
    expect(places).toEqual([
      { marketplace: undefined, store: undefined },
      ...marketplaceIds.map((marketplace) => ({
        marketplace,
        store: marketplace === 'lemon-squeezy' ? ownStore : undefined,
      })),
    ]);
    expect(await other.ask('settings.import', { file })).toEqual(outcome({}));
    await other.close();
  });

  it('changes name and dialect of the same connection and leaves its key', async () => {
    const { id } = await harness.connect('/market');
    const file = await exported();
    const changed = {
      ...file,
      connections: file.connections.map((one: SharedConnection) => ({ ...one, name: 'Theirs' })),
    };
    expect(await importFile(changed)).toEqual(outcome({ changed: ['Theirs'] }));
    expect(await harness.ask('connections.list', {})).toMatchObject([
      { id, name: 'Theirs', revision: 2, hasKey: true },
    ]);
  });

  it('never sends an existing connection elsewhere', async () => {
    const { id, baseAddress } = await harness.connect('/market');
    const file = await exported();
    const forged = {
      ...file,
      connections: file.connections.map((one: SharedConnection) => ({
        ...one,
        baseAddress: 'https://evil.example',
      })),
    };
    await harness.ask('settings.import', { file: forged });
    const [mine, theirs] = await harness.ask('connections.list', {});
    expect(mine).toMatchObject({ id, baseAddress, hasKey: true });
    expect(theirs).toMatchObject({ baseAddress: 'https://evil.example', hasKey: false });
    expect(theirs?.id).not.toBe(id);
  });

  describe('that says how a key is sent', () => {
    const header = { ...defaultDialect, keyPlacement: 'X-API-Key' } as const;
    const imported = async (dialect: Partial<Dialect>) => {
      const file = await exported();
      const connections = file.connections.map((one: SharedConnection) => ({
        ...one,
        dialect: { ...one.dialect, ...dialect },
      }));
      return harness.ask('settings.import', { file: { ...file, connections } });
    };

    it('never turns the header of a stored key into a parameter, and says so', async () => {
      const { id } = await harness.connect('/dialect/header-only', { dialect: header });
      expect(await imported({ keyPlacement: 'parameter', requestsPerMinute: 30 })).toEqual(
        outcome({ changed: ['/dialect/header-only'] }, 1),
      );
      expect(await harness.ask('connections.list', {})).toMatchObject([
        { id, hasKey: true, dialect: { keyPlacement: 'X-API-Key', requestsPerMinute: 30 } },
      ]);
      await harness.requests();
      await check(id);
      const sent = JSON.stringify(
        (await harness.requests()).map(({ query, body }) => query + body),
      );
      expect(sent).not.toContain(harness.sandbox.keys['/dialect/header-only']);
    });

    it('does not even while the keys are locked', async () => {
      const passphrase = 'seven grey herons';
      await harness.connect('/dialect/header-only', { dialect: header });
      await harness.ask('secrets.set-mode', { mode: 'passphrase', passphrase });
      await harness.ask('secrets.lock', {});
      expect(await imported({ keyPlacement: 'parameter' })).toEqual(outcome({}, 1));
    });

    it('does not for a connection that it brings back with its key', async () => {
      const { id } = await harness.connect('/dialect/header-only', { dialect: header });
      const file = await exported();
      await harness.ask('connections.delete', { id });
      const connections = file.connections.map((one: SharedConnection) => ({
        ...one,
        dialect: defaultDialect,
      }));
      await harness.ask('settings.import', { file: { ...file, connections } });
      expect(await harness.ask('connections.list', {})).toMatchObject([
        { id, hasKey: true, dialect: { keyPlacement: 'X-API-Key' } },
      ]);
    });

    it('changes the placement where no key is stored yet', async () => {
      await harness.connect('/dialect/header-only', { apiKey: '', dialect: header });
      expect(await imported({ keyPlacement: 'parameter' })).toEqual(
        outcome({ changed: ['/dialect/header-only'] }),
      );
    });

    it('moves a key from a parameter to a header, and from one header to another', async () => {
      await harness.connect('/market');
      for (const keyPlacement of ['X-API-Key', 'Authorization'] as const) {
        await imported({ keyPlacement });
        expect(await harness.ask('connections.list', {})).toMatchObject([
          { hasKey: true, dialect: { keyPlacement } },
        ]);
      }
    });

    it('is not believed that a dialect is proven', async () => {
      await harness.connect('/market');
      expect(await imported({ proven: true })).toEqual(outcome({}));
      await imported({ proven: true, encoding: 'json' });
      expect(await harness.ask('connections.list', {})).toMatchObject([
        { dialect: { encoding: 'json', proven: false } },
      ]);
      const other = await createWorkerHarness();
      const file = await exported();
      const connections = file.connections.map((one: SharedConnection) => ({
        ...one,
        dialect: { ...one.dialect, proven: true },
      }));
      await other.ask('settings.import', { file: { ...file, connections } });
      expect(await other.ask('connections.list', {})).toMatchObject([
        { dialect: { proven: false } },
      ]);
      await other.close();
    });

    it('keeps what was proven here while placement and encoding stay', async () => {
      const { id } = await harness.connect('/market');
      await check(id);
      await imported({ proven: false, requestsPerMinute: 30 });
      expect(await harness.ask('connections.list', {})).toMatchObject([
        { dialect: { requestsPerMinute: 30, proven: true } },
      ]);
    });
  });

  it('is not imported on a full disk, which it says', async () => {
    await harness.connect('/market');
    const file = await exported();
    const connections = file.connections.map((one: SharedConnection) => ({
      ...one,
      name: 'Theirs',
    }));
    harness.setDiskFull(true);
    expect(await harness.ask('settings.import', { file: { ...file, connections } })).toEqual(
      fail({ kind: 'storage-full' }),
    );
    expect(await names()).toEqual(['/market']);
  });

  describe('with templates and privacy', () => {
    const templateOf = (id: string) =>
      ({ id, name: id, text: id, language: 'en', situation: 'supported' }) as const;
    const read = async (key: string): Promise<unknown> => (await harness.local.get(key))[key];
    const fileOf = (parts: object) => ({
      format: 'counterfoil-settings',
      version: 2,
      connections: [],
      authorities: [],
      sites: [],
      ...parts,
    });
    const store = (templates: readonly object[]) =>
      harness.local.set({ 'reply-templates': { format: 'plain', templates, version: 1 } });
    const file = fileOf({ templates: { format: 'markdown', templates: [templateOf('file')] } });

    it('merges its templates into those that are there', async () => {
      await store([templateOf('own')]);
      expect(await importFile(file)).toEqual(outcome({}));
      expect(await read('reply-templates')).toMatchObject({
        format: 'markdown',
        templates: [templateOf('own'), templateOf('file')],
      });
    });

    it('names templates that would be too many, and stores none', async () => {
      const own = Array.from({ length: 200 }, (_, at) => templateOf(`own ${String(at)}`));
      await store(own);
      expect(await importFile(file)).toMatchObject({ value: { notStored: ['templates'] } });
      expect(await read('reply-templates')).toMatchObject({ format: 'plain', templates: own });
    });

    it('names what a newer version of the program has stored, and leaves that', async () => {
      const newer = { version: 99 };
      await harness.local.set({ preferences: newer, 'reply-templates': newer });
      const privacy = {
        pictures: false,
        maskCodes: true,
        selectionAtOnce: true,
        history: defaultHistorySettings,
      };
      expect(await importFile({ ...file, privacy })).toMatchObject({
        value: { notStored: ['templates', 'privacy'] },
      });
      expect([await read('preferences'), await read('reply-templates')]).toEqual([newer, newer]);
    });

    it.each([
      [7, 1],
      [0, 0],
    ])('keeps a history for %i days, and erases what is older', async (days, left) => {
      await harness.connect('/market', { name: 'Market' });
      const [connection] = await harness.ask('connections.list', {});
      await check(connection?.id ?? '');
      harness.pass(8 * 86_400_000);
      await harness.ask('check', { connectionId: connection?.id ?? '', code: other, fresh: true });
      const privacy = {
        pictures: false,
        maskCodes: true,
        selectionAtOnce: true,
        history: { ...defaultHistorySettings, days },
      };
      expect(await importFile(fileOf({ privacy }))).toEqual(outcome({}));
      expect(await harness.history.latest(10)).toHaveLength(left);
      expect(await read('preferences')).toMatchObject({ pictures: false });
    });
  });

  it('masks the codes for good that it no longer allows to be checked again', async () => {
    const { id } = await harness.connect('/market', { name: 'Market' });
    await check(id);
    await expect.poll(() => harness.history.latest(9)).toHaveLength(1);
    expect((await harness.history.latest(1))[0]).toHaveProperty('sealed');
    harness.pass(1000);
    const history = { ...defaultHistorySettings, wholeDays: 0 };
    const privacy = { pictures: true, maskCodes: true, selectionAtOnce: true, history };
    const file = { ...(await exported()), privacy };
    expect(await importFile(file)).toMatchObject({ value: { notStored: [] } });
    expect((await harness.history.latest(1))[0]).not.toHaveProperty('sealed');
  });

  it('is shown before it is imported, and the showing changes nothing', async () => {
    await harness.connect('/market', { name: 'Market' });
    const file = await exported();
    const other = await createWorkerHarness();
    expect(await other.ask('settings.preview', { file })).toMatchObject({
      value: { connections: { added: ['Market'], changed: [] } },
    });
    expect(await other.ask('connections.list', {})).toEqual([]);
    await other.close();
  });

  describe('with authorities and sites', () => {
    const licenses = { name: 'Licenses', address: 'https://licenses.example', products: [] };
    const site = { origin: 'https://desk.example', automatic: true };

    it('brings them along', async () => {
      const draft = { ...licenses, kind: 'test' } as const;
      await harness.ask('authorities.save', draft);
      await harness.ask('sites.allow', { origin: site.origin });
      const file = await exported();
      const other = await createWorkerHarness();
      expect(await other.ask('settings.import', { file })).toMatchObject({
        value: {
          authorities: { added: ['Licenses'] },
          sites: { added: [site.origin] },
          notStored: [],
        },
      });
      expect(await other.ask('authorities.list', {})).toMatchObject([
        { ...licenses, kind: 'test' },
      ]);
      expect(await other.ask('sites.list', {})).toMatchObject([{ origin: site.origin }]);
      await other.close();
    });

    it('keeps an authority live or test as it is', async () => {
      const draft = { ...licenses, kind: 'test' } as const;
      const saved = await harness.ask('authorities.save', draft);
      if (!saved.ok) throw new Error(saved.fault.kind);
      const file = await exported();
      const live = { ...licenses, id: saved.value.id, kind: 'live', products: ['orbit'] };
      expect(await importFile({ ...file, authorities: [live] })).toMatchObject({
        value: { authorities: { changed: ['Licenses'] }, kindsKept: 1 },
      });
      expect(await harness.ask('authorities.list', {})).toMatchObject([
        { kind: 'test', products: ['orbit'] },
      ]);
    });

    it('never sends an existing authority elsewhere', async () => {
      const saved = await harness.ask('authorities.save', { ...licenses, kind: 'live' });
      if (!saved.ok) throw new Error(saved.fault.kind);
      const file = await exported();
      const forged = {
        ...licenses,
        id: saved.value.id,
        kind: 'live',
        address: 'https://evil.example',
      };
      await importFile({ ...file, authorities: [forged] });
      expect(await harness.ask('authorities.list', {})).toMatchObject([
        { id: saved.value.id, address: licenses.address },
        { address: 'https://evil.example' },
      ]);
    });

    it('runs the ticket script on a site only where the browser permits it', async () => {
      const file = { ...(await exported()), sites: [site] };
      await importFile(file);
      expect(harness.ticket.runsOn).toEqual([]);
      harness.granted.add('https://desk.example/*');
      await harness.permissionsChanged();
      expect(harness.ticket.runsOn).toEqual(['https://desk.example/*']);
      await importFile({ ...file, sites: [{ origin: 'http://localhost:4000', automatic: false }] });
      expect(harness.ticket.runsOn).toContain('http://localhost/*');
    });
  });

  it('leaves out an expected item whose connection was deleted, and is read back', async () => {
    const { id } = await harness.connect('/market');
    const origin = 'https://desk.example';
    await harness.ask('sites.allow', { origin });
    const item = { connectionId: id, itemId: 7, name: 'Lantern' };
    await harness.ask('sites.set-expected-item', { origin, item });
    expect((await exported()).sites).toMatchObject([{ expectedItem: item }]);
    await harness.ask('connections.delete', { id });
    const file = await exported();
    expect(file.sites).toEqual([{ origin, automatic: false }]);
    expect(await importFile(file)).toMatchObject({ ok: true });
  });

  it('of the first version is still read', async () => {
    const { connections } = await exported();
    const file = { format: 'counterfoil-settings', version: 2, connections };
    expect(await importFile(file)).toEqual(outcome({}));
  });

  it.each([
    [
      'an address over the open net',
      {
        format: 'counterfoil-settings',
        version: 2,
        connections: [
          { id: 'a', name: 'A', baseAddress: 'http://shop.example', dialect: defaultDialect },
        ],
      },
      'connections.0.baseAddress',
    ],
    [
      'a key',
      {
        format: 'counterfoil-settings',
        version: 2,
        connections: [
          {
            id: 'a',
            name: 'A',
            baseAddress: 'https://shop.example',
            dialect: defaultDialect,
            apiKey: 'k',
          },
        ],
      },
      'connections.0.apiKey',
    ],
  ])('is refused whole with %s', async (_, file, path) => {
    expect(await harness.ask('settings.import', { file })).toEqual(
      fail({ kind: 'unreadable', path }),
    );
    expect(await names()).toEqual([]);
  });
});

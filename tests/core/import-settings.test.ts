import { describe, expect, test, it } from 'vitest';
import type { LicenseAuthority, StoredAuthority } from '#core/authority/index';
import { defaultDialect, type StoredConnection } from '#core/connections/index';
import {
  findPolicyEntries,
  type Policy,
  withPolicyKeys,
  withPolicyTemplates,
} from '#core/policy/index';
import type { SharedConnection } from '#core/settings/settings-file';
import { readReplySettings, replyBounds, type ReplyTemplate } from '#core/reply-templates/template';
import { exportRing, readKeyFile, readRing } from '#core/key-ring/ring';
import type { PinnedKey } from '#core/keys/index';
import { omitUndefined } from '#core/result';
import { type EntryIds, noEntries, unionOfEntries, withoutEntries } from '#core/entry-ids';
import {
  mergeAuthorities,
  mergeConnections,
  mergeSites,
  mergeTemplates,
  privacyChanges,
} from '#core/import-settings';
import { defaultHistorySettings } from '#core/history-settings';

describe('connections', () => {
  const relay = 'https://relay.test';
  const shared: SharedConnection = {
    id: 'one',
    name: 'Shop',
    baseAddress: `${relay}/c/shop`,
    dialect: { ...defaultDialect, keyPlacement: 'Authorization' },
  };
  const stored: StoredConnection = { ...shared, revision: 4 };
  const merge = (
    present: readonly StoredConnection[],
    imported: readonly SharedConnection[],
    ofRelay?: string,
  ) =>
    mergeConnections(present, imported, {
      hasKey: () => true,
      createId: () => 'new',
      relay: ofRelay,
    });

  test('a connection of the team’s relay goes through it, new or there already', () => {
    const added = merge([], [shared], relay);
    expect(added.list).toEqual([
      { ...shared, revision: 1, throughRelay: true, dialect: { ...shared.dialect, proven: false } },
    ]);
    const changed = merge([stored], [shared], relay);
    expect(changed.list).toMatchObject([{ id: 'one', revision: 5, throughRelay: true }]);
    expect(changed.changedIds).toEqual(['one']);
  });

  test('an address elsewhere, or in a file that no team signed, goes through no relay', () => {
    for (const origin of [undefined, 'https://other.test']) {
      expect(merge([], [shared], origin).list[0]).not.toHaveProperty('throughRelay');
      const again = merge([stored], [shared], origin);
      expect([again.list, again.changedIds]).toEqual([[stored], []]);
      const renamed = merge([stored], [{ ...shared, name: 'Renamed' }], origin).list[0];
      expect(renamed).toMatchObject({ name: 'Renamed', revision: 5 });
      expect(renamed).not.toHaveProperty('throughRelay');
    }
  });

  test('a connection through a relay stays one, whatever a file says', () => {
    const through: StoredConnection = { ...stored, throughRelay: true };
    expect(merge([through], [shared])).toMatchObject({ list: [through], changedIds: [] });
    expect(merge([through], [shared], relay)).toMatchObject({ list: [through], changedIds: [] });
    const renamed = merge([through], [{ ...shared, name: 'Renamed' }]);
    expect(renamed.list).toMatchObject([{ name: 'Renamed', throughRelay: true, revision: 5 }]);
  });

  test('the same name at the same address is the same connection; the same address alone is not', () => {
    const named = merge([stored], [{ ...shared, id: 'two' }]);
    expect(named.list).toEqual([stored]);
    const other = merge([stored], [{ ...shared, id: 'two', name: 'Other' }]);
    expect(other.list.map(({ id }) => id)).toEqual(['one', 'two']);
  });

  test('each imported connection is known by the id that it is stored under, any other by its own', () => {
    const renamed = { ...shared, id: 'two' };
    const elsewhere = { ...shared, baseAddress: 'https://other.test' };
    const added = { ...shared, id: 'three', name: 'Third' };
    expect(Object.fromEntries(merge([stored], [renamed, added]).storedIds)).toEqual({
      one: 'one',
      two: 'one',
      three: 'three',
    });
    expect(Object.fromEntries(merge([stored], [elsewhere]).storedIds)).toEqual({
      one: 'new',
      new: 'new',
    });
    expect(Object.fromEntries(merge([stored], [shared, elsewhere]).storedIds)).toEqual({
      one: 'one',
      new: 'new',
    });
  });
});

describe('authorities', () => {
  const shared = {
    id: 'one',
    name: 'Main',
    address: 'https://licenses.test',
    kind: 'test' as LicenseAuthority['kind'],
    products: ['aurora'],
  };
  const main: StoredAuthority = shared;
  const merge = (...imported: readonly (typeof shared)[]) =>
    mergeAuthorities([main], imported, () => 'new');

  test('an authority of the same id or name at the same address takes name and products', () => {
    for (const one of [
      { ...shared, name: 'Renamed' },
      { ...shared, name: 'Renamed', products: ['borealis'] },
      { ...shared, id: 'two', products: ['borealis', 'aurora'] },
    ]) {
      const { list, kindsKept } = merge(one);
      expect(list).toEqual([{ ...one, id: 'one' }]);
      expect(kindsKept).toBe(0);
    }
  });

  test('one that says the same changes nothing, and one of another kind does not open a live authority', () => {
    expect(merge(shared)).toMatchObject({ kindsKept: 0, changes: { added: [], changed: [] } });
    const live = { ...shared, kind: 'live' } as const;
    expect(merge(live)).toMatchObject({ list: [{ kind: 'test' }], kindsKept: 1 });
    expect(mergeAuthorities([live], [shared], () => 'new')).toMatchObject({
      list: [{ kind: 'live' }],
      kindsKept: 1,
    });
  });

  test('one at another address, or of another id and name, is another authority', () => {
    const elsewhere = { ...shared, address: 'https://other.test' };
    expect(merge(elsewhere).list).toEqual([main, { ...elsewhere, id: 'new' }]);
    const other = { ...shared, id: 'two', name: 'Other' };
    expect(merge(other).list).toEqual([main, other]);
  });

  test('one that was deleted is there again', () => {
    const deleted = { ...main, deletedUntil: 5 };
    const { list } = mergeAuthorities([deleted], [shared], () => 'new');
    expect(list).toEqual([main]);
  });
});

describe('help desks', () => {
  const desk = { origin: 'https://desk.test', automatic: true };
  const other = { origin: 'https://other.test', automatic: false };
  const expectedItem = { itemId: 1, name: 'Anchor' };

  test('a site takes what the file says of it and keeps the rest; others stay, new ones are added', () => {
    const present = [{ ...desk, expectedItem }, other];
    const added = { origin: 'https://new.test', automatic: false };
    expect(mergeSites(present, [{ ...desk, automatic: false }, added], new Map())).toEqual({
      list: [{ ...desk, automatic: false, expectedItem }, other, added],
      changes: { added: [added.origin], changed: [desk.origin] },
    });
  });

  test('a site of which the file says nothing else is not changed', () => {
    expect(mergeSites([desk, other], [desk], new Map())).toEqual({
      list: [desk, other],
      changes: { added: [], changed: [] },
    });
  });

  test('an expected item names the connection as it is stored here', () => {
    const storedIds = new Map([['market', 'own-id']]);
    const item = { connectionId: 'market', ...expectedItem };
    const stored = { ...item, connectionId: 'own-id' };
    expect(mergeSites([], [{ ...desk, expectedItem: item }], storedIds).list).toEqual([
      { ...desk, expectedItem: stored },
    ]);
    const again = mergeSites(
      [{ ...desk, expectedItem: stored }],
      [{ ...desk, expectedItem: item }],
      storedIds,
    );
    expect(again.changes).toEqual({ added: [], changed: [] });
  });

  test('an expected item of a connection that is nowhere is left out, and the one of the agent stays', () => {
    const gone = { ...desk, expectedItem: { connectionId: 'gone', ...expectedItem } };
    expect(mergeSites([], [gone], new Map([['market', 'market']])).list).toEqual([desk]);
    const own = { ...desk, expectedItem };
    expect(mergeSites([own], [gone], new Map()).list).toEqual([own]);
  });

  test('that stand twice in a file are added once, and the list they are merged into stays as it was', () => {
    const present = [other];
    const merged = mergeSites(present, [desk, { ...desk, automatic: false }], new Map());
    expect(merged).toEqual({
      list: [other, { ...desk, automatic: false }],
      changes: { added: [desk.origin], changed: [desk.origin] },
    });
    expect(present).toEqual([other]);
  });
});

const privacy = {
  pictures: true,
  maskCodes: true,
  selectionAtOnce: true,
  history: defaultHistorySettings,
};

it('only what differs is a change, the history’s settings among it', () => {
  const wanted = { ...privacy, pictures: false, history: { ...privacy.history, days: 90 } };
  expect(privacyChanges(privacy, privacy)).toEqual([]);
  expect(privacyChanges(privacy, wanted)).toEqual([
    { setting: 'pictures', value: false },
    { setting: 'days', value: 90 },
  ]);
});

it('what a file does not name changes nothing', () => {
  const { maskCodes, history } = privacy;
  const wanted = { maskCodes: !maskCodes, history } as typeof privacy;
  expect(privacyChanges(privacy, wanted)).toEqual([{ setting: 'maskCodes', value: false }]);
});

const template = (id: string, text = id, language = 'en') => ({
  id,
  situation: 'lapsed',
  language,
  name: `Name ${id}`,
  text,
});
const settings = (format: 'plain' | 'markdown', templates?: object[]) =>
  readReplySettings(templates === undefined ? { format } : { format, templates });

test('templates of the same id are replaced, new ones added, and the agent’s others stay', () => {
  const present = settings('plain', [template('a'), template('b')]);
  const file = settings('markdown', [template('b', 'theirs'), template('c')]);
  const merged = mergeTemplates(present, file);
  expect(merged.settings.templates?.map(({ id, text }) => [id, text])).toEqual([
    ['a', 'a'],
    ['b', 'theirs'],
    ['c', 'c'],
  ]);
  expect(merged).toMatchObject({ added: ['Name c'], changed: ['Name b'], otherFormat: true });
});

test('a built-in template that the agent has changed in two languages stays one in each', () => {
  const [en, de] = [template('lapsed-renew', 'Renew'), template('lapsed-renew', 'Neu', 'de')];
  const present = settings('plain', [en, de]);
  expect(mergeTemplates(present, present)).toMatchObject({
    settings: present,
    added: [],
    changed: [],
  });
  const german = mergeTemplates(settings('plain', [en]), settings('plain', [de]));
  expect(german.settings.templates).toEqual([en, de]);
  const changed = template('lapsed-renew', 'Erneuern', 'de');
  expect(mergeTemplates(present, settings('plain', [changed])).settings.templates).toEqual([
    en,
    changed,
  ]);
});

test('of two templates that are the same in a file the later counts', () => {
  const file = settings('plain', [template('a', 'first'), template('b'), template('a', 'later')]);
  const merged = mergeTemplates(settings('plain'), file);
  expect(merged.settings.templates?.map(({ text }) => text)).toEqual(['b', 'later']);
  expect(merged.added).toEqual(['Name b', 'Name a']);
});

test('a file without templates of its own changes none', () => {
  const present = settings('plain', [template('a')]);
  expect(mergeTemplates(present, settings('plain'))).toMatchObject({
    settings: present,
    added: [],
    changed: [],
    otherFormat: false,
    otherFrame: false,
  });
});

test('more templates than there may be are not merged', () => {
  const many = Array.from({ length: replyBounds.templates }, (_, at) => template(String(at)));
  const present = settings('plain', [template('own')]);
  const merged = mergeTemplates(present, settings('plain', many));
  expect(merged).toMatchObject({ tooMany: true, settings: present, added: [] });
});

test('as many templates as there may be are merged', () => {
  const many = Array.from({ length: replyBounds.templates }, (_, at) => template(String(at)));
  const merged = mergeTemplates(settings('plain'), settings('plain', many));
  expect(merged.tooMany).toBe(false);
  expect(merged.settings.templates).toHaveLength(replyBounds.templates);
});

test('where neither has templates of its own, the built-in ones stay', () => {
  expect(mergeTemplates(settings('plain'), settings('plain')).settings).toEqual({
    format: 'plain',
  });
});

test('a greeting of the file replaces that of its language alone', () => {
  const frame = (greeting: string) => ({ greeting, closing: 'Bye' });
  const present = { format: 'plain', frames: { en: frame('Hi'), de: frame('Hallo') } } as const;
  const merged = mergeTemplates(present, { format: 'plain', frames: { en: frame('Hello') } });
  expect(merged.otherFrame).toBe(true);
  expect(merged.settings.frames).toEqual({ en: frame('Hello'), de: frame('Hallo') });
});

const keyOf = (digit: string, changes: Partial<PinnedKey> = {}): PinnedKey => ({
  id: digit.repeat(64),
  label: digit,
  raw: digit.repeat(64),
  fingerprint: digit.repeat(64),
  revoked: false,
  kind: 'live',
  ...changes,
});
const templateOf = (id: string, text = id): ReplyTemplate => ({
  id,
  situation: 'lapsed',
  language: 'en',
  name: id,
  text,
});

describe('the keys of a policy', () => {
  it('are added, marked, before the keys of the agent', () => {
    expect(withPolicyKeys([keyOf('a')], [keyOf('b')])).toEqual([
      keyOf('b', { byPolicy: true }),
      keyOf('a'),
    ]);
  });

  it('go with the policy, and the keys of the agent stay', () => {
    const ring = withPolicyKeys([keyOf('a')], [keyOf('b'), keyOf('c')]);
    expect(withPolicyKeys(ring, [keyOf('c')])).toEqual([
      keyOf('c', { byPolicy: true }),
      keyOf('a'),
    ]);
    expect(withPolicyKeys(ring, [])).toEqual([keyOf('a')]);
  });

  it('take the place of the entry that the agent has, which stays revoked and remembers how it signs', () => {
    const remembered = { license: { encoding: 'token', input: 'payload' } } as const;
    const own = keyOf('a', { label: 'mine', revoked: true, remembered });
    expect(withPolicyKeys([own], [keyOf('a', { label: 'theirs' })])).toEqual([
      keyOf('a', { label: 'theirs', revoked: true, remembered, byPolicy: true }),
    ]);
  });

  it('change nothing the second time', () => {
    const ring = withPolicyKeys([keyOf('a')], [keyOf('b')]);
    expect(withPolicyKeys(ring, [keyOf('b')])).toBe(ring);
  });

  it('are marked where they are stored, and in no file', () => {
    const marked = keyOf('a', { byPolicy: true });
    expect(readRing([marked])).toEqual([marked]);
    expect(exportRing([marked]).keys).toEqual([keyOf('a')]);
    expect(readKeyFile({ format: 'counterfoil-keys', version: 1, keys: [marked] })).toEqual([
      keyOf('a'),
    ]);
  });
});

describe('the templates of a policy', () => {
  it('stand before those of the agent, whose own of the same id they replace', () => {
    const own = {
      format: 'markdown',
      templates: [templateOf('a', 'mine'), templateOf('b')],
    } as const;
    const theirs = { format: 'plain', templates: [templateOf('a', 'theirs')] } as const;
    expect(withPolicyTemplates(own, theirs, [])).toEqual({
      format: 'plain',
      templates: [templateOf('a', 'theirs'), templateOf('b')],
    });
  });

  it('leave the agent’s own of the same id in another language alone', () => {
    const german = { ...templateOf('a', 'meine'), language: 'de' };
    const theirs = { templates: [templateOf('a', 'theirs')] };
    const merged = withPolicyTemplates({ format: 'plain', templates: [german] }, theirs, []);
    expect(merged.templates).toEqual([templateOf('a', 'theirs'), german]);
    const later = withPolicyTemplates(merged, theirs, ['a en']);
    expect(later.templates).toEqual(merged.templates);
    expect(withPolicyTemplates(merged, {}, ['a en']).templates).toEqual([german]);
  });

  it('go with the policy, and the rest stays as it is', () => {
    const own = { format: 'markdown', templates: [templateOf('a'), templateOf('b')] } as const;
    expect(withPolicyTemplates(own, {}, ['a en'])).toEqual({
      format: 'markdown',
      templates: [templateOf('b')],
    });
    expect(
      withPolicyTemplates({ format: 'plain', templates: [templateOf('a')] }, {}, ['a en']),
    ).toEqual({ format: 'plain' });
  });

  it('bring the greeting of each language that they name', () => {
    const frameOf = (greeting: string) => ({ greeting, closing: '' });
    const own = { format: 'plain', frames: { en: frameOf('Hi'), de: frameOf('Na') } } as const;
    const theirs = { format: 'plain', frames: { de: frameOf('Guten Tag') } } as const;
    expect(withPolicyTemplates(own, theirs, []).frames).toEqual({
      en: frameOf('Hi'),
      de: frameOf('Guten Tag'),
    });
  });
});

describe('what a policy locks', () => {
  const policy: Policy = {
    format: 'counterfoil-settings',
    version: 2,
    keys: [],
    connections: [
      { id: 'm', name: 'Market', baseAddress: 'https://m.example', dialect: defaultDialect },
    ],
    authorities: [{ id: 'l', name: 'L', address: 'https://l.example', kind: 'live', products: [] }],
    sites: [{ origin: 'https://desk.example', automatic: false }],
    templates: { format: 'plain', templates: [templateOf('a')] },
  };
  const connectionOf = (id: string, name: string, host: string) => ({
    id,
    name,
    baseAddress: `https://${host}.example`,
  });
  const authorityOf = (id: string, name: string, host: string) => ({
    id,
    name,
    address: `https://${host}.example`,
  });

  it('is found by name and address, whatever id it is stored under', () => {
    const stored = {
      connections: [
        connectionOf('m', 'Market', 'other'),
        connectionOf('b', 'Mine', 'm'),
        connectionOf('c', 'Market', 'm'),
      ],
      authorities: [
        authorityOf('l', 'L', 'other'),
        authorityOf('y', 'Mine', 'l'),
        authorityOf('z', 'L', 'l'),
      ],
    };
    expect(findPolicyEntries(policy, stored)).toEqual({
      connections: ['c'],
      authorities: ['z'],
      sites: ['https://desk.example'],
      keys: [],
      templates: ['a en'],
    });
  });

  it('is nothing of what is not stored', () => {
    const others = omitUndefined({ ...policy, sites: [], templates: undefined });
    const stored = { connections: [], authorities: [] };
    expect(findPolicyEntries(others, stored)).toEqual(noEntries);
  });
});

const one: EntryIds = { ...noEntries, connections: ['a', 'b'], templates: ['t'] };
const other: EntryIds = { ...noEntries, connections: ['b', 'c'], sites: ['s'] };

test('two records of lists are combined list by list', () => {
  expect(withoutEntries(one, other)).toEqual({
    ...noEntries,
    connections: ['a'],
    templates: ['t'],
  });
  expect(unionOfEntries(one, other)).toEqual({
    ...noEntries,
    connections: ['a', 'b', 'c'],
    sites: ['s'],
    templates: ['t'],
  });
});

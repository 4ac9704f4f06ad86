import { describe, expect, it } from 'vitest';

import { noEntries } from '#core/settings-import/index';
import { exportRing, readKeyFile, readRing } from '#core/key-ring/index';
import {
  findPolicyEntries,
  type Policy,
  withPolicyKeys,
  withPolicyTemplates,
} from '#core/policy/index';
import type { PinnedKey } from '#core/keys/index';
import { pinnedKeyOf } from '#tests/core/keys/pinned-key';
import type { ReplyTemplate } from '#core/reply-templates/index';
import { defaultDialect } from '#core/connections/index';
import { omitUndefined } from '#core/result';

const templateOf = (id: string, text = id): ReplyTemplate => ({
  id,
  situation: 'lapsed',
  language: 'en',
  name: id,
  text,
});

describe('the keys of a policy', () => {
  it('are added, marked, before the keys of the agent', () => {
    expect(withPolicyKeys([pinnedKeyOf('a')], [pinnedKeyOf('b')])).toEqual([
      pinnedKeyOf('b', { byPolicy: true }),
      pinnedKeyOf('a'),
    ]);
  });

  it('go with the policy, and the keys of the agent stay', () => {
    const ring = withPolicyKeys([pinnedKeyOf('a')], [pinnedKeyOf('b'), pinnedKeyOf('c')]);
    expect(withPolicyKeys(ring, [pinnedKeyOf('c')])).toEqual([
      pinnedKeyOf('c', { byPolicy: true }),
      pinnedKeyOf('a'),
    ]);
    expect(withPolicyKeys(ring, [])).toEqual([pinnedKeyOf('a')]);
  });

  it('take the place of the entry that the agent has, which stays revoked and remembers how it signs', () => {
    const remembered = { license: { encoding: 'token', input: 'payload' } } as const;
    const own = pinnedKeyOf('a', { label: 'mine', revoked: true, remembered });
    expect(withPolicyKeys([own], [pinnedKeyOf('a', { label: 'theirs' })])).toEqual([
      pinnedKeyOf('a', {
        label: 'theirs',
        revoked: true,
        remembered,
        byPolicy: true,
        wasOwn: true,
      }),
    ]);
  });

  it('leave behind what the agent had pinned before, revoked as it was, when they go', () => {
    const stored = (ring: readonly PinnedKey[]) => readRing(JSON.parse(JSON.stringify(ring)));
    const policy = [pinnedKeyOf('a', { label: 'theirs' }), pinnedKeyOf('b')];
    const once = stored(withPolicyKeys([pinnedKeyOf('a', { revoked: true })], policy));
    const twice = stored(withPolicyKeys(once, [pinnedKeyOf('a', { label: 'later' })]));
    expect(withPolicyKeys(twice, [])).toEqual([
      pinnedKeyOf('a', { label: 'later', revoked: true }),
    ]);
  });

  it('change nothing the second time, whatever they say of themselves', () => {
    const remembered = { license: { encoding: 'token', input: 'payload' } } as const;
    const policy = [
      pinnedKeyOf('b'),
      // In the order in which a policy is read, which is not that of the storage.
      { keyId: '', products: ['gauge'], ...pinnedKeyOf('c'), authority: 'https://l.example' },
    ];
    const stored = (ring: readonly PinnedKey[]) => readRing(JSON.parse(JSON.stringify(ring)));
    const ring = stored(withPolicyKeys([pinnedKeyOf('c', { remembered })], policy));
    expect(ring).toMatchObject([{ byPolicy: true }, { byPolicy: true, remembered }]);
    expect(withPolicyKeys(ring, policy)).toBe(ring);
    const others = [pinnedKeyOf('b'), { ...pinnedKeyOf('c'), products: ['gauge'] }];
    expect(withPolicyKeys(ring, others)).not.toBe(ring);
  });

  it('are marked where they are stored, and in no file', () => {
    const marked = pinnedKeyOf('a', { byPolicy: true, wasOwn: true });
    expect(readRing([marked])).toEqual([marked]);
    expect(exportRing([marked]).keys).toEqual([pinnedKeyOf('a')]);
    expect(readKeyFile({ format: 'counterfoil-keys', version: 1, keys: [marked] })).toEqual([
      pinnedKeyOf('a'),
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

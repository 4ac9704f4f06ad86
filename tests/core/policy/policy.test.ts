import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { readPolicy } from '#core/policy/policy';
import { defaultHistorySettings } from '#core/preferences/index';
import { fail, succeed } from '#core/result';

const fingerprintOf = (raw: string): Promise<string> =>
  Promise.resolve(createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex'));
const read = (settings: unknown) => readPolicy(settings, fingerprintOf);

const raw = 'a1'.repeat(32);
const fingerprint = await fingerprintOf(raw);
const key = { raw, fingerprint, kind: 'live', label: 'Fenwick 2026' };
const connection = { id: 'market', name: 'Market', baseAddress: 'https://market.example' };
const authority = {
  id: 'l',
  name: 'L',
  address: 'https://licenses.example',
  kind: 'live',
  products: [],
};
const whole = {
  format: 'counterfoil-settings',
  version: 2,
  connections: [connection],
  authorities: [authority],
  sites: [
    {
      origin: 'https://desk.example',
      automatic: true,
      expectedItem: { connectionId: 'market', itemId: 7, name: 'Lantern' },
    },
  ],
  keys: [key],
  templates: { format: 'plain' },
  privacy: {
    pictures: false,
    maskCodes: true,
    selectionAtOnce: false,
    history: { ...defaultHistorySettings, days: 7 },
  },
  keyStorage: { mode: 'passphrase', lockAfterMinutes: 15 },
  language: 'pt-BR',
};

describe('a policy', () => {
  it('in which a member stands twice is refused: the former one could hold a secret', async () => {
    const { connections, ...others } = whole;
    const text = `{"connections":[{"apiKey":"k"}],${JSON.stringify({ ...others, connections }).slice(1)}`;
    expect(await read(text)).toEqual(fail({ kind: 'ambiguous' }));
  });

  it('in which the name of a member is escaped is refused: engines read such names differently', async () => {
    const text = JSON.stringify(whole).replace('"connections"', String.raw`"connection\u0073"`);
    expect(await read(text)).toEqual(fail({ kind: 'ambiguous' }));
  });

  it('with escapes, quotation marks and colons in its texts is read', async () => {
    const sites = [
      { ...whole.sites[0], expectedItem: { itemId: 7, name: ':"a":\n\\", "sites": ' } },
    ];
    expect(await read(JSON.stringify({ ...whole, sites }))).toMatchObject({ ok: true });
  });

  it.each([
    [
      'a help desk',
      { sites: [{ origin: 'https://desk.example', automatic: false, more: 1 }] },
      'sites.0.more',
    ],
    [
      'an expected item',
      { sites: [{ ...whole.sites[0], expectedItem: { itemId: 7, name: '', more: 1 } }] },
      'sites.0.expectedItem.more',
    ],
    ['templates', { templates: { format: 'plain', more: 1 } }, 'templates.more'],
    ['a key', { keys: [{ ...key, more: 1 }] }, 'keys.0.more'],
    [
      'the history',
      { privacy: { ...whole.privacy, history: { ...whole.privacy.history, more: 1 } } },
      'privacy.history.more',
    ],
  ])('with a member that nobody reads is refused: %s', async (_, part, path) => {
    expect(await read(JSON.stringify({ ...whole, ...part }))).toEqual(
      fail({ kind: 'unreadable', path }),
    );
  });

  it('of deeply nested lists is refused', async () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(await read(text)).toEqual(fail({ kind: 'not-json' }));
  });

  it('is read whole; a dialect may be left out, and a key is named by its fingerprint', async () => {
    expect(await read(JSON.stringify(whole))).toEqual(
      succeed({
        ...whole,
        connections: [{ ...connection, dialect: defaultDialect }],
        keys: [{ ...key, id: fingerprint, revoked: false }],
      }),
    );
  });

  it('may say a single thing', async () => {
    const language = { format: 'counterfoil-settings', version: 2, language: 'de' };
    expect(await read(JSON.stringify(language))).toEqual(
      succeed({ ...language, connections: [], authorities: [], sites: [], keys: [] }),
    );
  });

  it.each([
    ['de-AT', 'de'],
    ['en-GB', 'en'],
    ['pt', 'pt-BR'],
    ['ZH-cn', 'zh-CN'],
  ])('names the language of the pages by any of its tags: %s is %s', async (language, known) => {
    expect(await read(JSON.stringify({ ...whole, language }))).toMatchObject({
      value: { language: known },
    });
  });

  it('may begin with a byte order mark', async () => {
    expect(await read(`\uFEFF${JSON.stringify(whole)}`)).toMatchObject({ ok: true });
  });

  it('may say one part of a dialect', async () => {
    const connections = [{ ...connection, dialect: { keyPlacement: 'X-API-Key' } }];
    expect(await read(JSON.stringify({ ...whole, connections }))).toMatchObject({
      value: { connections: [{ dialect: { ...defaultDialect, keyPlacement: 'X-API-Key' } }] },
    });
  });

  it.each([
    ['something else than a text', whole, { kind: 'not-text' }],
    ['no JSON', '{"format":', { kind: 'not-json' }],
    ['JSON that is null', 'null', { kind: 'not-settings' }],
    ['a list', '[]', { kind: 'not-settings' }],
    ['another file', '{"format":"counterfoil-keys","version":1}', { kind: 'not-settings' }],
    ['a newer version', '{"format":"counterfoil-settings","version":3}', { kind: 'newer-version' }],
  ])('is not %s', async (_, settings, fault) => {
    expect(await read(settings)).toEqual(fail(fault));
  });

  it.each([
    ['an unknown member', { theme: 'dark' }, 'theme'],
    ['no list of connections', { connections: 'none' }, 'connections'],
    ['a connection that is none', { connections: [null] }, 'connections.0.id'],
    [
      'an address with a query',
      { connections: [{ ...connection, baseAddress: 'https://market.example/?k=1' }] },
      'connections.0.baseAddress',
    ],
    [
      'a dialect that nobody speaks',
      { connections: [connection, { ...connection, id: 'b', dialect: { encoding: 'xml' } }] },
      'connections.1.dialect.encoding',
    ],
    [
      'a dialect that is a text',
      { connections: [{ ...connection, dialect: 'form' }] },
      'connections.0.dialect',
    ],
    [
      'a help desk over the open net',
      { sites: [{ origin: 'http://a.example', automatic: true }] },
      'sites.0.origin',
    ],
    ['a key without its fingerprint', { keys: [{ raw, kind: 'live' }] }, 'keys.0.fingerprint'],
    ['a key of no kind', { keys: [key, { raw, fingerprint }] }, 'keys.1.kind'],
    ['another way to store keys', { keyStorage: { mode: 'cloud' } }, 'keyStorage.mode'],
    [
      'no whole minutes',
      { keyStorage: { mode: 'passphrase', lockAfterMinutes: 0.5 } },
      'keyStorage.lockAfterMinutes',
    ],
    ['no language', { language: 'Deutsch!' }, 'language'],
    ['a tag that is none', { language: 'de-de-de' }, 'language'],
    ['a language without texts', { language: 'sw' }, 'language'],
    ['a script without texts', { language: 'zh-TW' }, 'language'],
    ['half of the history', { privacy: { history: { days: 7 } } }, 'privacy.history.codes'],
  ])('with %s is refused whole, by its path', async (_, part, path) => {
    expect(await read(JSON.stringify({ ...whole, ...part }))).toEqual(
      fail({ kind: 'unreadable', path }),
    );
  });

  it.each([
    ['apiKey', { connections: [{ ...connection, apiKey: 'k' }] }, 'connections.0.apiKey'],
    ['api_key', { connections: [{ ...connection, api_key: 'k' }] }, 'connections.0.api_key'],
    ['key', { connections: [{ ...connection, key: 'k' }] }, 'connections.0.key'],
    [
      'X-API-Key',
      { connections: [{ ...connection, dialect: { 'X-API-Key': 'k' } }] },
      'connections.0.dialect.X-API-Key',
    ],
    [
      'controlToken',
      { authorities: [{ ...authority, controlToken: 't' }] },
      'authorities.0.controlToken',
    ],
    [
      'passphrase',
      { keyStorage: { mode: 'passphrase', passphrase: 'p' } },
      'keyStorage.passphrase',
    ],
    ['apiKey beside the lists', { apiKey: 'k' }, 'apiKey'],
    [
      'secretKey',
      { sites: [{ origin: 'https://desk.example', automatic: false, secretKey: 'k' }] },
      'sites.0.secretKey',
    ],
    [
      'accessKey',
      { templates: { format: 'plain', templates: [{ id: 't', accessKey: 'k' }] } },
      'templates.templates.0.accessKey',
    ],
  ])('that holds a secret (%s) is refused whole, by its path', async (_, part, path) => {
    expect(await read(JSON.stringify({ ...whole, ...part }))).toEqual(
      fail({ kind: 'holds-secret', path }),
    );
  });

  it('is refused whole when a fingerprint is of another key', async () => {
    const keys = [key, { ...key, fingerprint: 'b2'.repeat(32) }];
    expect(await read(JSON.stringify({ ...whole, keys }))).toEqual(
      fail({ kind: 'wrong-fingerprint', path: 'keys.1.fingerprint' }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { RawReply } from '#core/http/exchange';
import {
  openReply,
  readAccountReply,
  readItemReply,
  readItemsReply,
  readValidationReply,
} from '#core/marketplaces/seller-api/reader';
import type { Account, Item, Purchase } from '#core/marketplaces/resources';
import { fail, succeed } from '#core/result';
import {
  type Wire,
  accountWire,
  askedCode,
  itemWire,
  purchaseWire,
  rawReply,
  rawText,
  withField,
} from '#tests/core/marketplaces/wire-examples';
import { anyText } from '#tests/core/text/any-text';

describe('replies', () => {
  const now = Date.UTC(2026, 10, 3);
  const account = (raw: RawReply): unknown => readAccountReply(raw, now);
  const items = (raw: RawReply): unknown => readItemsReply(raw, now);
  const item = (raw: RawReply): unknown => readItemReply(raw, 41, now);
  const validation = (raw: RawReply): unknown => readValidationReply(raw, askedCode, now);
  const purchaseReply = (purchase: unknown): RawReply =>
    rawReply({ status: 'success', data: { purchase } });

  describe('the success bodies of spec section 4', () => {
    test('account details', () => {
      expect(account(rawReply({ status: 'success', data: accountWire() }))).toMatchObject(
        succeed({ username: 'adalund' }),
      );
    });

    test('all items', () => {
      const two = [itemWire(), { ...itemWire(), id: 42 }];
      expect(items(rawReply({ status: 'success', items: two }))).toMatchObject(
        succeed({ items: [{ id: 41 }, { id: 42 }], unreadable: [] }),
      );
      expect(items(rawReply({ status: 'success', items: [] }))).toEqual(
        succeed({ items: [], unreadable: [] }),
      );
    });

    test('one item', () => {
      expect(item(rawReply({ status: 'success', item: itemWire() }))).toMatchObject(
        succeed({ kind: 'item', item: { id: 41, name: 'Harbour theme' } }),
      );
    });

    test('purchase validation', () => {
      expect(validation(purchaseReply(purchaseWire()))).toMatchObject(
        succeed({ kind: 'purchase', purchase: { purchaseCode: askedCode, item: { id: 41 } } }),
      );
    });
  });

  describe('the error messages of spec section 7', () => {
    const error = (msg: string): RawReply[] =>
      [200, 400, 404].map((status) => rawReply({ status: 'error', msg }, status));

    test('Invalid request: the key is refused, since nothing else was asked with', () => {
      for (const raw of error('Invalid request')) {
        expect(account(raw)).toEqual(
          fail({ kind: 'refused', msg: 'Invalid request', about: 'key' }),
        );
      }
    });

    test('No items found: an empty list in which a single item may be hidden', () => {
      for (const raw of error('No items found')) {
        expect(items(raw)).toEqual(
          succeed({ items: [], unreadable: [], noneFound: { msg: 'No items found' } }),
        );
      }
    });

    test('Item Not Found', () => {
      for (const raw of error('Item Not Found')) {
        expect(item(raw)).toEqual(succeed({ kind: 'not-found', msg: 'Item Not Found' }));
      }
    });

    test('Invalid purchase code: no such purchase', () => {
      for (const raw of error('Invalid purchase code')) {
        expect(validation(raw)).toEqual(
          succeed({ kind: 'not-found', msg: 'Invalid purchase code' }),
        );
      }
    });

    test.each([
      'Licence inconnue',
      'No purchase was found for this account',
      'Unauthorized purchase code',
      'Geen geldige aankoop',
      '',
    ])('%j may be about the code, as any other words may', (msg) => {
      for (const raw of error(msg))
        expect(validation(raw)).toEqual(succeed({ kind: 'not-found', msg }));
    });

    test.each([
      'Invalid API key',
      'The api key field is required.',
      'Unauthenticated.',
      'Your account is suspended',
      'Too many requests',
      'Server Error',
      'Something went wrong, please try again later',
      'Purchase codes cannot be checked during maintenance',
      'SQLSTATE[HY000] [2002] Connection refused',
    ])('%j says nothing about the code', (msg) => {
      for (const raw of error(msg))
        expect(validation(raw)).toEqual(fail({ kind: 'refused', msg, about: 'request' }));
    });

    test.each(['Server Error', 'Too many requests', 'Under maintenance', 'Please try again later'])(
      '%j says nothing about the key or the items either',
      (msg) => {
        const refused = fail({ kind: 'refused', msg, about: 'request' });
        for (const raw of [...error(msg), rawReply({ message: msg }, 403)])
          for (const read of [account, items, item]) expect(read(raw)).toEqual(refused);
      },
    );

    test('the key refused at validation is no word about the code', () => {
      expect(validation(rawReply({ status: 'error', msg: 'Invalid request' }, 401))).toMatchObject({
        fault: { kind: 'refused', about: 'key' },
      });
    });
  });

  describe('where a deployment puts the purchase', () => {
    test('under item, with its Item inside', () => {
      expect(validation(rawReply({ status: 'Erfolg', item: purchaseWire() }))).toMatchObject(
        succeed({ kind: 'purchase', purchase: { item: { id: 41 } } }),
      );
      const broken = withField(purchaseWire(), 'item.name', []);
      expect(validation(rawReply({ status: 'success', item: broken }))).toEqual(
        fail({ kind: 'unreadable', path: 'item.item.name' }),
      );
    });

    test('an Item under item is no purchase', () => {
      expect(validation(rawReply({ status: 'success', item: itemWire() }))).toEqual(
        fail({ kind: 'unreadable', path: 'data.purchase' }),
      );
    });

    test('of both, the spec’s own counts', () => {
      const other = { ...purchaseWire(), purchase_code: 'other' };
      const body = { status: 'success', item: other, data: { purchase: purchaseWire() } };
      expect(validation(rawReply(body))).toMatchObject({ ok: true });
    });

    test.each([
      { status: 'success' },
      { status: 'success', data: null },
      { status: 'success', data: [] },
      { status: 'success', data: { purchase: 'x' } },
      { status: 'success', data: { purchase: null } },
    ])('%j holds none', (body) => {
      expect(validation(rawReply(body))).toEqual(
        fail({ kind: 'unreadable', path: 'data.purchase' }),
      );
    });
  });

  describe('an answer about something else', () => {
    test('another code is a mismatch', () => {
      const other = { ...purchaseWire(), purchase_code: askedCode.replace('8f', '9f') };
      expect(validation(purchaseReply(other))).toEqual(fail({ kind: 'mismatch' }));
    });

    test.each([askedCode.toUpperCase(), askedCode.replaceAll('-', ''), ` ${askedCode}\n`])(
      '%j is the same code, shown as the server wrote it',
      (code) => {
        expect(validation(purchaseReply({ ...purchaseWire(), purchase_code: code }))).toMatchObject(
          {
            value: { purchase: { purchaseCode: code } },
          },
        );
      },
    );

    test('in codes of other forms dashes count, case does not', () => {
      const reply = purchaseReply({ ...purchaseWire(), purchase_code: 'LIC-12-345' });
      expect(readValidationReply(reply, 'lic-12-345', now).ok).toBe(true);
      expect(readValidationReply(reply, 'LIC-123-45', now)).toMatchObject({
        fault: { kind: 'mismatch' },
      });
    });

    test('another item is a mismatch', () => {
      expect(item(rawReply({ status: 'success', item: { ...itemWire(), id: 7 } }))).toEqual(
        fail({ kind: 'mismatch' }),
      );
    });
  });

  describe('a list in which not every entry can be read', () => {
    test('keeps the others and says which and why', () => {
      const sent = [itemWire(), { ...itemWire(), id: 'x' }, 'junk', { ...itemWire(), id: 9 }];
      expect(items(rawReply({ status: 'success', items: sent }))).toMatchObject(
        succeed({
          items: [{ id: 41 }, { id: 9 }],
          unreadable: [
            { index: 1, path: 'items.1.id' },
            { index: 2, path: 'items.2' },
          ],
        }),
      );
    });

    test('is unreadable when none can', () => {
      expect(items(rawReply({ status: 'success', items: [{ id: 1 }] }))).toEqual(
        fail({ kind: 'unreadable', path: 'items.0.name' }),
      );
    });

    test('may come as the object PHP makes of a list with gaps', () => {
      const sent = { 0: itemWire(), 3: { ...itemWire(), id: 9 } };
      expect(items(rawReply({ status: 'success', items: sent }))).toMatchObject({
        value: { items: [{ id: 41 }, { id: 9 }] },
      });
    });

    test.each([undefined, null, 'none', { name: 'x' }])('%j is no list', (sent) => {
      expect(items(rawReply({ status: 'success', items: sent }))).toEqual(
        fail({ kind: 'unreadable', path: 'items' }),
      );
    });
  });

  describe('any input', () => {
    const readers = [account, items, item, validation];
    const anyReply = fc.oneof(
      fc.json(),
      anyText,
      fc
        .dictionary(
          fc.constantFrom('status', 'msg', 'data', 'item', 'items', 'purchase', '__proto__'),
          fc.jsonValue(),
        )
        .map((body) => JSON.stringify(body)),
    );

    test('makes no reader throw', () => {
      fc.assert(
        fc.property(anyReply, fc.constantFrom(200, 401, 404, 422, 500), (text, status) => {
          for (const read of readers) read(rawText(text, status));
        }),
      );
    });

    test('in any one field makes no reader throw, and a purchase that is read is of the right types', () => {
      const paths = [
        ...Object.keys(purchaseWire()),
        ...Object.keys(itemWire()).map((key) => `item.${key}`),
        'item.media.thumbnail',
        'item.media.screenshots',
        'item.price.regular',
      ];
      const verdictFields = ['purchase_code', 'supported_until', 'item', 'item.id', 'item.name'];
      fc.assert(
        fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
          const reply = purchaseReply(withField(purchaseWire(), path, value));
          const read = readValidationReply(reply, askedCode, now);
          // Only a field that a verdict rests on may cost the answer.
          if (!read.ok) expect(verdictFields).toContain(path);
          if (!read.ok || read.value.kind !== 'purchase') return;
          const { purchase } = read.value;
          expect(typeof purchase.licenseType).toBe('string');
          expect(Number.isFinite(purchase.price ?? 0)).toBe(true);
          expect(Number.isFinite(purchase.date ?? 0)).toBe(true);
          expect(typeof (purchase.downloaded ?? false)).toBe('boolean');
          expect(Number.isFinite(purchase.supportedUntil ?? 0)).toBe(true);
          expect(Number.isSafeInteger(purchase.item.id)).toBe(true);
          expect(purchase.item.tags.every((tag) => typeof tag === 'string')).toBe(true);
          for (const address of [purchase.item.demoLink, purchase.item.media.thumbnail]) {
            expect(address ?? 'https://').toMatch(/^https?:\/\//);
          }
        }),
      );
    });

    test('named like a prototype’s member is harmless', () => {
      const hostile = `{"status":"success","__proto__":{"polluted":1},"data":{"__proto__":{"purchase":{}},"purchase":${JSON.stringify(
        purchaseWire(),
      ).replace('{', '{"__proto__":{"price":0},"constructor":{"prototype":{"polluted":1}},')}}}`;
      expect(validation(rawText(hostile))).toMatchObject(succeed({ purchase: { price: 29 } }));
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });
});

describe('opened reply', () => {
  const now = 1_000_000;
  const html = '<!doctype html><title>Not found</title>';
  const error = { status: 'error', msg: 'Invalid purchase code' };
  const success = { status: 'success', data: {} };

  function opened(raw: RawReply): unknown {
    const result = openReply(raw, now);
    return result.ok ? result.value : result.fault;
  }

  describe('the body decides', () => {
    test.each([200, 201, 302, 400, 404, 410, 422])(
      'status "error" is an error at HTTP %i',
      (status) => {
        expect(opened(rawReply(error, status))).toEqual({ kind: 'error', msg: error.msg });
      },
    );

    test.each(['success', 'Erfolg', 'ok', '', true, 1, null])(
      '%j at 2xx is a success',
      (status) => {
        const body = { status, data: {} };
        expect(opened(rawReply(body))).toEqual({ kind: 'success', body });
      },
    );

    test('an error whose word is translated is known by its shape', () => {
      const body = { status: 'Fehler', msg: 'Ungültiger Kaufcode' };
      expect(opened(rawReply(body, 404))).toEqual({ kind: 'error', msg: body.msg });
      expect(opened(rawReply(body, 200))).toEqual({ kind: 'error', msg: body.msg });
      expect(opened(rawReply({ ...body, data: {} }))).toMatchObject({ kind: 'success' });
    });

    test.each([{ success: false }, { success: 0 }, { status: false }, { error: true }])(
      '%j is neither a success nor a word about the code, whatever else the reply holds',
      (flag) => {
        const msg = 'License expired';
        const refused = { kind: 'refused', msg, about: 'request' };
        for (const rest of [{}, { data: { purchase: purchaseWire() } }, { item: purchaseWire() }]) {
          expect(opened(rawReply({ ...flag, msg, ...rest }))).toEqual(refused);
          expect(opened(rawReply({ ...flag, message: msg, ...rest }))).toEqual(refused);
        }
      },
    );

    test('the words of the server come as they are, and are empty where there are none', () => {
      expect(opened(rawReply({ status: 'error', msg: ' <b>No</b>\n' }))).toMatchObject({
        msg: ' <b>No</b>\n',
      });
      expect(opened(rawReply({ status: 'error', msg: ['x'] }))).toMatchObject({ msg: '' });
    });

    test('a success at an error’s HTTP status is not believed', () => {
      expect(opened(rawReply({ ...success, msg: 'No' }, 400))).toEqual({
        kind: 'refused',
        msg: 'No',
        about: 'request',
      });
    });
  });

  describe('what the HTTP status says first', () => {
    test.each([401, 403])('%i is about the key', (status) => {
      expect(opened(rawReply({ status: 'error', msg: 'Invalid request' }, status))).toEqual({
        kind: 'refused',
        msg: 'Invalid request',
        about: 'key',
      });
      expect(opened(rawReply({ message: 'Unauthenticated.' }, status))).toMatchObject({
        msg: 'Unauthenticated.',
        about: 'key',
      });
    });

    test.each([405, 406, 408, 411, 413, 414, 415, 425, 431])(
      '%i is about the request, so it answers nothing',
      (status) => {
        expect(opened(rawReply(error, status))).toMatchObject({
          kind: 'refused',
          about: 'request',
        });
      },
    );

    test('429 waits as long as it says, else a minute', () => {
      const limited = { kind: 'rate-limited', by: 'server' };
      expect(opened(rawReply(error, 429, { retryAt: 5 }))).toEqual({ ...limited, retryAt: 5 });
      expect(opened(rawText(html, 429))).toEqual({ ...limited, retryAt: now + 60_000 });
    });

    test.each([502, 503, 504])('%i is a gateway’s word, whatever the body', (status) => {
      const fault = { kind: 'server-error', status };
      expect(opened(rawText(html, status))).toEqual(fault);
      expect(opened(rawReply(error, status))).toEqual(fault);
      expect(opened(rawReply(success, status, { retryAt: 9 }))).toEqual({ ...fault, retryAt: 9 });
    });

    test.each([500, 501, 522])('%i is the server’s own trouble', (status) => {
      const fault = { kind: 'server-error', status };
      expect(opened(rawText(html, status))).toEqual(fault);
      expect(opened(rawReply({ message: 'Server Error' }, status))).toEqual(fault);
      expect(opened(rawReply(success, status, { retryAt: 9 }))).toEqual({ ...fault, retryAt: 9 });
    });

    test.each([500, 501, 522])('at %i the API’s own error is still its answer', (status) => {
      expect(opened(rawReply(error, status))).toMatchObject({ kind: 'error', msg: error.msg });
    });
  });

  describe('where JSON was due', () => {
    test.each([
      ['HTML with a 404', rawText(html, 404)],
      ['HTML with a 404 that says nothing of its type', rawText(html, 404, { contentType: '' })],
      ['plain text with a 404', rawText('404 page not found', 404, { contentType: 'text/plain' })],
      ['a framework’s own 404 in JSON', rawReply({ message: 'Not Found' }, 404)],
    ])('%s: the API is off, or this is not the base address', (_name, raw) => {
      expect(opened(raw)).toEqual({ kind: 'api-off' });
    });

    test.each([
      ['HTML at 200', rawText(html), 200, 'suspected'],
      [
        'HTML at 200 under a wrong type',
        rawText(html, 200, { contentType: 'text/plain' }),
        200,
        'suspected',
      ],
      ['XHTML', rawText('x', 200, { contentType: 'application/xhtml+xml' }), 200, 'suspected'],
      ['HTML at 300', rawText(html, 300), 300, 'suspected'],
      ['HTML at 403', rawText(html, 403), 403, 'ruled-out'],
      ['plain text', rawText('hello', 200, { contentType: 'text/plain' }), 200, 'ruled-out'],
      ['nothing at all', rawText('', 200, { contentType: '' }), 200, 'ruled-out'],
      [
        'JSON cut short',
        rawText('{"status":"succ', 200, { contentType: 'application/json' }),
        200,
        'ruled-out',
      ],
      [
        'JSON cut short, with a 404',
        rawText('{"status":"err', 404, { contentType: '' }),
        404,
        'ruled-out',
      ],
    ])('%s is not JSON', (_name, raw, status, userAgent) => {
      expect(opened(raw)).toEqual({ kind: 'not-json', status, userAgent });
    });

    test.each([[[]], ['text'], [7], [null]])('%j is JSON, but no reply', (body) => {
      expect(opened(rawReply(body))).toEqual({ kind: 'unreadable', path: '$' });
    });
  });

  describe('what a server prints around the body', () => {
    const body = JSON.stringify(success);

    test.each([
      ['a BOM', `\uFEFF${body}`],
      [
        'a notice',
        `<br />\n<b>Notice</b>: Undefined index in <b>/x.php</b> on line <b>3</b><br />\n${body}`,
      ],
      ['a BOM, a notice and line breaks', `\uFEFFPHP Warning: x\r\n\r\n${body}\n`],
      ['a notice with braces', `<b>Notice</b>: {closure} ${body}`],
      ['a style sheet', `<style>.notice{color:red}</style>${body}`],
      ['a remark of a cache behind it', `${body}\n<!-- cached 2026-11-20 -->`],
      ['the 0 of WordPress behind it', `${body}0`],
      ['a string of JSON', JSON.stringify(body)],
      ['a notice behind it', `${body}<br />\n<b>Notice</b>: ob_end_clean() failed`],
    ])('%s is passed over', (_name, text) => {
      expect(opened(rawText(text))).toEqual({ kind: 'success', body: success });
    });

    test.each([
      ['a page with JSON in it', `<html><script>var x = ${body}</script></html>`],
      ['a script with JSON in it', `<title>x</title><script>var x = ${body}</script>`],
      ['one body behind another', `{"a":1}${body}`],
      ['a body that breaks off', `Notice ${body.slice(0, -1)}`],
    ])('%s is not JSON', (_name, text) => {
      expect(opened(rawText(text))).toMatchObject({ kind: 'not-json' });
    });
  });

  test('no bytes at any status make it throw', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.integer({ min: 200, max: 599 }),
        fc.string(),
        (body, status, contentType) => {
          openReply({ status, contentType, body }, now);
        },
      ),
    );
  });

  test('deep nesting is not read, closed or not', () => {
    const depth = 500_000;
    expect(opened(rawText('['.repeat(depth), 200))).toMatchObject({ kind: 'not-json' });
    const closed = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(opened(rawText(closed, 200))).toMatchObject({ kind: 'not-json' });
  });
});

describe('read account', () => {
  function read(data: Wire): Account | string {
    const result = readAccountReply(rawReply({ status: 'success', data }), 0);
    if (result.ok) return result.value;
    return 'path' in result.fault ? result.fault.path : result.fault.kind;
  }

  const without = (path: string): Account | string =>
    read(withField(accountWire(), path, undefined));
  const having = (path: string, value: unknown): Account | string =>
    read(withField(accountWire(), path, value));

  test('every field of spec section 2, "Account" and "Profile"', () => {
    expect(read(accountWire())).toEqual({
      username: 'adalund',
      email: 'ada@seller.test',
      name: { first: 'Ada', last: 'Lund', full: 'Ada Lund' },
      balance: 1204.5,
      currency: 'USD',
      registeredAt: Date.UTC(2014, 4, 6, 7, 8, 9),
      profile: {
        heading: 'Themes & plugins',
        description: '<b>Since 2014</b>',
        contactEmail: 'hello@seller.test',
        socialLinks: [
          { network: 'facebook', url: 'https://facebook.test/ada' },
          { network: 'x', url: 'https://x.test/ada' },
        ],
        avatar: 'https://cdn.test/a.png',
        cover: 'https://cdn.test/c.png',
      },
    });
  });

  describe('presence', () => {
    test.each([
      ['username', 'username', ''],
      ['currency', 'currency', ''],
    ])('%s that is left out is no text', (path, name, expected) => {
      expect(without(path)).toHaveProperty(name, expected);
      expect(having(path, null)).toHaveProperty(name, expected);
    });

    test('one field is enough for an account, none is none', () => {
      expect(read({ username: 'adalund' })).toEqual({
        username: 'adalund',
        email: '',
        currency: '',
        name: { first: '', last: '', full: '' },
        profile: { heading: '', description: '', socialLinks: [] },
      });
      for (const data of [{}, { purchase: {} }, []]) expect(read(data as Wire)).toBe('data');
    });

    test.each([
      ['name', 'name', { first: '', last: '', full: '' }],
      ['name.full_name', 'name.full', ''],
      ['email', 'email', ''],
      ['profile', 'profile', { heading: '', description: '', socialLinks: [] }],
      ['profile.heading', 'profile.heading', ''],
      ['profile.description', 'profile.description', ''],
      ['profile.social_links', 'profile.socialLinks', []],
    ])('%s that is absent is nothing, and nothing is made up for it', (path, name, expected) => {
      expect(without(path)).toHaveProperty(name, expected);
      expect(having(path, null)).toHaveProperty(name, expected);
    });

    test.each([
      ['profile.contact', 'profile.contactEmail'],
      ['profile.contact.email', 'profile.contactEmail'],
      ['profile.media', 'profile.avatar'],
      ['profile.media.avatar', 'profile.avatar'],
      ['profile.media.cover', 'profile.cover'],
      ['registered_at', 'registeredAt'],
      ['balance', 'balance'],
    ])('%s that is absent is left out', (path, name) => {
      expect(without(path)).not.toHaveProperty(name);
      expect(having(path, null)).not.toHaveProperty(name);
    });

    test('a reply without data is unreadable', () => {
      expect(readAccountReply(rawReply({ status: 'success' }), 0)).toEqual(
        fail({ kind: 'unreadable', path: 'data' }),
      );
    });
  });

  describe('shapes', () => {
    test.each([
      ['balance', '1204.50', 'balance', 1204.5],
      ['balance', '-3.10', 'balance', -3.1],
      ['profile', [], 'profile.socialLinks', []],
      ['profile.contact', [], 'profile.heading', 'Themes & plugins'],
      ['profile.social_links', [], 'profile.socialLinks', []],
    ])('%s as %j is read', (path, value, name, expected) => {
      expect(having(path, value)).toHaveProperty(name, expected);
    });

    test('social links are an open set, in the order sent, without those that are no links', () => {
      const links = {
        mastodon: 'https://m.test/@a',
        x: null,
        y: '',
        z: 'javascript:1',
        q: 'a_handle',
        一: 'http://e.test/',
      };
      expect(having('profile.social_links', links)).toHaveProperty('profile.socialLinks', [
        { network: 'mastodon', url: 'https://m.test/@a' },
        { network: '一', url: 'http://e.test/' },
      ]);
    });

    test('a network named like a prototype’s member is a name like any other', () => {
      const text = JSON.stringify({ status: 'success', data: accountWire() }).replace(
        '"facebook"',
        '"__proto__"',
      );
      const read = readAccountReply(rawText(text), 0);
      expect(read.ok && read.value.profile.socialLinks[0]).toEqual({
        network: '__proto__',
        url: 'https://facebook.test/ada',
      });
    });

    test.each([
      ['balance', 'a lot'],
      ['username', {}],
      ['name', 'Ada Lund'],
      ['profile.social_links', 'https://x.test'],
      ['profile.social_links', ['https://x.test']],
      ['profile.contact.email', {}],
      ['registered_at', 'long ago'],
      ['email', []],
      ['currency', {}],
      ['profile', 'Themes'],
      ['profile.heading', {}],
      ['profile.description', ['x']],
      ['profile.social_links', { x: {} }],
      ['profile.media', 'https://cdn.test/a.png'],
      ['profile.media.avatar', 7],
    ])('%s as %j costs itself alone and is named', (path, value) => {
      expect(having(path, value)).toEqual({ ...(without(path) as Account), unreadable: [path] });
    });
  });
});

describe('read item', () => {
  function read(item: Wire): Item | string {
    const result = readItemReply(rawReply({ status: 'success', item }), 41, 0);
    if (!result.ok) return 'path' in result.fault ? result.fault.path : result.fault.kind;
    return result.value.kind === 'item' ? result.value.item : result.value.kind;
  }

  const without = (path: string): Item | string => read(withField(itemWire(), path, undefined));
  const having = (path: string, value: unknown): Item | string =>
    read(withField(itemWire(), path, value));

  test('every field of spec section 2, "Item"', () => {
    expect(read(itemWire())).toEqual({
      id: 41,
      name: 'Harbour theme',
      description: 'A theme.',
      category: 'Themes',
      subCategory: 'Blog',
      options: ['PHP 8', 'Documentation'],
      version: '2.4.1',
      demoLink: 'https://demo.test/harbour',
      tags: ['blog', 'clean'],
      media: {
        thumbnail: 'https://cdn.test/t.png',
        previewImage: 'https://cdn.test/p.png',
        previewVideo: 'https://cdn.test/p.mp4',
        previewAudio: 'https://cdn.test/p.mp3',
        screenshots: ['https://cdn.test/1.png', 'https://cdn.test/2.png'],
      },
      price: { regular: 29, extended: 149.5 },
      currency: 'USD',
      publishedAt: Date.UTC(2020, 1, 29),
    });
  });

  describe('presence', () => {
    test.each(['id', 'name'])('%s must be there', (path) => {
      expect(without(path)).toBe(`item.${path}`);
      expect(having(path, null)).toBe(`item.${path}`);
    });

    test('nothing else must be there', () => {
      expect(read({ id: 41, name: 'Harbour theme' })).toEqual({
        id: 41,
        name: 'Harbour theme',
        description: '',
        category: '',
        subCategory: '',
        version: '',
        currency: '',
        options: [],
        tags: [],
        media: { screenshots: [] },
        price: {},
      });
    });

    test.each([
      ['description', 'description'],
      ['category', 'category'],
      ['sub_category', 'subCategory'],
      ['version', 'version'],
    ])('%s that is absent is no text', (path, name) => {
      expect(without(path)).toHaveProperty(name, '');
      expect(having(path, null)).toHaveProperty(name, '');
    });

    test.each([
      ['media.thumbnail', 'thumbnail'],
      ['media.preview_image', 'previewImage'],
      ['media.preview_video', 'previewVideo'],
      ['media.preview_audio', 'previewAudio'],
    ])('%s that is absent is left out', (path, name) => {
      for (const item of [without(path), having(path, null)]) {
        expect((item as Item).media).not.toHaveProperty(name);
      }
    });

    test('screenshots that are absent are none', () => {
      expect(without('media.screenshots')).toHaveProperty('media.screenshots', []);
    });

    test.each([
      ['demo_link', 'demoLink'],
      ['published_at', 'publishedAt'],
    ])('%s that is absent is left out', (path, name) => {
      expect(without(path)).not.toHaveProperty(name);
      expect(having(path, null)).not.toHaveProperty(name);
    });

    test.each([
      ['media', []],
      ['media', null],
      ['media', undefined],
    ])('%s as %j holds nothing', (path, value) => {
      expect(having(path, value)).toHaveProperty('media', { screenshots: [] });
    });
  });

  describe('shapes', () => {
    test.each([
      ['name', 2048, 'name', '2048'],
      ['version', 3, 'version', '3'],
      ['price.regular', '29.00', 'price.regular', 29],
      ['options', null, 'options', []],
      ['options', { 0: 'a', 2: 'b' }, 'options', ['a', 'b']],
      ['tags', ['', 'a'], 'tags', ['a']],
      ['tags', [2024], 'tags', ['2024']],
      [
        'media.screenshots',
        ['https://cdn.test/1.png', 'javascript:alert(1)', null],
        'media.screenshots',
        ['https://cdn.test/1.png'],
      ],
    ])('%s as %j is read', (path, value, name, expected) => {
      expect(having(path, value)).toHaveProperty(name, expected);
    });

    test('an id in digits is that id', () => {
      expect(having('id', '41')).toHaveProperty('id', 41);
    });

    test.each([
      ['id', 41.5],
      ['id', -1],
      ['id', '41a'],
      ['id', '99999999999999999999'],
      ['name', {}],
      ['name', ['Harbour theme']],
    ])('%s as %j could mean too much to be read', (path, value) => {
      expect(having(path, value)).toEqual(expect.stringContaining(`item.${path}`));
    });

    test.each([
      ['description', {}],
      ['category', ['Themes']],
      ['sub_category', true],
      ['version', {}],
      ['options', 'PHP, HTML'],
      ['options', 7],
      ['tags', 'blog, clean'],
      ['tags', [{}]],
      ['tags', { first: 'a' }],
      ['media', 'x'],
      ['media', ['https://cdn.test/t.png']],
      ['media.thumbnail', 7],
      ['media.screenshots', 'https://cdn.test/1.png'],
      ['media.screenshots', [{}]],
      ['price', 29],
      ['price', '29.00'],
      ['price.regular', '29,00'],
      ['price.extended', { amount: 29 }],
      ['currency', {}],
      ['published_at', 'yesterday'],
      ['published_at', 158293440],
      ['demo_link', {}],
    ])('%s as %j costs itself alone and is named', (path, value) => {
      expect(having(path, value)).toEqual({ ...(without(path) as Item), unreadable: [path] });
    });

    const empty = ['', null, [], {}] as const;
    test.each(
      ['options', 'tags', 'media', 'media.screenshots', 'price'].flatMap((path) =>
        empty.map((value) => [path, value] as const),
      ),
    )('%s as %j is empty, and read', (path, value) => {
      expect(having(path, value)).toEqual(without(path));
    });

    test('entries that can be read are, beside those that cannot', () => {
      expect(having('tags', ['a', {}, 'b'])).toMatchObject({
        tags: ['a', 'b'],
        unreadable: ['tags'],
      });
    });

    test.each(['javascript:alert(1)', 'data:image/svg+xml,<svg/>', '/relative', '', null])(
      'a link %j is no link, and no fault',
      (value) => {
        expect(having('demo_link', value)).not.toHaveProperty('demoLink');
        expect(having('media.thumbnail', value)).not.toHaveProperty('media.thumbnail');
      },
    );
  });
});

describe('read purchase', () => {
  const day = Date.UTC(2026, 8, 12, 10);

  function read(purchase: Wire): Purchase | string {
    const reply = rawReply({ status: 'success', data: { purchase } });
    const result = readValidationReply(reply, askedCode, 0);
    if (!result.ok) return 'path' in result.fault ? result.fault.path : result.fault.kind;
    return result.value.kind === 'purchase' ? result.value.purchase : result.value.kind;
  }

  const without = (path: string): Purchase | string =>
    read(withField(purchaseWire(), path, undefined));
  const having = (path: string, value: unknown): Purchase | string =>
    read(withField(purchaseWire(), path, value));

  test('every field of spec section 2, "Purchase"', () => {
    expect(read(purchaseWire())).toEqual({
      purchaseCode: askedCode,
      licenseType: 'Regular',
      price: 29,
      currency: 'USD',
      item: expect.objectContaining({ id: 41 }) as unknown,
      supportedUntil: Date.UTC(2027, 2, 12, 10),
      downloaded: true,
      date: day,
    });
  });

  describe('presence', () => {
    test.each(['purchase_code', 'item'])('%s must be there', (field) => {
      expect(without(field)).toBe(`data.purchase.${field}`);
      expect(having(field, null)).toBe(`data.purchase.${field}`);
    });

    test('without license type and date it is a purchase all the same', () => {
      expect(without('license_type')).toHaveProperty('licenseType', '');
      expect(without('date')).not.toHaveProperty('date');
      for (const unset of [null, '', '0000-00-00 00:00:00'])
        expect(having('date', unset)).not.toHaveProperty('date');
    });

    test('supported_until is left out when there is no support', () => {
      expect(without('supported_until')).not.toHaveProperty('supportedUntil');
      const noDays = ['0000-00-00', '0000-00-00 00:00:00', '1970-01-01T00:00:00Z'];
      for (const unset of [null, '', ...noDays])
        expect(having('supported_until', unset)).not.toHaveProperty('supportedUntil');
    });

    test.each([
      ['2027-03-12 10:00:00.000000', 3, 'UTC'],
      ['2027-03-12 12:00:00.000000', 1, '+02:00'],
      ['2027-03-12 10:00:00.000000', 2, 'Z'],
    ])('supported_until may be a date as PHP writes it: %s, %i, %s', (...parts) => {
      const [date, timezone_type, timezone] = parts;
      expect(having('supported_until', { date, timezone_type, timezone })).toHaveProperty(
        'supportedUntil',
        Date.UTC(2027, 2, 12, 10),
      );
      // Another zone than these is none that we know.
      expect(having('supported_until', { date, timezone: 'Europe/Rome' })).toBe(
        'data.purchase.supported_until',
      );
      expect(having('supported_until', { date: null, timezone })).toBe(
        'data.purchase.supported_until',
      );
    });

    test('unknown fields are passed over', () => {
      expect(having('buyer', { name: 'x' })).toEqual(read(purchaseWire()));
    });
  });

  describe('types', () => {
    test.each([
      ['purchase_code', true],
      ['purchase_code', ''],
      ['purchase_code', 1e21],
      ['supported_until', '12/09/2026'],
      ['supported_until', 178920720],
      ['supported_until', 'Mon, 99 Sep 2026 10:00:00 GMT'],
      ['supported_until', false],
      ['supported_until', 'never'],
      ['item', 'Harbour theme'],
      ['item', []],
    ])('%s as %j could mean too much to be read', (field, value) => {
      expect(having(field, value)).toEqual(expect.stringContaining(`data.purchase.${field}`));
    });

    test.each([
      ['license_type', ['Regular']],
      ['date', '12/09/2026'],
      ['date', 'Mon, 99 Sep 2026 10:00:00 GMT'],
      ['price', 'free'],
      ['price', '29,00'],
      ['price', '1,234'],
      ['price', '1e3'],
      ['price', true],
      ['price', {}],
      ['currency', {}],
      ['downloaded', 2],
      ['downloaded', 'yes'],
    ])('%s as %j costs itself alone and is named', (field, value) => {
      expect(having(field, value)).toEqual({
        ...(without(field) as Purchase),
        unreadable: [field],
      });
    });

    test.each(['price', 'downloaded'])('%s that is empty or absent is left out', (field) => {
      for (const purchase of [without(field), having(field, null), having(field, '')]) {
        expect(purchase).not.toHaveProperty('unreadable');
        expect(purchase).not.toHaveProperty(field);
      }
    });

    test('an odd form in the item costs no verdict', () => {
      expect(having('item', { id: 41, name: 'Harbour theme', tags: 'a, b' })).toMatchObject({
        date: day,
        item: { id: 41, tags: [], unreadable: ['tags'] },
      });
    });

    test('a name that the shop keeps as HTML is shown as text', () => {
      const name = 'Salt &amp; Sail &#8211; &quot;Deck&quot; &amp;lt;';
      expect(having('item', { id: 41, name })).toHaveProperty(
        'item.name',
        'Salt & Sail – "Deck" &lt;',
      );
    });

    test.each([
      ['license_type', 'Reguläre Lizenz', 'licenseType', 'Reguläre Lizenz'],
      ['price', '29.00', 'price', 29],
      ['price', '1,234.50', 'price', 1234.5],
      ['price', 0, 'price', 0],
      ['downloaded', 0, 'downloaded', false],
      ['downloaded', 1, 'downloaded', true],
      ['downloaded', '0', 'downloaded', false],
      ['downloaded', '1', 'downloaded', true],
      ['downloaded', 'true', 'downloaded', true],
      ['downloaded', 'false', 'downloaded', false],
      ['date', '2026-09-12T10:00:00.000000Z', 'date', day],
      ['date', '2026-09-12T12:00:00+02:00', 'date', day],
      ['date', '2026-09-12 10:00:00', 'date', day],
      ['date', '2026-09-12 10:00:00 UTC', 'date', day],
      ['date', '2026-09-12 12:00:00+02', 'date', day],
      ['date', '2026-09-12', 'date', Date.UTC(2026, 8, 12)],
      ['date', 'Sat, 12 Sep 2026 12:00:00 +0200', 'date', day],
      ['date', 'Sat, 12 Sep 2026 10:00:00 GMT', 'date', day],
      ['date', day / 1000, 'date', day],
      ['date', String(day / 1000), 'date', day],
      ['date', day + 1, 'date', day + 1],
    ])('%s as %j is read', (field, value, name, expected) => {
      expect(having(field, value)).toHaveProperty(name, expected);
    });
  });
});

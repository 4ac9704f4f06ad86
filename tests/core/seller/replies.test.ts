import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { RawReply } from '#core/seller/exchange';
import {
  readAccountReply,
  readItemReply,
  readItemsReply,
  readValidationReply,
} from '#core/seller/replies';
import {
  accountWire,
  askedCode,
  itemWire,
  purchaseWire,
  rawReply,
  rawText,
  withField,
} from '#tests/core/seller/wire-examples';
import { anyText } from '#tests/core/text/any-text';

const now = Date.UTC(2026, 10, 3);
const account = (raw: RawReply): unknown => readAccountReply(raw, now);
const items = (raw: RawReply): unknown => readItemsReply(raw, now);
const item = (raw: RawReply): unknown => readItemReply(raw, 41, now);
const validation = (raw: RawReply): unknown => readValidationReply(raw, askedCode, now);
const purchaseReply = (purchase: unknown): RawReply =>
  rawReply({ status: 'success', data: { purchase } });

describe('the success bodies of spec section 4', () => {
  test('account details', () => {
    expect(account(rawReply({ status: 'success', data: accountWire() }))).toMatchObject({
      ok: true,
      value: { username: 'adalund' },
    });
  });

  test('all items', () => {
    const two = [itemWire(), { ...itemWire(), id: 42 }];
    expect(items(rawReply({ status: 'success', items: two }))).toMatchObject({
      ok: true,
      value: { items: [{ id: 41 }, { id: 42 }], unreadable: [] },
    });
    expect(items(rawReply({ status: 'success', items: [] }))).toEqual({
      ok: true,
      value: { items: [], unreadable: [] },
    });
  });

  test('one item', () => {
    expect(item(rawReply({ status: 'success', item: itemWire() }))).toMatchObject({
      ok: true,
      value: { kind: 'item', item: { id: 41, name: 'Harbour theme' } },
    });
  });

  test('purchase validation', () => {
    expect(validation(purchaseReply(purchaseWire()))).toMatchObject({
      ok: true,
      value: { kind: 'purchase', purchase: { purchaseCode: askedCode, item: { id: 41 } } },
    });
  });
});

describe('the error messages of spec section 7', () => {
  const error = (msg: string): RawReply[] =>
    [200, 400, 404].map((status) => rawReply({ status: 'error', msg }, status));

  test('Invalid request: the key is refused, since nothing else was asked with', () => {
    for (const raw of error('Invalid request')) {
      expect(account(raw)).toEqual({
        ok: false,
        fault: { kind: 'refused', msg: 'Invalid request', about: 'key' },
      });
    }
  });

  test('No items found: an empty list in which a single item may be hidden', () => {
    for (const raw of error('No items found')) {
      expect(items(raw)).toEqual({
        ok: true,
        value: { items: [], unreadable: [], noneFound: { msg: 'No items found' } },
      });
    }
  });

  test('Item Not Found', () => {
    for (const raw of error('Item Not Found')) {
      expect(item(raw)).toEqual({ ok: true, value: { kind: 'not-found', msg: 'Item Not Found' } });
    }
  });

  test('Invalid purchase code: no such purchase', () => {
    for (const raw of error('Invalid purchase code')) {
      expect(validation(raw)).toEqual({
        ok: true,
        value: { kind: 'not-found', msg: 'Invalid purchase code' },
      });
    }
  });

  test('a message in any other words means the same: nothing is decided by the text', () => {
    expect(validation(rawReply({ status: 'error', msg: 'Licence inconnue' }, 404))).toMatchObject({
      value: { kind: 'not-found', msg: 'Licence inconnue' },
    });
  });

  test('the key refused at validation is no word about the code', () => {
    expect(validation(rawReply({ status: 'error', msg: 'Invalid request' }, 401))).toMatchObject({
      fault: { kind: 'refused', about: 'key' },
    });
  });
});

describe('where a deployment puts the purchase', () => {
  test('under item, with its Item inside', () => {
    expect(validation(rawReply({ status: 'Erfolg', item: purchaseWire() }))).toMatchObject({
      ok: true,
      value: { kind: 'purchase', purchase: { item: { id: 41 } } },
    });
    const broken = withField(purchaseWire(), 'item.name', []);
    expect(validation(rawReply({ status: 'success', item: broken }))).toEqual({
      ok: false,
      fault: { kind: 'unreadable', path: 'item.item.name' },
    });
  });

  test('an Item under item is no purchase', () => {
    expect(validation(rawReply({ status: 'success', item: itemWire() }))).toEqual({
      ok: false,
      fault: { kind: 'unreadable', path: 'data.purchase' },
    });
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
    expect(validation(rawReply(body))).toEqual({
      ok: false,
      fault: { kind: 'unreadable', path: 'data.purchase' },
    });
  });
});

describe('an answer about something else', () => {
  test('another code is a mismatch', () => {
    const other = { ...purchaseWire(), purchase_code: askedCode.replace('8f', '9f') };
    expect(validation(purchaseReply(other))).toEqual({ ok: false, fault: { kind: 'mismatch' } });
  });

  test.each([askedCode.toUpperCase(), askedCode.replaceAll('-', ''), ` ${askedCode}\n`])(
    '%j is the same code, shown as the server wrote it',
    (code) => {
      expect(validation(purchaseReply({ ...purchaseWire(), purchase_code: code }))).toMatchObject({
        value: { purchase: { purchaseCode: code } },
      });
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
    expect(item(rawReply({ status: 'success', item: { ...itemWire(), id: 7 } }))).toEqual({
      ok: false,
      fault: { kind: 'mismatch' },
    });
  });
});

describe('a list in which not every entry can be read', () => {
  test('keeps the others and says which and why', () => {
    const sent = [itemWire(), { ...itemWire(), id: 'x' }, 'junk', { ...itemWire(), id: 9 }];
    expect(items(rawReply({ status: 'success', items: sent }))).toMatchObject({
      ok: true,
      value: {
        items: [{ id: 41 }, { id: 9 }],
        unreadable: [
          { index: 1, path: 'items.1.id' },
          { index: 2, path: 'items.2' },
        ],
      },
    });
  });

  test('is unreadable when none can', () => {
    expect(items(rawReply({ status: 'success', items: [{ id: 1 }] }))).toEqual({
      ok: false,
      fault: { kind: 'unreadable', path: 'items.0.name' },
    });
  });

  test('may come as the object PHP makes of a list with gaps', () => {
    const sent = { 0: itemWire(), 3: { ...itemWire(), id: 9 } };
    expect(items(rawReply({ status: 'success', items: sent }))).toMatchObject({
      value: { items: [{ id: 41 }, { id: 9 }] },
    });
  });

  test.each([undefined, null, 'none', { name: 'x' }])('%j is no list', (sent) => {
    expect(items(rawReply({ status: 'success', items: sent }))).toEqual({
      ok: false,
      fault: { kind: 'unreadable', path: 'items' },
    });
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
    const verdictFields = [
      'purchase_code',
      'license_type',
      'supported_until',
      'date',
      'item',
    ].concat(['item.id', 'item.name']);
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
        expect(Number.isFinite(purchase.date)).toBe(true);
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
    expect(validation(rawText(hostile))).toMatchObject({
      ok: true,
      value: { purchase: { price: 29 } },
    });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

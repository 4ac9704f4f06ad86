import { afterAll, beforeAll, expect, test } from 'vitest';

import { defaultDialect, codePatternsOf, hasFormOf } from '#core/connections/index';
import { locateCodes } from '#core/codes/index';
import { marketplaceOf } from '#core/marketplaces/asking';
import { fail, succeed } from '#core/result';
import { askingIn } from '#tests/core/marketplaces/asking';
import { rawReply } from '#tests/core/marketplaces/wire-examples';
import { openSandbox, type TestSandbox } from '#tests/support/sandbox';

const place = { marketplace: 'easy-digital-downloads' as const };
const shop = marketplaceOf(place);
const code = '9f86d081884c7d659a2feaa0c55ad015';
const now = Date.UTC(2026, 10, 20);
const told = { expires: 'lifetime', payment_id: 5012, license_limit: 3, site_count: 1 };

const read = (body: object, status = 200) => shop.lookUp?.(code).read(rawReply(body, status), now);

test.each([
  ['valid', undefined],
  ['inactive', undefined],
  ['site_inactive', undefined],
  ['expired', 'expired'],
  ['disabled', 'disabled'],
  ['revoked', 'disabled'],
])('a key that the shop calls %s has the problem %s', (license, kind) => {
  expect(read({ success: true, license, ...told })).toMatchObject(
    succeed({
      purchase: {
        purchaseCode: code,
        uses: { count: 1, limit: 3 },
        ...(kind !== undefined && { problem: { kind } }),
      },
    }),
  );
});

test.each([
  ['expired', 'expired'],
  ['disabled', 'disabled'],
  ['no_activations_left', undefined],
])('a key that the shop calls invalid since it is %s is known', (error, kind) => {
  const reply = read({ success: false, license: 'invalid', error, ...told });
  const purchase = reply?.ok && reply.value.kind === 'purchase' ? reply.value.purchase : reply;
  expect(purchase).toMatchObject({ purchaseCode: code });
  if (kind === undefined) expect(purchase).not.toHaveProperty('problem');
  else expect(purchase).toMatchObject({ problem: { kind } });
});

test.each([
  ['2027-01-01 23:59:59', Date.UTC(2027, 0, 1, 23, 59, 59), 'expired'],
  [Date.UTC(2027, 0, 1) / 1000, Date.UTC(2027, 0, 1), 'expired'],
  // The shop has not ended it: its clock is another one.
  ['2026-11-19 20:00:00', Date.UTC(2026, 10, 19, 20), undefined],
  ['lifetime', undefined, undefined],
])('a key that is good until %s', (expires, expiresAt, kind) => {
  const reply = read({ success: true, license: 'valid', ...told, expires });
  const purchase = reply?.ok && reply.value.kind === 'purchase' ? reply.value.purchase : undefined;
  expect(purchase?.expiresAt).toBe(expiresAt);
  expect(purchase?.problem?.kind).toBe(kind);
});

test.each([
  '<br />\n<b>Deprecated</b>:  Creation of dynamic property in <b>/srv/a.php</b> on line <b>7</b><br />\n',
  '\nNotice: Undefined index: site in /srv/a.php on line 7\n',
])('a notice of PHP in front of a reply does not hide it: %j', (notice) => {
  const raw = rawReply({ success: true, license: 'valid', ...told });
  const body = new TextEncoder().encode(notice + new TextDecoder().decode(raw.body));
  const reply = shop.lookUp?.(code).read({ ...raw, contentType: 'text/html', body }, now);
  expect(reply).toMatchObject(succeed({ purchase: { purchaseCode: code } }));
});

test('a limit of 0 is none', () => {
  const reply = read({ success: true, license: 'valid', ...told, license_limit: 0 });
  expect(reply).toMatchObject(succeed({ purchase: { uses: { count: 1 } } }));
  expect(reply).not.toHaveProperty('value.purchase.uses.limit');
});

test('a key is unknown where the reason names nothing else', () => {
  const reply = read({ success: false, license: 'invalid', error: 'missing' });
  expect(reply).toEqual(succeed({ kind: 'not-found', msg: 'invalid', everywhere: true }));
});

test.each([
  ['invalid', { everywhere: true }],
  ['key_mismatch', { everywhere: true }],
  ['missing', { everywhere: true }],
  ['item_name_mismatch', { known: true }],
  ['invalid_item_id', { known: true }],
])('%s is not found, and asked about by item where it may be of one', (license, more) => {
  expect(read({ success: false, license })).toEqual(
    succeed({ kind: 'not-found', msg: license, ...more }),
  );
});

test.each([
  [{ license: 'of tomorrow' }, 200, { kind: 'refused', msg: 'of tomorrow', about: 'request' }],
  [{ error: 'Too many' }, 400, { kind: 'refused', msg: 'Too many', about: 'request' }],
  [{ success: true }, 200, { kind: 'unreadable', path: '$.license' }],
])('%j with %i is the fault %j', (body, status, fault) => {
  expect(read(body, status)).toEqual(fail(fault));
});

test.each([
  [200, 'suspected'],
  [403, 'ruled-out'],
])('a page of the shop, or of its login, with %i is no answer', (status, userAgent) => {
  const page = new TextEncoder().encode('<!doctype html><title>Log in</title>');
  const raw = { status, contentType: 'text/html', body: page };
  expect(shop.lookUp?.(code).read(raw, now)).toEqual(fail({ kind: 'not-json', status, userAgent }));
});

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

test('a shop that is at www, and sends there, has not answered about the key', async () => {
  const to = 'https://www.shop.example/';
  await sandbox.injectFault('/easy-digital-downloads', { fault: 'redirect', status: 301, to });
  const asked = askingIn(sandbox, 'easy-digital-downloads');
  expect(await asked.purchase(code)).toEqual(fail({ kind: 'redirected', userAgent: 'suspected' }));
});

test('public key and token stand in no address, and a check carries neither', () => {
  const connection = {
    id: 'one',
    name: 'One',
    baseAddress: 'https://shop.example',
    revision: 1,
    dialect: defaultDialect,
    ...place,
  };
  const access = { connection, apiKey: 'public:secret', deadline: 0 };
  const check = shop.purchase(code, { item: { id: 7, name: '' } }).build(access);
  expect(check.body).toEqual({
    type: 'text',
    text: `edd_action=check_license&license=${code}&item_id=7&url=https%3A%2F%2Fshop.example`,
  });
  expect(JSON.stringify([check, shop.item(7).build(access)])).not.toContain('secret');
});

test('a key keeps its form: dashes would make another one of it', () => {
  expect(shop.correctedSpelling(code)).toBeUndefined();
  expect(shop.correctedSpelling(code.toUpperCase())).toBe(code);
  expect(hasFormOf(place, code)).toBe(true);
});

test.each([
  [`License key: ${code}`, 1],
  [`my key is\n\n  ${code}\n\nthanks`, 1],
  [`> ${code}`, 1],
  [`- ${code}\n`, 1],
  [`${code}  harbour-forms.zip`, 0],
  [`MD5 (forms.zip) = ${code}`, 0],
  [`cache/${code}.php was not written, ${code} was`, 0],
  [`md5:\n${code}`, 0],
])('of %j its digits are a code %i times', (text, count) => {
  const patterns = codePatternsOf([{ ...place, dialect: defaultDialect }]);
  expect(locateCodes(text, patterns)).toHaveLength(count);
});

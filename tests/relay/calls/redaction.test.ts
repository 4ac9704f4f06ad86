import { describe, expect, test } from 'vitest';

import { routesAt } from '#core/marketplaces/asking';
import { marketplaceIds } from '#core/marketplaces/index';
import { relayRulesOf } from '#core/marketplaces/routes';
import { sellerApiRelayRules } from '#core/marketplaces/seller-api/reader';
import { keepFields, redactAccount } from '#relay/calls/redaction';
import { type Role, visibleParts } from '#relay/rules/index';
import { rawReply, rawText } from '#tests/core/marketplaces/wire-examples';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const redact = (text: string, maySee: Role['maySee'] = []): string =>
  new TextDecoder().decode(redactAccount(encode(text), sellerApiRelayRules.accountFields, maySee));

const data = {
  username: 'fenwick',
  email: 'secret@fenwick.test',
  balance: 12.5,
  currency: 'USD',
  profile: { heading: 'Hello', contact: { email: 'secret@fenwick.test' } },
  phone: 'secret',
};
const reply = JSON.stringify({ status: 'success', data, debug: 'secret' });

describe('what a role may not see', () => {
  test('is left out of a reply too deep to be written again', () => {
    const depth = 300_000;
    const deep = `{"data":{"profile":{"heading":${'['.repeat(depth)}${']'.repeat(depth)}}}}`;
    expect(redact(deep, ['profile'])).toBe('{');
    expect(redact(deep, visibleParts)).toBe(deep);
  });

  test('is left out, never zero, and so is what the specification does not name', () => {
    expect(JSON.parse(redact(reply))).toEqual({
      status: 'success',
      data: { username: 'fenwick', currency: 'USD' },
    });
  });

  test('is an e-mail inside the profile, too', () => {
    expect(redact(reply, ['profile'])).not.toContain('secret');
    expect(redact(reply, ['profile'])).toContain('Hello');
  });

  test.each([
    ['a list', [{ contact: { email: 'secret' } }]],
    ['a text', '{"contact":{"email":"secret"}}'],
    ['an object with more in it', { heading: 'Hello', email: 'secret', phone: 'secret' }],
  ])('is an e-mail in a profile that is %s', (_what, profile) => {
    expect(redact(JSON.stringify({ data: { ...data, profile } }), ['profile'])).not.toContain(
      'secret',
    );
  });

  test('is nothing of what the specification names, for a role that sees it', () => {
    const whole = {
      username: 'fenwick',
      currency: 'USD',
      registered_at: '2020-01-01T00:00:00Z',
      name: { firstname: 'Ada', lastname: 'Fenwick', full_name: 'Ada Fenwick' },
      email: 'ada@fenwick.test',
      profile: {
        heading: 'Hello',
        description: 'Text',
        contact: { email: 'ada@fenwick.test' },
        social_links: { x: 'https://x.test' },
        media: { avatar: 'https://a.test' },
      },
    };
    const seen = redact(JSON.stringify({ data: { ...whole, balance: 1 } }), ['email', 'profile']);
    expect(JSON.parse(seen)).toEqual({ data: whole });
  });

  test('stays with a role that sees all, byte for byte', () => {
    expect(redact(`<b>Notice</b>${reply}`, visibleParts)).toBe(`<b>Notice</b>${reply}`);
  });

  test.each([
    ['after a notice', `<b>Notice</b> secret ${reply}`],
    ['cut off', reply.slice(0, -20)],
    ['no JSON', 'balance: secret'],
    ['under another name', JSON.stringify({ status: 'success', account: { balance: 'secret' } })],
    ['as a list', JSON.stringify({ status: 'success', data: [{ email: 'secret' }] })],
    [
      'in the place of a message',
      JSON.stringify({ status: 'success', msg: { balance: 'secret' } }),
    ],
    ['in the name', JSON.stringify({ data: { name: { firstname: 'A', email: 'secret' } } })],
    ['in the place of a text', JSON.stringify({ data: { username: ['secret'] } })],
    ['twice', reply.replace('{"status"', '{"data":{"balance":"secret"},"status"')],
  ])('is not shown when the reply is %s', (_name, text) => {
    expect(redact(text)).not.toContain('secret');
  });

  test('is in no reply of which only some fields are kept', () => {
    const sale = {
      price: 12,
      city: 'secret',
      variants: { Tier: 'Studio' },
      card: { type: 'secret' },
    };
    const sent = JSON.stringify({ success: true, sales: [sale, 'secret'], total: 'secret' });
    const kept = keepFields(new TextEncoder().encode(sent), [
      'success',
      'sales.price',
      'sales.variants.*',
    ]);
    expect(JSON.parse(new TextDecoder().decode(kept))).toEqual({
      success: true,
      sales: [{ price: 12, variants: { Tier: 'Studio' } }],
    });
    const none = (text: string): string =>
      new TextDecoder().decode(keepFields(new TextEncoder().encode(text), ['sales.price']));
    expect(['secret', ' <p>secret', '{"secret', ' '].map(none)).toEqual(['-', '<', '{', '']);
  });

  test('is nothing of an error', () => {
    const error = '{"status":"error","msg":"Invalid request"}';
    expect(redact(error)).toBe(error);
  });
});

describe('a reply that answers nothing', () => {
  const page = '<!doctype html><title>Just a moment…</title>';
  const firewall = { title: 'Error 1020: Access denied', error_code: 1020, cloudflare_error: true };

  test.each([
    ['a page', 403, rawText(page, 403)],
    ['a page', 401, rawText(page, 401)],
    ['a page', 404, rawText(page, 404)],
    ['a page', 200, rawText(page, 200)],
    ['a text', 404, rawText('404 page not found', 404, { contentType: 'text/plain' })],
    ['a text', 403, rawText('error code: 1020', 403, { contentType: 'text/plain' })],
    ['the JSON of a firewall', 403, rawReply(firewall, 403)],
    ['nothing', 403, rawText('', 403)],
    ['nothing', 200, rawText('', 200)],
    ['a part of JSON', 200, rawText('{"user":{"na', 200, { contentType: 'application/json' })],
  ])('is the same fault behind a relay as without one: %s with %i', (_what, _status, raw) => {
    for (const marketplace of [undefined, ...marketplaceIds]) {
      const { routes } = relayRulesOf(marketplace);
      for (const { method, path } of routes) {
        const found = routesAt(method, path.replace('*', '7'));
        const { route, fields, accountFields } =
          found.find((one) => one.marketplace === marketplace) ?? expect.unreachable();
        const passedOn = fields === undefined ? raw.body : keepFields(raw.body, fields);
        const isAccount = route.kind === 'account';
        const shown = isAccount ? redactAccount(raw.body, accountFields, []) : passedOn;
        const { read } = route.call(['7'], '3');
        const fault = (reply: ReturnType<typeof read>) => ({
          ...(reply.ok ? reply : reply.fault),
          msg: '',
        });
        expect(fault(read({ ...raw, body: shown }, 0))).toEqual(fault(read(raw, 0)));
      }
    }
  });
});

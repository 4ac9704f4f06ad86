import { describe, expect, test } from 'vitest';

import { relayedSellerApi } from '#core/marketplaces/seller-api/reader';
import { keepFields, redactAccount } from '#relay/calls/redaction';
import { type Role, visibleParts } from '#relay/rules/index';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const redact = (text: string, maySee: Role['maySee'] = []): string =>
  new TextDecoder().decode(redactAccount(encode(text), relayedSellerApi.accountFields, maySee));

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
    expect(redact(deep, ['profile'])).toBe('');
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
    expect(keepFields(new TextEncoder().encode('secret'), ['sales.price'])).toEqual(
      new Uint8Array(),
    );
  });

  test('is nothing of an error', () => {
    const error = '{"status":"error","msg":"Invalid request"}';
    expect(redact(error)).toBe(error);
  });
});

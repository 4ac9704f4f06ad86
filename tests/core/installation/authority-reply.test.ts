import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type AuthorityReply, readAuthorityReply } from '#core/installation/judge-reply';

const answer = (status: number, body: unknown): AuthorityReply =>
  readAuthorityReply({
    status,
    contentType: 'application/json',
    body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  });
const no = { status: 'error', msg: 'revoked' };

describe('a refusal', () => {
  it.each([200, 400, 402, 403, 405, 409, 410, 413, 415, 422, 451, 499])(
    'is a readable error object at %i',
    (status) => {
      expect(answer(status, no)).toEqual({ kind: 'refused', status, msg: 'revoked' });
    },
  );

  it.each([401, 404, 408, 425, 429, 500, 502, 503, 504, 199, 201, 204, 302, 399])(
    'is not an error object at %i',
    (status) => {
      expect(answer(status, no).kind).not.toBe('refused');
    },
  );

  it.each([
    'Server Error',
    'Something went wrong',
    'Service temporarily unavailable',
    'The license server is down for maintenance',
    'Too many attempts, try again later',
  ])('is not the server’s own trouble: %j', (msg) => {
    for (const status of [200, 400, 403])
      expect(answer(status, { status: 'error', msg })).toEqual({ kind: 'no-answer', status });
  });

  it.each([
    ['HTML', '<h1>Forbidden</h1>'],
    ['a text', '"error"'],
    ['a list', '[{"status":"error"}]'],
    ['another word', '{"status":"failed","msg":"no"}'],
    ['half an object', '{"status":"error"'],
    ['nothing', ''],
  ])('is not %s at 403', (_what, body) => {
    expect(answer(403, body).kind).not.toBe('refused');
  });

  it('needs no message, and a very long one is shortened', () => {
    expect(answer(403, { status: 'error' })).toMatchObject({ kind: 'refused', msg: '' });
    expect(answer(403, { status: 'error', msg: ['a'] })).toMatchObject({ msg: '' });
    const long = answer(403, { status: 'error', msg: 'x'.repeat(9000) });
    expect(long).toMatchObject({ msg: `${'x'.repeat(500)}…` });
    const longest = 'x'.repeat(500);
    expect(answer(403, { status: 'error', msg: longest })).toMatchObject({ msg: longest });
  });
});

describe('a success', () => {
  it('holds a certificate, as text or as an object, in the reply or in its data', () => {
    const object = { domain: 'a.example', signature: 's' };
    for (const reply of [
      { activation_certificate: 'a.b' },
      { data: { activation_certificate: 'a.b' } },
    ]) {
      expect(answer(200, reply)).toEqual({ kind: 'certificate', written: 'a.b' });
    }
    const found = answer(201, { activation_certificate: object });
    expect(found.kind === 'certificate' && JSON.stringify(found.written)).toContain('a.example');
  });

  it.each([
    {},
    { status: 'success' },
    { activation_certificate: '' },
    { activation_certificate: 7 },
  ])('without one proves nothing: %j', (reply) => {
    expect(answer(200, reply)).toEqual({ kind: 'no-certificate' });
  });

  it('at another status is none', () => {
    const reply = { status: 'success', activation_certificate: 'a.b' };
    for (const status of [199, 300, 302, 403, 404, 500]) {
      expect(answer(status, reply)).toEqual({ kind: 'no-answer', status });
    }
  });

  it('is one at any status from 200 to 299', () => {
    for (const status of [200, 204, 299])
      expect(answer(status, { activation_certificate: 'a.b' }).kind).toBe('certificate');
  });

  it('prefers the spec’s place to the wrapper', () => {
    const reply = { activation_certificate: 'a.b', data: { activation_certificate: 'c.d' } };
    expect(answer(200, reply)).toMatchObject({ written: 'a.b' });
  });

  it('that is no text in UTF-8, or no object, is not the authority’s', () => {
    const body = Uint8Array.of(0x7b, 0xff, 0x7d);
    const reply = { status: 200, contentType: 'application/json', body };
    expect(readAuthorityReply(reply)).toEqual({ kind: 'not-json', status: 200 });
    expect(answer(200, '["a.b"]')).toEqual({ kind: 'not-json', status: 200 });
  });

  it('may begin with a byte order mark', () => {
    expect(answer(200, '\uFEFF{"activation_certificate":"a.b"}').kind).toBe('certificate');
  });

  it('names the ambiguities of the JSON around an object', () => {
    const found = answer(200, '{"activation_certificate":{"a":1,"a":2}}');
    expect(found).toMatchObject({ written: { oddities: ['duplicate-name'] } });
  });
});

it('no reply makes it throw', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 599 }),
      fc.uint8Array({ maxLength: 200 }),
      (status, bytes) => {
        const body = new Uint8Array(bytes);
        expect(readAuthorityReply({ status, contentType: '', body }).kind).toBeTypeOf('string');
      },
    ),
  );
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), fc.json(), (status, body) => {
      expect(answer(status, body).kind).toBeTypeOf('string');
    }),
  );
});

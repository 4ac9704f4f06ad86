import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { RawReply } from '#core/seller/exchange';
import { openReply } from '#core/seller/opened-reply';
import { rawReply, rawText } from '#tests/core/seller/wire-examples';

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

  test.each(['success', 'Erfolg', 'ok', '', true, 1, null])('%j at 2xx is a success', (status) => {
    const body = { status, data: {} };
    expect(opened(rawReply(body))).toEqual({ kind: 'success', body });
  });

  test('an error whose word is translated is known by its shape', () => {
    const body = { status: 'Fehler', msg: 'Ungültiger Kaufcode' };
    expect(opened(rawReply(body, 404))).toEqual({ kind: 'error', msg: body.msg });
    expect(opened(rawReply(body, 200))).toEqual({ kind: 'error', msg: body.msg });
    expect(opened(rawReply({ ...body, data: {} }))).toMatchObject({ kind: 'success' });
  });

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
      expect(opened(rawReply(error, status))).toMatchObject({ kind: 'refused', about: 'request' });
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

describe('what PHP prints before the body', () => {
  const body = JSON.stringify(success);

  test.each([
    ['a BOM', `\uFEFF${body}`],
    [
      'a notice',
      `<br />\n<b>Notice</b>: Undefined index in <b>/x.php</b> on line <b>3</b><br />\n${body}`,
    ],
    ['a BOM, a notice and line breaks', `\uFEFFPHP Warning: x\r\n\r\n${body}\n`],
  ])('%s is passed over', (_name, text) => {
    expect(opened(rawText(text))).toEqual({ kind: 'success', body: success });
  });

  test.each([
    ['something after the body', `Notice ${body} end`],
    ['a page with JSON in it', `<html><script>var x = ${body}</script></html>`],
    ['braces in the notice', `Notice: {closure} ${body}`],
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

test('deep nesting is read when it is closed and not JSON when it is not', () => {
  const depth = 500_000;
  expect(opened(rawText('['.repeat(depth), 200))).toMatchObject({ kind: 'not-json' });
  const deep = openReply(rawText(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`), now);
  // The kind alone: comparing the body would exhaust the test's own stack.
  expect(deep.ok && deep.value.kind).toBe('success');
});

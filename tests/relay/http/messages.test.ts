import { expect, test } from 'vitest';

import { readyReply } from '#relay/http/messages';

test('what a seller answers runs no script and opens no window as a page of the relay', () => {
  const body = new TextEncoder().encode('<script>alert(1)</script>');
  const raw = { status: 200, contentType: 'text/html', body };
  const reply = readyReply({ ok: true, value: { raw, checkedAt: 0 } }, 0, 0.5);
  expect(reply.headers['Content-Security-Policy']).toBe("default-src 'none'; sandbox");
});

import { describe, expect, test } from 'vitest';

import { redactAccount } from '#relay/rules/redaction';
import { sights } from '#relay/rules/roles';
import type { Sight } from '#relay/rules/roles';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const redact = (text: string, sees: readonly Sight[] = []): string =>
  new TextDecoder().decode(redactAccount(encode(text), sees));

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

  test('stays with a role that sees all, byte for byte', () => {
    expect(redact(`<b>Notice</b>${reply}`, sights)).toBe(`<b>Notice</b>${reply}`);
  });

  test.each([
    ['after a notice', `<b>Notice</b> secret ${reply}`],
    ['cut off', reply.slice(0, -20)],
    ['no JSON', 'balance: secret'],
    ['under another name', JSON.stringify({ status: 'success', account: { balance: 'secret' } })],
    ['as a list', JSON.stringify({ status: 'success', data: [{ email: 'secret' }] })],
    ['twice', reply.replace('{"status"', '{"data":{"balance":"secret"},"status"')],
  ])('is not shown when the reply is %s', (_name, text) => {
    expect(redact(text)).not.toContain('secret');
  });

  test('is nothing of an error', () => {
    const error = '{"status":"error","msg":"Invalid request"}';
    expect(redact(error)).toBe(error);
  });
});

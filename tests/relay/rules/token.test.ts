import { randomBytes } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { extendedExpiry, holdsToken, parseToken, writeToken } from '#relay/rules/token';

const day = 24 * 3_600_000;

describe('a token', () => {
  const token = writeToken(Buffer.alloc(8, 1), Buffer.alloc(32, 2));

  test('has fixed widths in hexadecimal', () => {
    expect(token).toMatch(/^cfr1_(01){8}_(02){32}_[0-9a-f]{8}$/);
    expect(parseToken(token)?.id).toBe('01'.repeat(8));
  });

  test('differs in its hash from every other', () => {
    const other = writeToken(randomBytes(8), randomBytes(32));
    expect(parseToken(other)?.hash).not.toEqual(parseToken(token)?.hash);
    expect(parseToken(token)?.hash).toHaveLength(32);
  });

  test.each([
    ['a wrong checksum', token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')],
    ['one digit changed', token.replace('0202', '0203')],
    ['capitals', token.toUpperCase()],
    ['space around it', ` ${token}`],
    ['more after it', `${token}\n`],
    ['another prefix', token.replace('cfr1', 'cfr2')],
    ['nothing', ''],
  ])('is not read with %s', (_name, text) => {
    expect(parseToken(text)).toBeUndefined();
  });

  test('is noticed inside other text', () => {
    expect([holdsToken(`x${token}`), holdsToken('a code')]).toEqual([true, false]);
  });
});

describe('the life of a token', () => {
  test('is seven days from the last use', () => {
    expect(extendedExpiry({ signedInAt: 0, expiresAt: 7 * day }, day)).toBe(8 * day);
  });

  test('is never longer than thirty days from the sign-in', () => {
    expect(extendedExpiry({ signedInAt: 0, expiresAt: 28 * day }, 27 * day)).toBe(30 * day);
    expect(extendedExpiry({ signedInAt: 0, expiresAt: 30 * day }, 29 * day)).toBeUndefined();
  });

  test('is not written for less than an hour', () => {
    expect(extendedExpiry({ signedInAt: 0, expiresAt: 7 * day }, 60_000)).toBeUndefined();
  });
});

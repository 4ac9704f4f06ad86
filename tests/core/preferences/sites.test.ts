import { safeParse } from 'valibot';
import { describe, expect, test } from 'vitest';

import {
  siteOriginOf,
  siteOriginSchema,
  siteSchema,
  expectedItemSchema,
} from '#core/preferences/sites';

const hostOf = (length: number): string =>
  `${'a'.repeat(length - 'https://.example'.length)}.example`;

describe('the origin of a page', () => {
  test.each([
    ['https://desk.example.com/ticket/5?x=1#y', 'https://desk.example.com'],
    ['https://DESK.example:8443/', 'https://desk.example:8443'],
    ['http://localhost:8790/desk', 'http://localhost:8790'],
    ['http://127.0.0.1/', 'http://127.0.0.1'],
  ])('%s is one where the ticket script may run', (address, origin) => {
    expect(siteOriginOf(address)).toBe(origin);
  });

  test.each(['', 'desk', 'http://desk.example.com/', 'ftp://desk.example.com/', 'about:blank'])(
    '%j is none',
    (address) => {
      expect(siteOriginOf(address)).toBeUndefined();
    },
  );

  test('may be as long as the bound, and no longer', () => {
    const longest = `https://${hostOf(300)}`;
    expect(longest).toHaveLength(300);
    expect(siteOriginOf(`${longest}/a`)).toBe(longest);
    expect(siteOriginOf(`https://${hostOf(300 + 1)}/`)).toBeUndefined();
  });
});

describe('a stored site', () => {
  const origin = 'https://desk.example.com';
  const expectedItem = { connectionId: 'market', itemId: 7, name: 'Orbit' };
  const isSite = (value: unknown): boolean => safeParse(siteSchema, value).success;

  test('is read with and without an expected item', () => {
    const site = { origin, automatic: true, expectedItem };
    expect(safeParse(siteSchema, site)).toMatchObject({ success: true, output: site });
    expect(isSite({ origin, automatic: false })).toBe(true);
  });

  test.each([
    {},
    { origin },
    { automatic: true },
    { origin, automatic: 'yes' },
    { origin: `${origin}/`, automatic: true },
    { origin: 'http://desk.example.com', automatic: true },
    { origin, automatic: true, expectedItem: {} },
  ])('%j is none', (value) => {
    expect(isSite(value)).toBe(false);
  });

  test('an origin is one that the browser would write', () => {
    expect(safeParse(siteOriginSchema, origin).success).toBe(true);
    expect(safeParse(siteOriginSchema, 'https://Desk.example.com').success).toBe(false);
  });

  test.each([
    [{ itemId: 0, name: '' }, true],
    [expectedItem, true],
    [{ ...expectedItem, itemId: -1 }, false],
    [{ ...expectedItem, itemId: 1.5 }, false],
    [{ itemId: 7 }, false],
    [{ name: 'Orbit' }, false],
    [{ ...expectedItem, name: 'n'.repeat(1001) }, false],
    [{ ...expectedItem, connectionId: 'c'.repeat(65) }, false],
  ])('an expected item %j: %s', (value, isRead) => {
    expect(safeParse(expectedItemSchema, value).success).toBe(isRead);
  });
});

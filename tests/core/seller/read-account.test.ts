import { describe, expect, test } from 'vitest';

import type { Account } from '#core/seller/account';
import { readAccountReply } from '#core/seller/replies';
import {
  accountWire,
  rawReply,
  rawText,
  type Wire,
  withField,
} from '#tests/core/seller/wire-examples';

function read(data: Wire): Account | string {
  const result = readAccountReply(rawReply({ status: 'success', data }), 0);
  if (result.ok) return result.value;
  return 'path' in result.fault ? result.fault.path : result.fault.kind;
}

const without = (path: string): Account | string => read(withField(accountWire(), path, undefined));
const having = (path: string, value: unknown): Account | string =>
  read(withField(accountWire(), path, value));

test('every field of spec section 2, "Account" and "Profile"', () => {
  expect(read(accountWire())).toEqual({
    username: 'adalund',
    email: 'ada@seller.test',
    name: { first: 'Ada', last: 'Lund', full: 'Ada Lund' },
    balance: 1204.5,
    currency: 'USD',
    registeredAt: Date.UTC(2014, 4, 6, 7, 8, 9),
    profile: {
      heading: 'Themes & plugins',
      description: '<b>Since 2014</b>',
      contactEmail: 'hello@seller.test',
      socialLinks: [
        { network: 'facebook', url: 'https://facebook.test/ada' },
        { network: 'x', url: 'https://x.test/ada' },
      ],
      avatar: 'https://cdn.test/a.png',
      cover: 'https://cdn.test/c.png',
    },
  });
});

describe('presence', () => {
  test.each([
    ['username', 'username', ''],
    ['currency', 'currency', ''],
  ])('%s that is left out is no text', (path, name, expected) => {
    expect(without(path)).toHaveProperty(name, expected);
    expect(having(path, null)).toHaveProperty(name, expected);
  });

  test('one field is enough for an account, none is none', () => {
    expect(read({ username: 'adalund' })).toEqual({
      username: 'adalund',
      email: '',
      currency: '',
      name: { first: '', last: '', full: '' },
      profile: { heading: '', description: '', socialLinks: [] },
    });
    for (const data of [{}, { purchase: {} }, []]) expect(read(data as Wire)).toBe('data');
  });

  test.each([
    ['name', 'name', { first: '', last: '', full: '' }],
    ['name.full_name', 'name.full', ''],
    ['email', 'email', ''],
    ['profile', 'profile', { heading: '', description: '', socialLinks: [] }],
    ['profile.heading', 'profile.heading', ''],
    ['profile.description', 'profile.description', ''],
    ['profile.social_links', 'profile.socialLinks', []],
  ])('%s that is absent is nothing, and nothing is made up for it', (path, name, expected) => {
    expect(without(path)).toHaveProperty(name, expected);
    expect(having(path, null)).toHaveProperty(name, expected);
  });

  test.each([
    ['profile.contact', 'profile.contactEmail'],
    ['profile.contact.email', 'profile.contactEmail'],
    ['profile.media', 'profile.avatar'],
    ['profile.media.avatar', 'profile.avatar'],
    ['profile.media.cover', 'profile.cover'],
    ['registered_at', 'registeredAt'],
    ['balance', 'balance'],
  ])('%s that is absent is left out', (path, name) => {
    expect(without(path)).not.toHaveProperty(name);
    expect(having(path, null)).not.toHaveProperty(name);
  });

  test('a reply without data is unreadable', () => {
    expect(readAccountReply(rawReply({ status: 'success' }), 0)).toEqual({
      ok: false,
      fault: { kind: 'unreadable', path: 'data' },
    });
  });
});

describe('shapes', () => {
  test.each([
    ['balance', '1204.50', 'balance', 1204.5],
    ['balance', '-3.10', 'balance', -3.1],
    ['profile', [], 'profile.socialLinks', []],
    ['profile.contact', [], 'profile.heading', 'Themes & plugins'],
    ['profile.social_links', [], 'profile.socialLinks', []],
  ])('%s as %j is read', (path, value, name, expected) => {
    expect(having(path, value)).toHaveProperty(name, expected);
  });

  test('social links are an open set, in the order sent, without those that are no links', () => {
    const links = {
      mastodon: 'https://m.test/@a',
      x: null,
      y: '',
      z: 'javascript:1',
      q: 'a_handle',
      一: 'http://e.test/',
    };
    expect(having('profile.social_links', links)).toHaveProperty('profile.socialLinks', [
      { network: 'mastodon', url: 'https://m.test/@a' },
      { network: '一', url: 'http://e.test/' },
    ]);
  });

  test('a network named like a prototype’s member is a name like any other', () => {
    const text = JSON.stringify({ status: 'success', data: accountWire() }).replace(
      '"facebook"',
      '"__proto__"',
    );
    const read = readAccountReply(rawText(text), 0);
    expect(read.ok && read.value.profile.socialLinks[0]).toEqual({
      network: '__proto__',
      url: 'https://facebook.test/ada',
    });
  });

  test.each([
    ['balance', 'a lot'],
    ['username', {}],
    ['name', 'Ada Lund'],
    ['profile.social_links', 'https://x.test'],
    ['profile.social_links', ['https://x.test']],
    ['profile.contact.email', {}],
    ['registered_at', 'long ago'],
    ['email', []],
    ['currency', {}],
    ['profile', 'Themes'],
    ['profile.heading', {}],
    ['profile.description', ['x']],
    ['profile.social_links', { x: {} }],
    ['profile.media', 'https://cdn.test/a.png'],
    ['profile.media.avatar', 7],
  ])('%s as %j costs itself alone and is named', (path, value) => {
    expect(having(path, value)).toEqual({ ...(without(path) as Account), unreadable: [path] });
  });
});

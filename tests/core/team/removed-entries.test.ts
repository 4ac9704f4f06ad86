import { expect, test } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import type { PinnedKey } from '#core/keys/index';
import type { ReplyTemplate } from '#core/reply-templates/index';
import { noEntries } from '#core/settings-import/index';
import { findRemoved } from '#core/team/removed-entries';

const shop = { id: 'shop', name: 'Shop', baseAddress: 'https://relay.example/c/shop' };
const shared = { ...shop, dialect: defaultDialect };
const licenses = { id: 'licenses', name: 'Licenses', address: 'https://a.example' };
const authority = { ...licenses, kind: 'live', products: [] } as const;
const site = { origin: 'https://desk.example', automatic: true };
const key: PinnedKey = {
  raw: 'a'.repeat(64),
  id: 'key',
  fingerprint: 'key',
  label: 'Key',
  revoked: false,
  kind: 'live',
};
const template: ReplyTemplate = {
  id: 'thanks',
  name: 'Thanks',
  text: 'Thank you.',
  language: 'en',
  situation: 'supported',
};
const added = {
  connections: ['shop'],
  authorities: ['licenses'],
  sites: [site.origin],
  keys: [key.raw],
  templates: ['thanks en'],
};
const file = {
  connections: [shared],
  authorities: [authority],
  sites: [site],
  keys: [key],
  templates: { format: 'plain', templates: [template] },
} as const;
const stored = {
  connections: [shop],
  authorities: [licenses],
  sites: [site],
  keys: [key],
  templates: [template],
};
const nothing = { connections: [], authorities: [], sites: [], keys: [], templates: [] };

test('nothing goes that the file still has', () => {
  expect(findRemoved(added, file, stored)).toEqual({ removes: noEntries, removed: nothing });
});

test('what the file does not have any more goes by its name', () => {
  expect(findRemoved(added, { ...nothing, templates: { format: 'plain' } }, stored)).toEqual({
    removes: added,
    removed: {
      connections: ['Shop'],
      authorities: ['Licenses'],
      sites: [site.origin],
      keys: ['Key'],
      templates: ['Thanks'],
    },
  });
});

test('what an earlier try has removed already is still to be forgotten, and not named', () => {
  expect(findRemoved(added, { ...nothing, templates: { format: 'plain' } }, nothing)).toEqual({
    removes: added,
    removed: nothing,
  });
});

test('the agent’s own entries stay', () => {
  expect(findRemoved(noEntries, { ...nothing, templates: { format: 'plain' } }, stored)).toEqual({
    removes: noEntries,
    removed: nothing,
  });
});

test('an entry stays that the file has under another id, at the same address and with the same name', () => {
  const here = {
    ...stored,
    connections: [{ ...shop, id: 'other' }],
    authorities: [{ ...licenses, id: 'other' }],
  };
  const known = { ...added, connections: ['other'], authorities: ['other'] };
  expect(findRemoved(known, file, here).removes).toEqual(noEntries);
});

test('an entry goes that the file has at another address', () => {
  const here = {
    ...stored,
    connections: [{ ...shop, baseAddress: 'https://relay.example/c/old' }],
  };
  expect(findRemoved(added, file, here).removes.connections).toEqual(['shop']);
});

test('an entry that the agent has deleted and the file still has is not removed once it is back', () => {
  expect(findRemoved(added, file, nothing).removes).toEqual(noEntries);
});

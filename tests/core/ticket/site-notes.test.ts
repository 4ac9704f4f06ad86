import { expect, test } from 'vitest';

import { notesFor } from '#core/ticket/site-notes';

const names = (origin: string): string[] => notesFor(origin).map(({ name }) => name);

test('a hosted desk has its own note, subdomains included, and no other', () => {
  expect(names('https://mail.google.com')).toEqual(['Gmail']);
  expect(names('https://shop.zendesk.com')).toEqual(['Zendesk']);
  expect(names('https://notzendesk.com')).not.toContain('Zendesk');
});

test('any other host may be a desk of its own, on this machine too', () => {
  for (const origin of ['https://support.shop.test', 'http://localhost:8081'])
    expect(names(origin)).toEqual(
      expect.arrayContaining(['Request Tracker', 'Roundcube', 'Redmine', 'Sandbox']),
    );
});

test('a note for any host names a mark of its desk', () => {
  for (const { known } of notesFor('https://support.shop.test')) expect(known).toBeDefined();
});

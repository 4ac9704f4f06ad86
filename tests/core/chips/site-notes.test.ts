import { expect, test } from 'vitest';

import { notesFor } from '#core/chips/site-notes';

const hosts = (origin: string): string[] => notesFor(origin).flatMap((note) => note.hosts);

test('a hosted desk has its own note, subdomains included, and no other', () => {
  expect(hosts('https://mail.google.com')).toEqual(['mail.google.com']);
  expect(hosts('https://shop.zendesk.com')).toEqual(['zendesk.com']);
  expect(hosts('https://notzendesk.com')).toEqual([]);
});

test('any other host may be a desk of its own, on this machine too', () => {
  for (const origin of ['https://support.shop.test', 'http://localhost:8081'])
    expect(notesFor(origin).map(({ marker }) => marker)).toEqual(
      expect.arrayContaining(['#rt-header-container', 'body.task-mail', 'main[data-desk]']),
    );
});

test('a note for any host names a mark of its desk', () => {
  for (const { marker } of notesFor('https://support.shop.test')) expect(marker).toBeDefined();
});

import { expect, test } from 'vitest';

import { markupFor } from '#core/chips/help-desk-markup';

const hosts = (origin: string): string[] => markupFor(origin).flatMap((one) => one.hosts);

test('a hosted desk has its own markup, subdomains included, and no other', () => {
  expect(hosts('https://mail.google.com')).toEqual(['mail.google.com']);
  expect(hosts('https://shop.zendesk.com')).toEqual(['zendesk.com']);
  expect(hosts('https://notzendesk.com')).toEqual([]);
});

test('any other host may be a desk of its own, on this machine too', () => {
  for (const origin of ['https://support.shop.test', 'http://localhost:8081'])
    expect(markupFor(origin).map(({ marker }) => marker)).toEqual(
      expect.arrayContaining(['#rt-header-container', 'body.task-mail', 'main[data-desk]']),
    );
});

test('markup for any host names a mark of its desk', () => {
  for (const { marker } of markupFor('https://support.shop.test')) expect(marker).toBeDefined();
});

import { describe, expect, test } from 'vitest';

import { bases, deployments } from '#sandbox/seller/deployments';
import { accounts } from '#sandbox/seed/accounts';
import { type MarketSampleCodes, sampleCodes } from '#sandbox/seed/sample-codes';
import { momentAt, type SeedItem, type SeedPurchase } from '#sandbox/seed/shape';

const moments = [
  '2026-11-20T00:00:00.000Z',
  '2026-11-20T23:59:59.999Z',
  '2028-02-29T12:00:00Z',
].map((text) => Date.parse(text));

function sold(base: (typeof bases)[number], code: string): { item: SeedItem; sale: SeedPurchase } {
  const id = deployments.find((one) => one.base === base)?.account;
  const account = accounts.find((one) => one.id === id);
  const sale = account?.purchases.find((one) => one.code === code);
  const item = account?.items.find((one) => one.id === sale?.item);
  if (sale === undefined || item === undefined) throw new Error(`${base} has not sold ${code}`);
  return { item, sale };
}

const until = ({ sale }: { sale: SeedPurchase }, now: number) =>
  sale.supportedUntil === undefined ? Number.NaN : momentAt(sale.supportedUntil, now);

describe('the seed', () => {
  test('has the sizes of a small and of a large shop', () => {
    const [demo, market] = accounts;
    expect(demo?.items).toHaveLength(3);
    expect(market?.items.length).toBeGreaterThanOrEqual(25);
    const purchases = (demo?.purchases.length ?? 0) + (market?.purchases.length ?? 0);
    expect(purchases).toBeGreaterThanOrEqual(40);
    expect(new Set(market?.items.map(({ kind }) => kind))).toEqual(
      new Set(['code', 'theme', 'audio', 'video']),
    );
  });

  test('names every item and every code once', () => {
    const codes = accounts.flatMap(({ purchases }) => purchases.map(({ code }) => code));
    const items = accounts.flatMap(({ items }) => items.map(({ id }) => id));
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(items).size).toBe(items.length);
  });

  test.each(moments)('sells nothing in the future, nor before it was published, at %i', (now) => {
    for (const { items, purchases, registeredAt } of accounts) {
      for (const { bought, item } of purchases) {
        const published = items.find(({ id }) => id === item)?.publishedAt ?? '';
        expect(momentAt(bought, now)).toBeLessThanOrEqual(now);
        expect(momentAt(bought, now)).toBeGreaterThan(Date.parse(published));
        expect(Date.parse(published)).toBeGreaterThan(Date.parse(registeredAt));
      }
    }
  });
});

describe.each(bases)('the samples of %s', (base) => {
  const codes = sampleCodes(base);
  const day = (ms: number) => Math.floor(ms / 86_400_000);

  test.each(moments)('are what they are called, at %i', (now) => {
    expect(until(sold(base, codes.supported), now)).toBeGreaterThan(now + 30 * 86_400_000);
    expect(sold(base, codes.extended).sale.license).toBe('Extended');
    expect(until(sold(base, codes.lapsed), now)).toBeLessThan(now - 30 * 86_400_000);
    expect(day(until(sold(base, codes.lapsedYesterday), now))).toBe(day(now) - 1);
    expect(day(until(sold(base, codes.endsTomorrow), now))).toBe(day(now) + 1);
    expect(sold(base, codes.noSupport).sale.supportedUntil).toBeUndefined();
    expect(sold(base, codes.neverDownloaded).sale.downloaded).toBe(false);
    expect(() => sold(base, codes.unknown)).toThrow();
  });
});

test('the samples of /market show each kind of item and code', () => {
  const codes: MarketSampleCodes = sampleCodes('/market');
  const item = (situation: keyof MarketSampleCodes) => sold('/market', codes[situation]).item;
  expect(item('supportDisabled').supportOff).toBe(true);
  expect(item('audioItem').kind).toBe('audio');
  expect(item('videoItem').kind).toBe('video');
  expect(item('themeItem').kind).toBe('theme');
  expect(item('longName').name.length).toBeGreaterThan(200);
  expect(item('rightToLeft').name).toMatch(/\p{Script=Arabic}/u);
  expect(item('htmlName').name).toContain('<b>');
  expect(item('htmlDescription').description).toContain('<script>');
  for (const odd of [codes.oddDashed, codes.oddPrefixed, codes.oddPlain]) {
    expect(sold('/market', odd).sale.code).not.toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);
  }
});

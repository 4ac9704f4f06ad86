import type { CheckReport } from '#core/check/index';
import { fail, succeed } from '#core/result';
import type { Account, Fault, Item, Purchase } from '#core/marketplaces/index';
import { type ConnectionState, defaultDialect } from '#core/connections/index';

export const day = 24 * 60 * 60_000;
export const now = Date.UTC(2026, 10, 20, 12);
export const code = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
export const otherCode = '11111111-2222-4333-8444-555555555555';
export const thirdCode = '99999999-2222-4333-8444-555555555555';

export function connection(changes: Partial<ConnectionState> = {}): ConnectionState {
  return {
    id: 'market',
    name: 'Market',
    baseAddress: 'https://market.test/shop',
    revision: 1,
    dialect: { ...defaultDialect, proven: true },
    hasKey: true,
    permitted: true,
    ...changes,
  };
}

export const demo = connection({ id: 'demo', name: 'Demo', baseAddress: 'https://demo.test' });

export const item: Item & { readonly id: number } = {
  id: 12,
  name: 'Orbit CRM',
  description: '<b>Not</b> shown',
  category: 'Scripts',
  subCategory: 'CRM',
  options: [],
  version: '2.4.1',
  demoLink: 'https://demo.test/orbit',
  tags: [],
  media: { thumbnail: 'https://market.test/orbit.png', screenshots: [] },
  price: { regular: 29, extended: 149 },
  currency: 'USD',
};

export const unsupported: Purchase = {
  purchaseCode: code,
  licenseType: 'Studio',
  price: 29,
  currency: 'USD',
  item,
  downloaded: true,
  date: Date.UTC(2026, 0, 15, 9, 30),
};

export function purchase(changes: Partial<Purchase> = {}): Purchase {
  return {
    ...unsupported,
    licenseType: 'Regular',
    supportedUntil: now + 112 * day,
    ...changes,
  };
}

interface Asked {
  code: string;
  connectionId: string;
}

export function genuine(asked: Asked, bought: Purchase = purchase()): CheckReport {
  return {
    ...asked,
    checkedAt: now,
    cached: false,
    outcome: succeed({ kind: 'purchase', purchase: bought }),
  };
}

export function notFound(asked: Asked): CheckReport {
  return {
    ...asked,
    checkedAt: now,
    cached: false,
    outcome: succeed({
      kind: 'not-found',
      msg: 'Invalid purchase code',
      key: 'good',
      proven: true,
    }),
  };
}

export function faulty(asked: Asked, fault: Fault): CheckReport {
  return { ...asked, checkedAt: now, cached: false, outcome: fail(fault) };
}

export const account: Account = {
  username: 'orbitlab',
  email: 'seller@orbit.test',
  name: { first: 'Ada', last: 'Orbit', full: 'Ada Orbit' },
  balance: 1204.5,
  currency: 'EUR',
  registeredAt: Date.UTC(2021, 4, 30),
  profile: {
    heading: 'Small tools for large teams',
    description: '',
    socialLinks: [{ network: 'facebook', url: 'https://facebook.test/orbit' }],
  },
};

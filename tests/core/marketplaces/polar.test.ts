import { describe, expect, test } from 'vitest';

import { polar } from '#core/marketplaces/polar/reader';
import { succeed } from '#core/result';
import { accessTo, answering } from '#tests/core/marketplaces/market-answers';
import { rawReply, type Wire } from '#tests/core/marketplaces/wire-examples';

const code = 'TIDE-7C21B0E4-0A5C-4E0F-9B1D-6F2C8E7A4D01';
const now = Date.UTC(2026, 5, 1);
const keyWire = { key: code, status: 'granted', benefit_id: 'b-1', customer_id: 'c-1' };

function validated(key: Wire = {}, status = 200) {
  const reply = polar.purchase(code, {}).read(rawReply({ ...keyWire, ...key }, status), now);
  if (!reply.ok) return reply.fault;
  return reply.value.kind === 'purchase' ? reply.value.purchase : reply.value;
}

describe('a key', () => {
  test('is asked about with the organization, without a key, and counts no use', () => {
    const { build, keyless } = polar.purchase(code, {});
    const { url, headers, body } = build(accessTo({}, { store: 'org-1' }));
    expect(keyless).toBe(true);
    expect(url).toBe('https://market.test/v1/customer-portal/license-keys/validate');
    expect(headers).not.toHaveProperty('Authorization');
    expect(body).toEqual({
      type: 'text',
      text: JSON.stringify({ key: code, organization_id: 'org-1' }),
    });
  });

  test.each([
    ['revoked', 'disabled'],
    ['disabled', 'disabled'],
  ])('that is told to be %s has the problem %s', (status, kind) => {
    expect(validated({ status })).toMatchObject({ problem: { kind } });
  });

  test('whose status is a new one is unreadable, and one with another key is a mismatch', () => {
    expect(validated({ status: 'paused' })).toMatchObject({
      kind: 'unreadable',
      path: 'license_key.status',
    });
    expect(validated({ expires_at: 'soon' })).toHaveProperty('kind', 'unreadable');
    expect(validated({ key: 'TIDE-other' })).toEqual({ kind: 'mismatch' });
  });

  test.each([
    [404, { detail: 'License key has expired.' }, { problem: { kind: 'expired' } }],
    [404, { detail: 'License key is no longer active.' }, { problem: { kind: 'disabled' } }],
    [404, { detail: 'Not found' }, { kind: 'not-found', msg: 'Not found' }],
    [422, { error: 'RequestValidationError' }, { kind: 'refused', about: 'request' }],
  ])('that is answered %i %j', (status, body, said) => {
    expect(validated(body, status)).toMatchObject(said);
  });

  test('in small letters is corrected to capitals', () => {
    expect(polar.correctedSpelling(code.toLowerCase())).toBe(code);
    expect(polar.correctedSpelling(code)).toBeUndefined();
  });
});

test.each([
  ['jpy', 3900, 'JPY'],
  ['eur', 39, 'EUR'],
])('an amount in %s is read', async (currency, price, named) => {
  const reply = polar.purchase(code, {}).read(rawReply(keyWire, 200), now);
  const { ask } = answering(({ pathname }) =>
    rawReply(
      pathname === '/v1/products/'
        ? { items: [{ id: 'p-1', name: 'Tideline' }] }
        : {
            items: [
              { product: { id: 'p-2', name: 'Another' }, total_amount: 1, currency: 'usd' },
              {
                product: { id: 'p-1', name: 'Tideline' },
                total_amount: 3900,
                currency,
                status: 'refunded',
              },
              { product: { id: 'p-1', name: 'Tideline' }, total_amount: 3900, currency },
            ],
          },
      200,
    ),
  );
  const told = reply.ok && reply.value.kind === 'purchase' ? reply.value : undefined;
  const whole = await told?.complete?.(ask);
  expect(whole).toMatchObject(succeed({ item: { id: 'p-1' }, price, currency: named }));
  // A later order counts, whatever came of an earlier one.
  expect(whole).not.toHaveProperty('value.problem');
});

test.each(['/v1/products/', '/v1/orders/'])(
  'an order that cannot be read for want of %s is named',
  async (path) => {
    const reply = polar.purchase(code, {}).read(rawReply(keyWire, 200), now);
    const told = reply.ok && reply.value.kind === 'purchase' ? reply.value : undefined;
    const { ask } = answering(({ pathname }) => rawReply({}, pathname === path ? 403 : 200));
    const value = { ...told?.purchase, unreadable: ['order'] };
    expect(await told?.complete?.(ask)).toEqual(succeed(value));
  },
);

test('organizations are offered by name', () => {
  const read = polar.stores?.read(rawReply({ items: [{ id: 'o-1', name: 'Fenwick' }] }, 200), 0);
  expect(read).toEqual(succeed([{ id: 'o-1', name: 'Fenwick' }]));
});

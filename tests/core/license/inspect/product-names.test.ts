import { describe, expect, test } from 'vitest';

import { licenseSituationOf } from '#core/replies/license-situation';
import { succeed } from '#core/result';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, pinned, token } from '#tests/core/license/documents';
import { checkOf, inspection, leads, signer } from '#tests/core/license/inspect/inspecting';

const both = [token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS)];
const named = { keys: [pinned(signer, { productNames: [['Harbour Theme', 'harbour-theme']] })] };

describe('a product that the ticket names otherwise', () => {
  test('is a warning with both names, as they may mean the same', async () => {
    const report = await inspection(both, { expected: { productSlug: 'Harbour Theme' } });
    expect(checkOf(report, 'product')).toMatchObject({
      outcome: 'warn',
      reason: 'other-name',
      data: { bound: 'harbour-theme', expected: 'Harbour Theme' },
    });
    expect(report.standing).toBe('activated');
    expect(report.headline.tone).toBe('caution');
    expect(leads(report)).toEqual(['other-name', 'activated']);
    expect(licenseSituationOf(report)).toEqual(succeed('wrong-product'));
  });

  test('passes once the key says that both names mean one product', async () => {
    const report = await inspection(both, { ...named, expected: { productSlug: 'harbour THEME' } });
    expect(checkOf(report, 'product')).toMatchObject({ outcome: 'pass', reason: 'equal' });
    expect(report.headline.tone).toBe('good');
  });

  test('is another one when the names that are told lack it', async () => {
    const names = [...(named.keys[0]?.productNames ?? []), ['Orbit CRM', 'orbit-crm']];
    const keys = [pinned(signer, { productNames: names })];
    const report = await inspection(both, { keys, expected: { productSlug: 'Orbit CRM' } });
    expect(checkOf(report, 'product')).toMatchObject({ outcome: 'fail', reason: 'different' });
    expect(leads(report)[0]).toBe('mismatch-product');
    expect(report.headline.tone).toBe('bad');
  });

  test('that is in no list stays a warning, whatever other names are told', async () => {
    const report = await inspection(both, { ...named, expected: { productSlug: 'Port Theme' } });
    expect(checkOf(report, 'product').reason).toBe('other-name');
  });

  test('fails when the file itself names another product than its documents', async () => {
    const [license, certificate] = both;
    const state = { license, activation_certificate: certificate, product_slug: 'other' };
    const report = await inspection(JSON.stringify(state));
    expect(checkOf(report, 'product')).toMatchObject({ outcome: 'fail', reason: 'different' });
  });
});

describe('a key of which nobody has said what its licenses are for', () => {
  const keys = [pinned(signer, { kind: 'unstated' })];

  test('vouches, and the headline says that it is not known', async () => {
    const report = await inspection(both, { keys });
    expect(report.standing).toBe('activated');
    expect(report.headline).toMatchObject({ test: false, unstated: true });
    expect(checkOf(report, 'key-status')).toMatchObject({
      outcome: 'warn',
      reason: 'unstated',
      data: { label: 'Main key' },
    });
  });

  test('is no test key and no live key beside one', async () => {
    const report = await inspection(both);
    expect(report.headline).not.toHaveProperty('unstated');
    const test = await inspection(both, { keys: [pinned(signer, { kind: 'test' })] });
    expect(test.headline).toMatchObject({ test: true });
    expect(test.headline).not.toHaveProperty('unstated');
  });
});

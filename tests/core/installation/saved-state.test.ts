import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readSavedState, type SavedState, writeSavedState } from '#core/installation/saved-state';

const moment = fc.integer({ min: 0, max: Date.UTC(9999, 0) });
const text = fc.string({ minLength: 1, unit: 'grapheme' });
const contact = fc.oneof(
  fc.record({ at: moment, outcome: fc.constantFrom('validated' as const, 'unreachable' as const) }),
  fc.record({
    at: moment,
    outcome: fc.constant('refused' as const),
    refusal: fc.record({ status: fc.integer({ min: 0, max: 599 }), msg: fc.string() }),
  }),
);
const pacing = fc.record(
  { askedAt: moment, failures: fc.nat(), notBefore: moment },
  { requiredKeys: ['askedAt', 'failures'] },
);
const state = fc
  .record(
    {
      installationId: fc.uuid(),
      license: text,
      domain: text,
      productSlug: text,
      certificate: text,
      lastContact: contact,
      pacing,
      latestSeen: moment,
    },
    { requiredKeys: [] },
  )
  .map((fields): SavedState => ({ ...fields, oddities: [] }));

describe('the saved state', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(state, (saved) => {
        expect(readSavedState(writeSavedState(saved))).toEqual(saved);
      }),
    );
  });

  it('stands in the spec’s names, so that its text is a file to be inspected', () => {
    const written = writeSavedState({
      license: 'a.b',
      domain: 'shop.example.com',
      productSlug: 'aurora',
      installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      certificate: 'c.d',
      lastContact: { at: 0, outcome: 'unreachable' },
      oddities: [],
    });
    expect(JSON.parse(written)).toStrictEqual({
      license: 'a.b',
      domain: 'shop.example.com',
      product_slug: 'aurora',
      installation_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      activation_certificate: 'c.d',
      last_contact: { at: '1970-01-01T00:00:00.000Z', outcome: 'unreachable' },
    });
  });

  it('is read field by field, whatever stands there', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const { oddities } = readSavedState(json);
        for (const oddity of oddities) expect(['duplicate-name', 'proto-name']).toContain(oddity);
      }),
    );
    const damaged =
      '{"license":5,"installation_id":"7C9E6679-7425-40DE-944B-E07FC1F90AE7","pacing":[]}';
    expect(readSavedState(damaged)).toStrictEqual({
      installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      oddities: [],
    });
  });

  const at = '2026-11-02T09:00:00.000Z';
  const moment0 = Date.UTC(2026, 10, 2, 9);
  const read = (fields: object): SavedState => readSavedState(JSON.stringify(fields));

  it('holds pace, refusal and clock in ISO 8601', () => {
    const written = writeSavedState({
      lastContact: { at: moment0, outcome: 'refused', refusal: { status: 403, msg: 'no' } },
      pacing: { askedAt: moment0, failures: 2, notBefore: moment0 },
      latestSeen: moment0,
      oddities: [],
    });
    expect(JSON.parse(written)).toStrictEqual({
      last_contact: { at, outcome: 'refused', status: 403, msg: 'no' },
      pacing: { asked_at: at, failures: 2, not_before: at },
      latest_seen: at,
    });
  });

  it.each<[string, unknown, unknown]>([
    ['without a moment', { outcome: 'validated' }, undefined],
    ['of another outcome', { at, outcome: 'granted' }, undefined],
    ['that is a text', 'validated', undefined],
    ['validated', { at, outcome: 'validated', status: 7 }, { at: moment0, outcome: 'validated' }],
    [
      'refused with nothing said',
      { at, outcome: 'refused', status: '403', msg: 7 },
      { at: moment0, outcome: 'refused', refusal: { status: 0, msg: '' } },
    ],
  ])('a last contact %s', (_, written, contact) => {
    expect(read({ last_contact: written }).lastContact).toStrictEqual(contact);
  });

  it.each<[string, unknown, unknown]>([
    ['without a moment', { failures: 1 }, undefined],
    ['without a count', { asked_at: at }, undefined],
    ['with a count as text', { asked_at: at, failures: '1' }, undefined],
    ['with a count below zero', { asked_at: at, failures: -1 }, undefined],
    ['with none', { asked_at: at, failures: 0 }, { askedAt: moment0, failures: 0 }],
    [
      'with an unreadable wish',
      { asked_at: at, failures: 1, not_before: 'soon' },
      { askedAt: moment0, failures: 1 },
    ],
  ])('a pace %s', (_, written, pace) => {
    expect(read({ pacing: written }).pacing).toStrictEqual(pace);
  });

  it('keeps a certificate that is an object, with the ambiguities of the whole text', () => {
    expect(read({ activation_certificate: { domain: 'a' } })).toEqual({
      certificate: { domain: 'a' },
      oddities: [],
    });
    const twice = '{"license":"a","license":"b","activation_certificate":{"domain":"a"}}';
    expect(readSavedState(twice).oddities).toStrictEqual(['duplicate-name']);
    const text = '{"license":"a","license":"b","activation_certificate":"c.d"}';
    expect(readSavedState(text)).toStrictEqual({ license: 'b', certificate: 'c.d', oddities: [] });
  });

  it.each([undefined, '', '[]', '5', '{', '{"license":""}', '{"activation_certificate":""}'])(
    'is empty over %j',
    (written) => {
      expect(readSavedState(written)).toStrictEqual({ oddities: [] });
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { SavedState } from '#core/installation/saved-state';
import { readSavedState, writeSavedState } from '#core/installation/saved-state';

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
    expect(JSON.parse(written)).toEqual({
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
    expect(readSavedState(damaged)).toEqual({
      installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      oddities: [],
    });
  });
});

import { describe, expect, it } from 'vitest';

import type { ValidationOutcome } from '#core/installation/judge-reply';
import { recordGrant, recordValidation } from '#core/installation/record';
import type { SavedState } from '#core/installation/saved-state';
import type { VerifiedCertificate } from '#core/license/index';

const request = {
  license: 'a.b',
  domain: 'shop.example.com',
  productSlug: 'aurora',
  installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
};
const state: SavedState = {
  license: 'a.b',
  installationId: request.installationId,
  latestSeen: 900,
  oddities: [],
};
const granted: Extract<ValidationOutcome, { kind: 'granted' }> = {
  kind: 'granted',
  written: 'c.d',
  certificate: { nextValidationAt: 2000 } as VerifiedCertificate,
};
const refused: ValidationOutcome = { kind: 'refused', refusal: { status: 403, msg: 'revoked' } };
const outage: ValidationOutcome = { kind: 'unavailable', fault: { kind: 'offline' } };

describe('a grant', () => {
  it('replaces license, holder, certificate, last contact, pace and clock, and leaves the id', () => {
    const before = { ...state, license: 'old', pacing: { askedAt: 1, failures: 3 } };
    expect(recordGrant(before, granted, request, 1000)).toStrictEqual({
      license: 'a.b',
      domain: 'shop.example.com',
      productSlug: 'aurora',
      installationId: request.installationId,
      certificate: 'c.d',
      lastContact: { at: 1000, outcome: 'validated' },
      pacing: { askedAt: 1000, failures: 0 },
      latestSeen: 1000,
      oddities: [],
    });
  });

  it.each([
    [1999, undefined, 0],
    [2000, undefined, 1],
    [2000, 3, 4],
  ])(
    'at %i after %s failures counts %i: a certificate already due again counts as one',
    (now, before, failures) => {
      const pacing = before === undefined ? {} : { pacing: { askedAt: 1, failures: before } };
      expect(recordGrant({ ...state, ...pacing }, granted, request, now).pacing).toStrictEqual({
        askedAt: now,
        failures,
      });
    },
  );

  it('is recorded by a validation as by an activation', () => {
    expect(recordValidation(state, granted, request, 1000)).toStrictEqual(
      recordGrant(state, granted, request, 1000),
    );
  });
});

describe('a validation in vain', () => {
  it('changes nothing when another license has taken the place of the asked one', () => {
    const other = { ...state, license: 'new' };
    for (const outcome of [granted, refused, outage])
      expect(recordValidation(other, outcome, request, 1000)).toBe(other);
  });

  it('records a refusal with its words', () => {
    expect(recordValidation(state, refused, request, 1000)).toStrictEqual({
      ...state,
      pacing: { askedAt: 1000, failures: 1 },
      lastContact: { at: 1000, outcome: 'refused', refusal: { status: 403, msg: 'revoked' } },
    });
  });

  it('records an outage, counts failures, and keeps the authority’s wish', () => {
    const before = { ...state, pacing: { askedAt: 1, failures: 2 } };
    expect(recordValidation(before, { ...outage, retryAt: 5000 }, request, 1000)).toStrictEqual({
      ...state,
      pacing: { askedAt: 1000, failures: 3, notBefore: 5000 },
      lastContact: { at: 1000, outcome: 'unreachable' },
    });
    expect(recordValidation(state, outage, request, 1000).pacing).toStrictEqual({
      askedAt: 1000,
      failures: 1,
    });
  });

  it('by an outage leaves an earlier refusal, and replaces any other contact', () => {
    const lastContact = { at: 5, outcome: 'refused', refusal: { status: 410, msg: '' } } as const;
    expect(recordValidation({ ...state, lastContact }, outage, request, 1000)).toStrictEqual({
      ...state,
      lastContact,
      pacing: { askedAt: 1000, failures: 1 },
    });
    const validated = { ...state, lastContact: { at: 5, outcome: 'validated' } as const };
    expect(recordValidation(validated, outage, request, 1000).lastContact).toStrictEqual({
      at: 1000,
      outcome: 'unreachable',
    });
  });
});

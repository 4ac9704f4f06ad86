import { describe, expect, it } from 'vitest';

import { summariseReport } from '#core/verifier/verifier';
import {
  CERTIFICATE_CLAIMS,
  DAY,
  INSTALLATION,
  LICENSE_CLAIMS,
  token,
  without,
} from '#tests/core/license/documents';
import { checkOf, inspection, leads, signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/keys/sign';

const forger = makeSigner(9);
const license = token(signer, LICENSE_CLAIMS);
const certificate = token(signer, CERTIFICATE_CLAIMS);
const NEXT = Date.parse('2026-11-06T12:00:00Z');
const expected = {
  domain: 'shop.example.com',
  installationId: INSTALLATION,
  productSlug: 'harbour-theme',
};
const RESTING_ON_CERTIFICATE = [
  'certificate-fields',
  'domain',
  'installation',
  'certificate-matches-license',
  'next-validation',
  'grace',
] as const;

describe('checks that rest on a document that is not verified', () => {
  it.each([
    ['a forged certificate', [license, token(forger, CERTIFICATE_CLAIMS)], {}],
    ['both under no key', [license, certificate], { keys: [] }],
  ])('are skipped, with the reason: %s', async (_, source, context) => {
    const report = await inspection(source, { expected, ...context });
    expect(report.standing).toBe('unverified');
    for (const id of RESTING_ON_CERTIFICATE) {
      expect([id, checkOf(report, id)]).toMatchObject([
        id,
        { outcome: 'skip', reason: 'not-verified', data: {} },
      ]);
    }
    expect(checkOf(report, 'product')).toMatchObject({ outcome: 'skip', reason: 'not-verified' });
  });

  it('show no green tick at all when nothing is verified', async () => {
    const forged = [token(forger, LICENSE_CLAIMS), token(forger, CERTIFICATE_CLAIMS)];
    const report = await inspection(forged, { expected });
    const passed = report.checks.filter(({ outcome }) => outcome === 'pass');
    expect(passed).toEqual([]);
    expect(JSON.stringify(report.headline)).not.toMatch(/shop\.example|harbour|L-1001/);
  });

  it('still count what a genuine document beside it says', async () => {
    const report = await inspection([token(forger, LICENSE_CLAIMS), certificate], { expected });
    expect(checkOf(report, 'installation').outcome).toBe('pass');
    expect(checkOf(report, 'license-payload')).toMatchObject({
      outcome: 'skip',
      reason: 'not-verified',
    });
    expect(checkOf(report, 'certificate-matches-license').reason).toBe('not-verified');
  });

  it('of an unsigned certificate that lacks a field are skipped, of a signed one they fail', async () => {
    const claims = without(CERTIFICATE_CLAIMS, 'domain');
    const unsigned = await inspection(token(forger, claims));
    expect(checkOf(unsigned, 'certificate-fields')).toMatchObject({
      outcome: 'skip',
      reason: 'not-verified',
    });
    const signed = await inspection(token(signer, claims));
    expect(checkOf(signed, 'certificate-fields')).toMatchObject({
      outcome: 'fail',
      reason: 'missing-fields',
    });
  });

  it('of a license that is something else fail only when it is signed', async () => {
    const odd = { ...LICENSE_CLAIMS, grace_until: 1 };
    const unsigned = await inspection(token(forger, odd));
    expect(checkOf(unsigned, 'license-signature').outcome).toBe('fail');
    expect(checkOf(unsigned, 'license-payload').outcome).toBe('skip');
    const signed = await inspection(token(signer, odd));
    expect(checkOf(signed, 'license-signature').outcome).toBe('pass');
    expect(checkOf(signed, 'license-payload')).toMatchObject({
      outcome: 'fail',
      reason: 'certificate-fields',
    });
  });

  it('lend no fact to the row of a table', async () => {
    const forged = await inspection([
      token(forger, LICENSE_CLAIMS),
      token(forger, CERTIFICATE_CLAIMS),
    ]);
    const row = summariseReport({ inspection: forged });
    expect([row.domain, row.product, row.licenseId]).toEqual([undefined, undefined, undefined]);
    expect(row).not.toHaveProperty('unproven');
    const genuine = summariseReport({ inspection: await inspection([license, certificate]) });
    expect([genuine.domain, genuine.product, genuine.licenseId]).toEqual([
      'shop.example.com',
      'harbour-theme',
      'L-1001',
    ]);
  });
});

it('what documents say is kept apart in the row of a table while no key tells whether they are genuine', async () => {
  const row = summariseReport({
    inspection: await inspection([license, certificate], { keys: [] }),
  });
  expect([row.domain, row.product, row.licenseId]).toEqual([undefined, undefined, undefined]);
  expect(row.unproven).toEqual({
    domain: 'shop.example.com',
    product: 'harbour-theme',
    licenseId: 'L-1001',
    nextValidationAt: NEXT,
  });
  const genuine = summariseReport({ inspection: await inspection([license, certificate]) });
  expect(genuine).not.toHaveProperty('unproven');
});

describe('the file’s own unsigned words', () => {
  const state = (outcome: string): string =>
    JSON.stringify({
      license,
      activation_certificate: certificate,
      last_contact: { at: new Date(NEXT).toISOString(), outcome },
    });
  const now = NEXT + DAY;

  it('open grace, and the headline says whose word it is', async () => {
    const report = await inspection(state('unreachable'), { now });
    expect(report.standing).toBe('grace');
    expect(leads(report)).toEqual(['grace-stated']);
    expect(checkOf(report, 'grace')).toMatchObject({ outcome: 'warn', reason: 'open-stated' });
  });

  it('are not needed where the agent or the extension knows it', async () => {
    const agent = await inspection([license, certificate], { now, unreached: true });
    expect(leads(agent)).toEqual(['grace']);
    expect(checkOf(agent, 'grace').reason).toBe('open');
    const lastContact = { at: NEXT, outcome: 'unreachable' } as const;
    const asked = await inspection(state('unreachable'), { now, lastContact });
    expect(leads(asked)).toEqual(['grace']);
  });

  it('deny, and the headline says whose word it is', async () => {
    const report = await inspection(state('refused'), { now });
    expect(leads(report)).toEqual(['denied-refused-stated']);
    expect(checkOf(report, 'grace')).toMatchObject({ outcome: 'fail', reason: 'refused-stated' });
    const lastContact = { at: NEXT, outcome: 'refused' } as const;
    expect(leads(await inspection(state('refused'), { now, lastContact }))).toEqual([
      'denied-refused',
    ]);
  });
});

describe('a domain with hidden characters', () => {
  it('fails though nothing is expected', async () => {
    const hidden = token(signer, { ...CERTIFICATE_CLAIMS, domain: 'shop.exam\u202Eple.com' });
    const report = await inspection([license, hidden]);
    expect(checkOf(report, 'domain')).toMatchObject({
      outcome: 'fail',
      reason: 'hidden-characters',
    });
    expect(report.headline.tone).toBe('bad');
  });
});

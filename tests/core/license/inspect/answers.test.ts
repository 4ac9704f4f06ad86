import { describe, expect, it } from 'vitest';

import type { AuthorityAnswer } from '#core/license/inspect/inspection';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, NOW, token } from '#tests/core/license/documents';
import { checkOf, inspection, leads, signer } from '#tests/core/license/inspect/inspecting';

const license = token(signer, LICENSE_CLAIMS);
const certificate = token(signer, CERTIFICATE_CLAIMS);
const minute = 60_000;
const graceUntil = Date.parse(CERTIFICATE_CLAIMS['grace_until'] as string);

const refusal: AuthorityAnswer = {
  license,
  certificate,
  at: NOW - 5 * minute,
  outcome: 'refused',
  authority: 'Sandbox',
  msg: 'This license has been revoked.',
};
const confirmation: AuthorityAnswer = { ...refusal, outcome: 'confirmed', msg: '' };

describe('a refusal that the authority gave when it was asked', () => {
  it('denies the bundle, leads the headline in the authority’s words, and ends grace', async () => {
    const report = await inspection([license, certificate], { answers: [refusal] });
    expect(report.standing).toBe('denied');
    expect(report.headline).toMatchObject({ tone: 'bad', answer: { outcome: 'refused' } });
    expect(report.headline.sentences[0]).toMatchObject({
      id: 'denied-refused',
      data: { msg: 'This license has been revoked.' },
    });
    expect(checkOf(report, 'grace')).toMatchObject({ outcome: 'fail', reason: 'refused' });
  });

  it('goes before a mismatch, the file’s own record and the agent’s word', async () => {
    const own = JSON.stringify({
      license,
      activation_certificate: certificate,
      last_contact: { at: new Date(NOW).toISOString(), outcome: 'validated' },
    });
    const report = await inspection(own, {
      answers: [refusal],
      unreached: true,
      expected: { domain: 'other.example' },
    });
    expect(leads(report)).toEqual(['denied-refused', 'mismatch-domain']);
  });

  it('counts from its moment on, and for exactly these documents', async () => {
    const before = { now: refusal.at - 6 * minute, answers: [refusal] };
    const earlier = await inspection([license, certificate], before);
    expect(leads(earlier)).toEqual(['activated']);
    expect(earlier.headline).not.toHaveProperty('answer');
    const newer = token(signer, { ...CERTIFICATE_CLAIMS, installation_note: 'newer' });
    expect(leads(await inspection([license, newer], { answers: [refusal] }))).toEqual([
      'activated',
    ]);
    expect((await inspection(license, { answers: [refusal] })).standing).toBe('not-activated');
  });

  it('is said of a license that was never activated as well', async () => {
    const alone = { ...refusal, certificate: undefined };
    const report = await inspection(license, { answers: [alone] });
    expect(report.standing).toBe('not-activated');
    expect(report.headline.tone).toBe('bad');
    expect(leads(report)).toEqual(['denied-refused']);
  });

  it('vouches for no document that is not genuine', async () => {
    const forged = `${certificate.slice(0, -4)}AAAA`;
    const report = await inspection([license, forged], {
      answers: [{ ...refusal, certificate: forged }],
    });
    expect(report.standing).toBe('unverified');
    expect(report.headline.answer?.outcome).toBe('refused');
  });

  it('holds none of the signed texts', async () => {
    const { headline } = await inspection([license, certificate], { answers: [refusal] });
    expect(JSON.stringify(headline)).not.toContain(license.slice(0, 40));
  });
});

describe('a confirmation', () => {
  it('is told, and leaves the standing of the customer’s own copy as it is', async () => {
    const answers = [{ ...confirmation, at: graceUntil }];
    const report = await inspection([license, certificate], { now: graceUntil + minute, answers });
    expect(report.standing).toBe('denied');
    expect(leads(report)).toEqual(['denied']);
    expect(report.headline.answer).toMatchObject({ outcome: 'confirmed', authority: 'Sandbox' });
  });

  it('takes an older refusal back', async () => {
    const report = await inspection([license, certificate], { answers: [refusal, confirmation] });
    expect(leads(report)).toEqual(['activated']);
  });
});

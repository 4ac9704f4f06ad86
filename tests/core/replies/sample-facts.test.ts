import { expect, it } from 'vitest';

import { fingerprintOf } from '#core/keys/index';
import type { InspectContext } from '#core/license/index';
import { licenseReplyFacts } from '#core/replies/license-facts';
import { sampleFacts } from '#core/replies/sample-facts';
import { licenseSituations, purchaseSituations } from '#core/reply-templates/index';
import { dayMs } from '#core/time/index';
import { makeSigner } from '#tests/core/keys/sign';
import { NOW, pinned, token } from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';

type Sample = readonly [texts: readonly string[], asked?: Partial<InspectContext>];

/** Signs a document of each situation, in the order of the list. */
function signedSamples(): readonly Sample[] {
  const day = (days: number): string => new Date(NOW + days * dayMs).toISOString();
  const about = { license_id: 'L-2041', product_slug: 'ledgerline', license_type: 'Regular' };
  const licenseOf = (claims: Readonly<Record<string, string>>): string =>
    token(signer, { typ: 'license', ...about, ...claims });
  const license = licenseOf({ customer: 'Ada Example', issued_at: day(-200) });
  const certificate = (issued: number, changes: Readonly<Record<string, string>> = {}): string =>
    token(signer, {
      typ: 'activation-certificate',
      ...about,
      domain: 'shop.example.com',
      installation_id: '5b1f6d1e-8a4c-4e52-9d10-5f2f6f3c1a77',
      issued_at: day(issued),
      next_validation_at: day(issued + 7),
      grace_until: day(issued + 21),
      ...changes,
    });
  const bundle = [license, certificate(-2)];
  const due = [license, certificate(-9)];
  const named = licenseOf({ kid: fingerprintOf(signer.publicKey).slice(0, 16) });
  const altered = [named.split('.')[0], license.split('.')[1]].join('.');
  return [
    [[license]],
    [bundle],
    [due],
    [due, { unreached: true }],
    [[license, certificate(-30)]],
    [bundle, { lastContact: { at: NOW, outcome: 'refused' } }],
    [[licenseOf({ expires_at: day(-3) })]],
    [bundle, { expected: { domain: 'www.shop.example.com' } }],
    [bundle, { expected: { productSlug: 'harbour-theme' } }],
    [bundle, { expected: { installationId: '0b3f6d1e-8a4c-4e52-9d10-5f2f6f3c1a88' } }],
    [[license, certificate(-2, { license_id: 'L-2042' })]],
    [[licenseOf({ kid: 'another-key' })], { keys: [pinned(makeSigner(2))] }],
    [[altered]],
    [['Please find my license attached.']],
  ];
}

it('a sample license says what a signed one of its situation says once it is inspected', async () => {
  const signed = await Promise.all(
    signedSamples().map(async ([texts, asked]) =>
      licenseReplyFacts(await inspection(texts.join('\n\n'), asked)),
    ),
  );
  expect(licenseSituations.map((situation) => sampleFacts(situation, NOW, 'Orbit'))).toEqual(
    signed.map((facts) => facts.ok && facts.value),
  );
});

it('a sample purchase is of its situation', () => {
  for (const situation of purchaseSituations)
    expect(sampleFacts(situation, NOW, 'Orbit').situation).toBe(situation);
});

import { describe, expect, it, test } from 'vitest';

import type { InspectContext } from '#core/license/index';
import { licenseReplyFacts } from '#core/replies/license-facts';
import type { ReplyFacts } from '#core/replies/reply-facts';
import {
  CERTIFICATE_CLAIMS,
  DAY,
  INSTALLATION,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/keys/sign';

const license = token(signer, LICENSE_CLAIMS);
const certificate = token(signer, CERTIFICATE_CLAIMS);
const foreign = makeSigner(9);

async function factsOf(
  source: string | readonly string[],
  changes: Partial<InspectContext> = {},
): Promise<ReplyFacts> {
  const facts = licenseReplyFacts(await inspection(source, changes));
  if (!facts.ok) throw new Error(facts.fault);
  return facts.value;
}

const text = (value: string) => ({ kind: 'text', text: value });
const moment = (iso: string) => ({ kind: 'moment', at: Date.parse(iso) });

describe('what may be said of a license', () => {
  it('is what its genuine documents state, and nothing else', async () => {
    const expiring = token(signer, { ...LICENSE_CLAIMS, expires_at: '2027-01-01T00:00:00Z' });
    expect(await factsOf([expiring, certificate])).toEqual({
      situation: 'activated',
      values: {
        product: text('harbour-theme'),
        domain: text('shop.example.com'),
        license: { kind: 'license-type', sent: 'Regular' },
        license_id: text('L-1001'),
        installation: text(INSTALLATION),
        check_in: moment('2026-11-06T12:00:00Z'),
        grace_until: moment('2026-12-04T00:00:00Z'),
        expires: moment('2027-01-01T00:00:00Z'),
        issued: moment('2026-11-01T00:00:00Z'),
        checked: { kind: 'moment', at: NOW },
      },
    });
  });

  it('is what the license states where there is no certificate', async () => {
    const { situation, values } = await factsOf(
      token(signer, { ...LICENSE_CLAIMS, domain: 'own.example.com' }),
    );
    expect(situation).toBe('not-activated');
    expect(values).toEqual({
      product: text('harbour-theme'),
      domain: text('own.example.com'),
      license: { kind: 'license-type', sent: 'Regular' },
      license_id: text('L-1001'),
      issued: moment('2026-09-01T00:00:00Z'),
      checked: { kind: 'moment', at: NOW },
    });
  });

  it('is what the certificate states where there is no license', async () => {
    const { values } = await factsOf(
      token(signer, { ...CERTIFICATE_CLAIMS, license_type: 'Extended' }),
    );
    expect(values).toMatchObject({
      product: text('harbour-theme'),
      license: { kind: 'license-type', sent: 'Extended' },
      license_id: text('L-1001'),
    });
  });

  it('prefers the license for the product, its type and its id', async () => {
    const other = { license_type: 'Extended', license_id: 'L-1002' };
    const { values } = await factsOf([license, token(signer, { ...CERTIFICATE_CLAIMS, ...other })]);
    expect(values).toMatchObject({
      license: { kind: 'license-type', sent: 'Regular' },
      license_id: text('L-1001'),
    });
  });

  it('is no type and no id where neither states one, and the product in words', async () => {
    const nameless = without(LICENSE_CLAIMS, 'license_type', 'license_id', 'product_slug');
    const { values } = await factsOf(token(signer, { ...nameless, note: 'kept' }));
    expect(values).not.toHaveProperty('license');
    expect(values).not.toHaveProperty('license_id');
    expect(values.product).toEqual({ kind: 'words', ids: ['this-product'] });
  });

  it('is nothing of a license that does not verify', async () => {
    const { values } = await factsOf([token(foreign, LICENSE_CLAIMS), certificate]);
    expect(values).not.toHaveProperty('license');
    expect(values).toMatchObject({ product: text('harbour-theme'), license_id: text('L-1001') });
  });
});

describe('where the ticket names something else, both are known', () => {
  it.each([
    ['product', 'wrong-product', { productSlug: 'other-theme' }, 'harbour-theme', 'other-theme'],
    [
      'installation',
      'other-installation',
      { installationId: '0b3f6d1e-8a4c-4e52-9d10-5f2f6f3c1a88' },
      INSTALLATION,
      '0b3f6d1e-8a4c-4e52-9d10-5f2f6f3c1a88',
    ],
    [
      'domain',
      'wrong-domain',
      { domain: 'www.shop.example.com' },
      'shop.example.com',
      'www.shop.example.com',
    ],
  ])('%s', async (name, situation, expected, bound, asked) => {
    const facts = await factsOf([license, certificate], { expected });
    expect(facts.situation).toBe(situation);
    expect(facts.values).toMatchObject({ [name]: text(bound), [`expected_${name}`]: text(asked) });
  });

  test('and nothing is expected where they agree', async () => {
    const expected = {
      productSlug: 'harbour-theme',
      installationId: INSTALLATION,
      domain: 'shop.example.com',
    };
    const { values } = await factsOf([license, certificate], { expected });
    for (const name of ['product', 'installation', 'domain'])
      expect(values).not.toHaveProperty(`expected_${name}`);
  });
});

describe('a refusal', () => {
  it('by the last contact has its moment where that is known', async () => {
    const lastContact = { at: NOW - DAY, outcome: 'refused' } as const;
    const { situation, values } = await factsOf([license, certificate], { lastContact });
    expect(situation).toBe('refused');
    expect(values.asked_at).toEqual({ kind: 'moment', at: NOW - DAY });
    expect(values).not.toHaveProperty('answer');
  });

  it('that only the file records has none', async () => {
    const state = JSON.stringify({
      license,
      activation_certificate: certificate,
      last_contact: { at: new Date(NOW).toISOString(), outcome: 'refused' },
    });
    const { situation, values } = await factsOf(state);
    expect(situation).toBe('refused');
    expect(values).not.toHaveProperty('asked_at');
  });

  it('is not what an authority confirmed', async () => {
    const answer = {
      at: NOW,
      outcome: 'confirmed',
      authority: 'Sandbox',
      msg: 'All well',
    } as const;
    const { values } = await factsOf([license, certificate], {
      answers: [{ ...answer, license, certificate }],
    });
    expect(values).not.toHaveProperty('answer');
    expect(values).not.toHaveProperty('asked_at');
  });
});

describe('the note', () => {
  const quoted = (document: string): string => document.replaceAll(/(.{40})/g, '$1\n');

  it('is that the key is one for tests', async () => {
    const { values } = await factsOf([license, certificate], {
      keys: [pinned(signer, { kind: 'test' })],
    });
    expect(values.note).toEqual({ kind: 'words', ids: ['note-test'] });
  });

  it('is that a genuine file was damaged on its way', async () => {
    expect((await factsOf(quoted(license))).values.note).toEqual({
      kind: 'words',
      ids: ['note-damaged'],
    });
  });

  it.each([
    [
      'altered',
      quoted(token(foreign, { ...LICENSE_CLAIMS, kid: pinned(signer).fingerprint.slice(0, 16) })),
    ],
    ['unpinned-key', quoted(token(foreign, { ...LICENSE_CLAIMS, kid: 'another-key' }))],
  ])('is none where the file is asked for again: %s', async (situation, source) => {
    const facts = await factsOf(source);
    expect(facts.situation).toBe(situation);
    expect(facts.values).not.toHaveProperty('note');
  });
});

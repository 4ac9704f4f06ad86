import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { webCryptoEngine } from '#core/keys/ed25519';
import { type InspectContext, inspectText } from '#core/license/inspect/inspect';
import type { Check, CheckId, Inspection } from '#core/license/inspect/inspection';
import type { JsonObject, JsonValue } from '#core/encoding/index';
import {
  CERTIFICATE_CLAIMS,
  DAY,
  INSTALLATION,
  LICENSE_CLAIMS,
  NOW,
  jws,
  member,
  pair,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';
import { isUnderMutation } from '#tests/support/under-mutation';

const signer = makeSigner(1);
const license = token(signer, LICENSE_CLAIMS);
const certificate = token(signer, CERTIFICATE_CLAIMS);
const both = `${license}\n${certificate}`;
const NEXT = Date.parse('2026-11-06T12:00:00Z');
const GRACE = Date.parse('2026-12-04T00:00:00Z');

const base: InspectContext = {
  keys: [pinned(signer)],
  engine: webCryptoEngine(crypto.subtle),
  now: NOW,
};

async function inspection(
  source: Parameters<typeof inspectText>[0],
  changes: Partial<InspectContext> = {},
): Promise<Inspection> {
  return inspectText(source, { ...base, ...changes });
}

function checkOf({ checks }: Inspection, id: CheckId): Check {
  const found = checks.find((check) => check.id === id);
  if (found === undefined) throw new Error(`no check ${id}`);
  return found;
}

const leads = ({ headline }: Inspection): string[] => headline.sentences.map(({ id }) => id);

describe('a genuine license with its certificate', () => {
  it('is active, and says so with its deadlines', async () => {
    const report = await inspection(both);
    expect(report.standing).toBe('activated');
    expect(report.headline).toEqual({
      tone: 'good',
      test: false,
      asOf: Date.parse('2026-11-01T00:00:00Z'),
      sentences: [
        {
          id: 'activated',
          data: {
            domain: 'shop.example.com',
            product: 'harbour-theme',
            nextValidationAt: NEXT,
            graceUntil: GRACE,
          },
        },
      ],
    });
    expect(report.next).toEqual({ to: 'validation-due', at: NEXT });
    expect(report.checks.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'license-signature pass',
      'license-payload pass',
      'certificate-signature pass',
      'certificate-fields pass',
      'domain skip',
      'installation skip',
      'product skip',
      'certificate-matches-license pass',
      'not-from-the-future pass',
      'next-validation pass',
      'grace pass',
      'clock skip',
      'key-status pass',
    ]);
    expect(report.forms).toEqual([
      { key: 'main', document: 'license', form: { encoding: 'token', input: 'payload' } },
      { key: 'main', document: 'certificate', form: { encoding: 'token', input: 'payload' } },
    ]);
  });

  it.each([
    ['a token', token(signer, CERTIFICATE_CLAIMS, 'segment')],
    ['a JWS', jws(signer, CERTIFICATE_CLAIMS)],
    ['a pair', pair(signer, CERTIFICATE_CLAIMS)],
    ['a member form', member(signer, CERTIFICATE_CLAIMS)],
  ])('is active with %s for a certificate', async (_, text) => {
    expect((await inspection(`${license}\n\n${text}`)).standing).toBe('activated');
    expect((await inspection([license, text])).standing).toBe('activated');
    expect((await inspection(text)).standing).toBe('activated');
  });

  it('crosses to another thread unchanged', async () => {
    const report = await inspection(both);
    expect(structuredClone(report)).toEqual(report);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it('begins with the test key where one vouches for it', async () => {
    const report = await inspection(both, { keys: [pinned(signer, { kind: 'test' })] });
    expect(report.headline.test).toBe(true);
    expect(checkOf(report, 'key-status')).toMatchObject({ outcome: 'pass', reason: 'test' });
  });
});

describe('a document that calls itself one for tests', () => {
  const text = (ofLicense: JsonObject, ofCertificate: JsonObject): string =>
    [
      token(signer, { ...LICENSE_CLAIMS, ...ofLicense }),
      token(signer, { ...CERTIFICATE_CLAIMS, ...ofCertificate }),
    ].join('\n');

  it.each<[string, JsonObject, JsonObject, true | undefined]>([
    ['a license with "test"', { test: true }, {}, true],
    ['a license with "sample"', { sample: true }, {}, true],
    ['a certificate with "test"', {}, { test: true }, true],
    ['a certificate with "sample"', {}, { sample: true }, true],
    ['both', { test: true, sample: true }, { test: true }, true],
    ['neither', {}, {}, undefined],
    ['one that says it is none', { test: false, sample: false }, {}, undefined],
    ['one with the word', { test: 'true' }, { sample: 1 }, undefined],
  ])('is said beside the headline of a live key: %s', async (_, first, second, calledTest) => {
    const { headline } = await inspection(text(first, second));
    expect(headline.test).toBe(false);
    expect(headline.calledTest).toBe(calledTest);
  });

  it('needs no word under a test key, and is not believed without a key', async () => {
    const source = text({ test: true }, { test: true });
    const tested = await inspection(source, { keys: [pinned(signer, { kind: 'test' })] });
    expect(tested.headline).toMatchObject({ test: true });
    expect(tested.headline).not.toHaveProperty('calledTest');
    const forged = await inspection(source, { keys: [pinned(makeSigner(2))] });
    expect(forged.headline).not.toHaveProperty('calledTest');
  });
});

describe('an expired license leads', () => {
  const text = `${token(signer, { ...LICENSE_CLAIMS, expires_at: '2026-10-01T00:00:00Z' })}\n${certificate}`;

  it.each([
    ['activated', NEXT - 1, ['license-expired', 'activated']],
    ['validation-due', NEXT, ['license-expired', 'validation-due']],
    ['denied', GRACE, ['denied', 'license-expired']],
  ] as const)('unless the installation is denied: %s', async (standing, now, expected) => {
    const report = await inspection(text, { now });
    expect(report.standing).toBe(standing);
    expect(leads(report)).toEqual(expected);
  });
});

describe('what a file alone can say', () => {
  const at = async (now: number, state: object = {}): Promise<string> => {
    const source = JSON.stringify({ license, activation_certificate: certificate, ...state });
    return (await inspection(source, { now })).standing;
  };
  const failed = (moment: number): object => ({
    last_contact: { at: new Date(moment).toISOString(), outcome: 'unreachable' },
  });

  it.each([
    ['before next_validation_at', NEXT - 1, {}, 'activated'],
    ['at next_validation_at', NEXT, {}, 'validation-due'],
    ['after next_validation_at', NEXT + 1, {}, 'validation-due'],
    ['before grace_until', GRACE - 1, {}, 'validation-due'],
    ['at grace_until', GRACE, {}, 'denied'],
    ['after grace_until', GRACE + 1, {}, 'denied'],
    ['due, after a failed contact', NEXT + DAY, failed(NEXT), 'grace'],
    ['due, after a failed contact before it was', NEXT + DAY, failed(NEXT - 1), 'validation-due'],
    ['due, before a failed contact', NEXT + DAY, failed(NEXT + 2 * DAY), 'validation-due'],
    ['a moment before the end of grace', GRACE - 1, failed(NEXT), 'grace'],
    ['at the end of grace', GRACE, failed(NEXT), 'denied'],
    [
      'after a refusal',
      NEXT - 1,
      { last_contact: { at: NEXT / 1000 - 9000, outcome: 'refused' } },
      'denied',
    ],
  ])('%s', async (_, now, state, standing) => {
    expect(await at(now, state)).toBe(standing);
  });

  it('grace, when the agent says that the authority could not be reached', async () => {
    const standingAt = async (now: number): Promise<string> =>
      (await inspection(both, { now, unreached: true })).standing;
    expect(await standingAt(NEXT - 1)).toBe('activated');
    expect(await standingAt(NEXT)).toBe('grace');
    expect(await standingAt(GRACE)).toBe('denied');
  });

  it('by a contact known from elsewhere before the one that the file records', async () => {
    const source = JSON.stringify({
      license,
      activation_certificate: certificate,
      last_contact: { at: NEXT / 1000, outcome: 'refused' },
    });
    const lastContact = { at: NEXT + 1, outcome: 'unreachable' } as const;
    expect((await inspection(source, { now: NEXT + 2, lastContact })).standing).toBe('grace');
  });

  it('not activated, from a license alone', async () => {
    const report = await inspection(license);
    expect(report.standing).toBe('not-activated');
    expect(leads(report)).toEqual(['not-activated']);
  });

  it('by the clock, from a certificate alone', async () => {
    expect((await inspection(certificate)).standing).toBe('activated');
  });

  it.each([
    ['nothing', 'dear support, it does not work', 'nothing-found'],
    ['an empty file', '', 'source-empty'],
    ['a license that nobody signed', token(makeSigner(2), LICENSE_CLAIMS), 'license-no-key-fits'],
    [
      'a certificate that nobody signed',
      `${license}\n${token(makeSigner(2), CERTIFICATE_CLAIMS)}`,
      'certificate-no-key-fits',
    ],
    [
      'a certificate without its fields',
      `${license}\n${token(signer, without(CERTIFICATE_CLAIMS, 'domain'))}`,
      'certificate-unreadable',
    ],
    [
      'deadlines the wrong way round',
      token(signer, { ...CERTIFICATE_CLAIMS, grace_until: '2026-11-06T11:59:59Z' }),
      'certificate-unreadable',
    ],
    [
      'a certificate slot that holds no certificate',
      JSON.stringify({ license, activation_certificate: 'gone' }),
      'certificate-unreadable',
    ],
  ])('unverified, from %s', async (_, text, lead) => {
    const report = await inspection(text);
    expect(report.standing).toBe('unverified');
    expect(leads(report)[0]).toBe(lead);
  });

  it('unverified under a revoked key, and says which', async () => {
    const report = await inspection(both, { keys: [pinned(signer, { revoked: true })] });
    expect(report.standing).toBe('unverified');
    expect(report.headline.sentences[0]).toMatchObject({
      id: 'key-not-trusted',
      data: { reason: 'key-revoked', label: 'Main key' },
    });
    expect(checkOf(report, 'key-status').outcome).toBe('fail');
  });

  it('unverified without keys, with every claim shown', async () => {
    const report = await inspection(both, { keys: [] });
    expect(report.standing).toBe('unverified');
    expect(leads(report)).toEqual(['not-verified']);
    expect(report.headline.tone).toBe('unknown');
    expect(report.certificate).toMatchObject({
      genuine: false,
      says: { domain: 'shop.example.com' },
    });
  });

  it('tells a certificate that is signed but unreadable from one that is not signed', async () => {
    const odd = { ...CERTIFICATE_CLAIMS, grace_until: 'soon' };
    const signed = await inspection(token(signer, odd));
    expect(checkOf(signed, 'certificate-signature')).toMatchObject({ outcome: 'pass' });
    expect(checkOf(signed, 'certificate-fields')).toMatchObject({
      outcome: 'fail',
      reason: 'unreadable-field',
      data: { field: 'grace_until', because: 'unreadable' },
    });
    const unsigned = await inspection(token(makeSigner(3), odd));
    expect(checkOf(unsigned, 'certificate-signature').outcome).toBe('fail');
  });
});

describe('a mismatch', () => {
  it.each([
    ['mismatch-domain', { domain: 'www.shop.example.com' }, 'domain', 'www'],
    [
      'mismatch-installation',
      { installationId: INSTALLATION.replace('0b', '1b') },
      'installation',
      'different',
    ],
  ] as const)('leads with %s and changes no standing', async (lead, expected, id, reason) => {
    const report = await inspection(both, { expected });
    expect(report.standing).toBe('activated');
    expect(leads(report)).toEqual([lead, 'activated']);
    expect(report.headline.tone).toBe('bad');
    expect(checkOf(report, id)).toMatchObject({ outcome: 'fail', reason });
  });

  it('is found against what a saved state says of itself', async () => {
    const state = { license, activation_certificate: certificate, domain: 'other.example' };
    const report = await inspection(JSON.stringify(state));
    expect(checkOf(report, 'domain')).toMatchObject({
      outcome: 'fail',
      data: { source: 'file', expected: 'other.example' },
    });
  });

  it('between a license and a certificate of another', async () => {
    const other = token(signer, { ...LICENSE_CLAIMS, license_id: 'L-2', product_slug: 'other' });
    const report = await inspection([
      other,
      token(signer, without(CERTIFICATE_CLAIMS, 'license_id')),
    ]);
    expect(leads(report)[0]).toBe('mismatch-license');
    expect(report.standing).toBe('activated');
  });

  it('is none when everything expected is there, however it is spelled', async () => {
    const expected = {
      domain: 'https://SHOP.example.com.:8443/cart',
      installationId: `{${INSTALLATION.toUpperCase()}}`,
      productSlug: ' harbour-theme ',
    };
    const report = await inspection(both, { expected });
    expect(leads(report)).toEqual(['activated']);
    for (const id of ['domain', 'installation', 'product'] as const) {
      expect(checkOf(report, id).outcome).toBe('pass');
    }
  });
});

describe('the clock', () => {
  it('is believed up to five minutes behind the latest moment seen', async () => {
    const report = await inspection(both, { now: NEXT - 1, latestSeen: NEXT - 1 + 300_000 });
    expect(report.standing).toBe('activated');
    expect(checkOf(report, 'clock')).toMatchObject({ outcome: 'pass' });
  });

  it('turned back further earns nothing, and no grace', async () => {
    const report = await inspection(both, {
      now: NEXT - 1,
      latestSeen: NEXT + 300_000,
      unreached: true,
    });
    expect(report.standing).toBe('validation-due');
    expect(report.moment).toBe(NEXT + 300_000);
    expect(checkOf(report, 'clock')).toMatchObject({ outcome: 'warn', reason: 'turned-back' });
    expect(checkOf(report, 'grace')).toMatchObject({ outcome: 'warn', reason: 'clock' });
    expect(leads(report)).toContain('clock-turned-back');
  });

  it('shows a document from the future', async () => {
    const issued = Date.parse('2026-11-01T00:00:00Z');
    const inTime = await inspection(both, { now: issued - 300_000 });
    expect(checkOf(inTime, 'not-from-the-future').outcome).toBe('pass');
    const early = await inspection(both, { now: issued - 300_001 });
    expect(leads(early)[0]).toBe('issued-ahead');
  });
});

describe('several documents', () => {
  const newer = {
    ...CERTIFICATE_CLAIMS,
    issued_at: '2026-11-02T00:00:00Z',
    next_validation_at: '2026-11-09T00:00:00Z',
  };

  it('counts the newest genuine certificate of the installation', async () => {
    const forged = token(makeSigner(9), { ...newer, issued_at: '2026-11-03T00:00:00Z' });
    const report = await inspection(
      [license, token(signer, newer), certificate, forged].join('\n'),
    );
    expect(report.certificate?.says?.nextValidationAt).toBe(Date.parse('2026-11-09T00:00:00Z'));
    expect(report.standing).toBe('activated');
    expect(report.otherCertificates.map(({ genuine }) => genuine)).toEqual([true, false]);
  });

  it('puts the installation asked about first, and another one beside it', async () => {
    const second = INSTALLATION.replace('0b', '1b');
    const other = token(signer, { ...newer, installation_id: second, domain: 'b.example' });
    const text = [license, certificate, other].join('\n');
    const byNewest = await inspection(text);
    expect(byNewest.certificate?.says?.installationId).toBe(second);
    const asked = await inspection(text, { expected: { installationId: INSTALLATION } });
    expect(asked.certificate?.says?.installationId).toBe(INSTALLATION);
    expect(asked.others.map(({ certificate: one }) => one?.says?.domain)).toEqual(['b.example']);
  });

  it('pairs each of several licenses with its own certificate', async () => {
    const second = token(signer, { ...LICENSE_CLAIMS, license_id: 'L-2' });
    const its = token(signer, { ...newer, license_id: 'L-2', domain: 'b.example' });
    const report = await inspection([license, second, its, certificate].join('\n'));
    const pairs = [report, ...report.others].map((one) => [
      one.license?.says?.licenseId,
      one.certificate?.says?.domain,
    ]);
    expect(pairs).toEqual([
      ['L-1001', 'shop.example.com'],
      ['L-2', 'b.example'],
    ]);
  });
});

describe('the payload of a license', () => {
  it('with a name twice fails its own check and changes nothing else', async () => {
    const text = JSON.stringify(LICENSE_CLAIMS).replace('{', '{"product_slug":"x",');
    const report = await inspection([token(signer, text), certificate]);
    expect(checkOf(report, 'license-payload')).toMatchObject({
      outcome: 'fail',
      reason: 'duplicate-name',
    });
    expect(report.standing).toBe('activated');
    expect(leads(report)).toEqual(['activated']);
    expect(checkOf(report, 'license-signature').outcome).toBe('pass');
  });

  it('may be text', async () => {
    const report = await inspection(token(signer, 'Licensed to Jörg & Söhne'));
    expect(report.standing).toBe('not-activated');
    expect(checkOf(report, 'license-payload')).toMatchObject({ reason: 'opaque' });
    expect(report.license?.says?.text).toBe('Licensed to Jörg & Söhne');
  });

  it('that has run out leads before it was ever activated as well', async () => {
    const text = token(signer, { ...LICENSE_CLAIMS, expires_at: '2026-10-01T00:00:00Z' });
    expect(leads(await inspection(text))).toEqual(['license-expired', 'not-activated']);
  });

  it('with a number that no reader keeps whole is a warning', async () => {
    const text = JSON.stringify(LICENSE_CLAIMS).replace('{', '{"order":12345678901234567890,');
    expect(checkOf(await inspection(token(signer, text)), 'license-payload')).toMatchObject({
      outcome: 'warn',
      reason: 'inexact-number',
    });
  });

  it('holds __proto__ as a claim like any other', async () => {
    const text = JSON.stringify(LICENSE_CLAIMS).replace('{', '{"__proto__":{"domain":"x"},');
    const report = await inspection(token(signer, text));
    expect(checkOf(report, 'license-payload')).toMatchObject({ reason: 'proto-name' });
    expect(report.license?.says?.domain).toBeUndefined();
  });
});

describe('whatever comes in', () => {
  it.skipIf(isUnderMutation)(
    'a token with one bit flipped is never genuine, whatever is repaired',
    async () => {
      const text = new TextEncoder().encode(license);
      const genuine: number[] = [];
      // verify.test.ts flips each; these come by every place of a byte.
      for (let bit = 0; bit < text.length * 8; bit += 5) {
        const flipped = text.slice();
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        if ((await inspection(flipped)).standing !== 'unverified') genuine.push(bit);
      }
      expect(genuine).toEqual([]);
    },
  );

  it.skipIf(isUnderMutation)('is reported on and never thrown back', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(license, certificate, member(signer, CERTIFICATE_CLAIMS), '{"license":"'),
      fc.json(),
      fc.json().map((json) => token(signer, json)),
      fc.json().map((json) => jws(signer, json)),
    );
    const text = fc.string({ unit: 'binary' });
    const expected = fc.record({ domain: text, productSlug: text, installationId: text });
    await fc.assert(
      fc.asyncProperty(fc.array(piece), expected, fc.double(), async (pieces, wanted, now) => {
        const report = await inspection(pieces.join('\n'), { expected: wanted, now });
        expect(report.checks).toHaveLength(13);
        expect(report.headline.sentences.length).toBeGreaterThan(0);
        expect(structuredClone(report)).toEqual(report);
      }),
    );
  });

  it('a certificate with any field replaced by anything is at most a fault', async () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.double(),
      fc.date().map(String),
    ) as fc.Arbitrary<JsonValue>;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(CERTIFICATE_CLAIMS)),
        value,
        async (name, odd) => {
          const report = await inspection(token(signer, { ...CERTIFICATE_CLAIMS, [name]: odd }));
          expect(report.checks).toHaveLength(13);
        },
      ),
    );
  });
});

import { expect, it } from 'vitest';

import type { InspectContext } from '#core/license/inspect/inspect';
import type {
  CheckId,
  CheckOutcome,
  Facts,
  HeadlineSentence,
  Inspection,
} from '#core/license/inspect/inspection';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  NOW,
  token,
} from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';
import type { JsonValue } from '#core/encoding/index';

export const ISSUED = Date.parse('2026-11-01T00:00:00Z');
export const NEXT = Date.parse('2026-11-06T12:00:00Z');
export const GRACE = Date.parse('2026-12-04T00:00:00Z');

export const license = token(signer, LICENSE_CLAIMS);
export const certificate = token(signer, CERTIFICATE_CLAIMS);
type Changes = Readonly<Record<string, JsonValue>>;
export const licenseWith = (changes: Changes): string =>
  token(signer, { ...LICENSE_CLAIMS, ...changes });
export const certificateWith = (changes: Changes): string =>
  token(signer, { ...CERTIFICATE_CLAIMS, ...changes });

type Row = readonly [outcome: CheckOutcome, reason: string, data: Facts];
type Rows = Readonly<Record<Exclude<CheckId, 'clock'>, Row>>;

/** Holds one file and all that is said of it. */
export interface Case {
  readonly name: string;
  /** The genuine license with its certificate, unless given. */
  readonly source?: string | readonly string[];
  readonly options?: Partial<InspectContext>;
  /** What its checks are like, but for those that are given: genuine, unless given. */
  readonly like?: Rows;
  readonly but?: Partial<Record<CheckId, Row>>;
  readonly headline: readonly [Inspection['headline']['tone'], ...HeadlineSentence[]];
  readonly next?: Inspection['next'];
}

const holds: Row = ['pass', 'holds', { label: 'Main key', encoding: 'token', input: 'payload' }];

/** Lists the checks of a genuine license with its certificate. */
const genuine: Rows = {
  'license-signature': holds,
  'license-payload': ['pass', 'readable', { claims: 5 }],
  'certificate-signature': holds,
  'certificate-fields': ['pass', 'readable', { domain: 'shop.example.com' }],
  domain: ['skip', 'nothing-expected', { bound: 'shop.example.com' }],
  installation: ['skip', 'nothing-expected', { bound: INSTALLATION }],
  product: ['skip', 'nothing-expected', { bound: 'harbour-theme' }],
  'certificate-matches-license': ['pass', 'agrees', { fields: 'licenseId, productSlug' }],
  'not-from-the-future': ['pass', 'past', { document: 'certificate', issuedAt: ISSUED }],
  'next-validation': ['pass', 'ahead', { nextValidationAt: NEXT }],
  grace: ['pass', 'not-needed', { graceUntil: GRACE }],
  'key-status': ['pass', 'live', { label: 'Main key' }],
};

const all = (reason: string): Rows => {
  const ids = Object.keys(genuine);
  return Object.fromEntries(ids.map((id) => [id, ['skip', reason, {}]])) as unknown as Rows;
};

/** Lists the checks where there is no document. */
export const absent: Rows = { ...all('absent'), 'key-status': ['skip', 'unknown', {}] };

/** Lists the checks of a license and a certificate that no key vouches for. */
export const unverified: Rows = {
  ...all('not-verified'),
  'license-signature': ['skip', 'no-keys', {}],
  'certificate-signature': ['skip', 'no-keys', {}],
  'key-status': ['skip', 'unknown', {}],
};

export const say = (id: HeadlineSentence['id'], data: Facts = {}): HeadlineSentence => ({
  id,
  data,
});

/** Makes the headline's sentence about the standing of the genuine certificate. */
export const standing = (id: HeadlineSentence['id']): HeadlineSentence => ({
  id,
  data: {
    domain: 'shop.example.com',
    product: 'harbour-theme',
    nextValidationAt: NEXT,
    graceUntil: GRACE,
  },
});

/** Says what comes next for an activated installation. */
export const renewal = { to: 'validation-due', at: NEXT } as const;

/** Tests each case to the last word. */
export function testCases(cases: readonly Case[]): void {
  const both = [license, certificate];
  it.each(cases)('$name', async ({ source = both, options = {}, like = genuine, ...expected }) => {
    const report = await inspection(source, options);
    const { but, headline, next } = expected;
    const [tone, ...sentences] = headline;
    const checks = report.checks.map(({ id, outcome, reason, data }) => [
      id,
      [outcome, reason, data],
    ]);
    const clock: Row = ['skip', 'unknown', { now: options.now ?? NOW }];
    expect(Object.fromEntries(checks)).toEqual({ ...like, clock, ...but });
    expect(report.headline).toMatchObject({ tone, sentences });
    expect(report.next).toEqual(next);
  });
}

import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { licenseLimitBytes } from '#core/license/document/document';
import { authorityRules } from '#messaging/topics/authority';
import { jsonLength } from '#messaging/topic';
import { rehearsalRules } from '#messaging/topics/rehearsal';

const installationId = '3f0c3c1e-6e0a-4a5b-9a58-0a9f4a6f3c11';
const authorityId = '9b1f2a5e-2f4c-4c55-8a3d-5b0f7f0f1c22';
const call = {
  authorityId,
  request: {
    license: 'a.b',
    domain: 'shop.example.com',
    productSlug: 'ledgerline',
    installationId,
  },
};
const takes = (rule: { body: v.GenericSchema }, body: unknown): boolean => v.is(rule.body, body);

describe('a call of the licensing API', () => {
  const rule = authorityRules['authority.validate'];

  it('is taken with its four fields', () => {
    expect(takes(rule, call)).toBe(true);
  });

  it.each([
    ['an installation id in capitals', { installationId: installationId.toUpperCase() }],
    ['an installation id in braces', { installationId: `{${installationId}}` }],
    ['no installation id', { installationId: undefined }],
    ['an empty domain', { domain: '' }],
    ['a domain that is too long', { domain: 'd'.repeat(254) }],
    ['a license that is too large', { license: 'l'.repeat(licenseLimitBytes + 1) }],
    ['a field more', { more: 1 }],
  ])('is refused with %s', (_, change) => {
    expect(takes(rule, { ...call, request: { ...call.request, ...change } })).toBe(false);
  });
});

describe('a control command', () => {
  const rule = rehearsalRules['rehearsal.control'];
  const maxMoment = 8e15;

  it.each([
    { do: 'look' },
    { do: 'clock' },
    { do: 'clock', now: 0 },
    { do: 'clock', now: maxMoment },
    { do: 'availability', available: false },
    { do: 'revoke', licenseId: 'L-1' },
    { do: 'unrevoke', licenseId: 'L-1' },
    { do: 'inject-fault', fault: 'error-500' },
    { do: 'clear-faults' },
  ])('%j is taken', (command) => {
    expect(takes(rule, { authorityId, command })).toBe(true);
  });

  it.each([
    {},
    { do: 'issue' },
    { do: 'look', more: 1 },
    { do: 'clock', now: -1 },
    { do: 'clock', now: 1.5 },
    { do: 'clock', now: maxMoment + 1 },
    { do: 'availability' },
    { do: 'availability', available: true, more: 1 },
    { do: 'revoke' },
    { do: 'revoke', licenseId: '' },
    { do: 'unrevoke', licenseId: 'L'.repeat(201) },
    { do: 'inject-fault', fault: 'fire' },
    { do: 'clear-faults', more: 1 },
  ])('%j is refused', (command) => {
    expect(takes(rule, { authorityId, command })).toBe(false);
  });

  it('is refused without an authority, or with more beside it', () => {
    expect(takes(rule, { command: { do: 'look' } })).toBe(false);
    expect(takes(rule, { authorityId, command: { do: 'look' }, more: 1 })).toBe(false);
  });
});

describe('the claims of a sample license', () => {
  const rule = rehearsalRules['rehearsal.sample'];
  /** An object whose JSON has exactly so many characters. */
  const claimsOf = (length: number): object => ({ x: 'c'.repeat(length - '{"x":""}'.length) });

  it('are an object as large as a license may be', () => {
    expect(takes(rule, { authorityId, claims: {} })).toBe(true);
    expect(takes(rule, { authorityId, claims: claimsOf(licenseLimitBytes) })).toBe(true);
    expect(takes(rule, { authorityId, claims: claimsOf(licenseLimitBytes + 1) })).toBe(false);
  });

  it.each([null, [], 'text', 7, undefined])('are not %j', (claims) => {
    expect(takes(rule, { authorityId, claims })).toBe(false);
  });

  it('come with nothing beside them', () => {
    expect(takes(rule, { authorityId, claims: {}, more: 1 })).toBe(false);
  });
});

describe('the length of a value as JSON', () => {
  it('is infinite for what is no JSON', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(jsonLength(undefined)).toBe(Number.POSITIVE_INFINITY);
    expect(jsonLength(circle)).toBe(Number.POSITIVE_INFINITY);
    expect(jsonLength(7n)).toBe(Number.POSITIVE_INFINITY);
    expect(jsonLength('ä')).toBe(3);
  });
});

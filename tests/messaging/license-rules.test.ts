import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { licenseLimitBytes } from '#core/license/index';
import { authorityRules } from '#messaging/topics/authority';
import { jsonLength } from '#messaging/topic';

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

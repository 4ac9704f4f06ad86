import { describe } from 'vitest';

import {
  NOW,
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  pinned,
  token,
} from '#tests/core/license/documents';
import {
  license,
  licenseWith,
  certificateWith,
  absent,
  unverified,
  standing,
  renewal,
  say,
  testCases,
} from '#tests/core/license/inspect/cases';
import { signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/keys/sign';

const SOLD = Date.parse('2026-09-01T00:00:00Z');
const stranger = makeSigner(9);

describe('all that is said for a signer', () => {
  testCases([
    {
      name: 'nothing',
      source: 'hello',
      like: absent,
      headline: ['unknown', say('nothing-found')],
    },
    {
      name: 'too much',
      source: 'x'.repeat(300_000),
      like: absent,
      headline: ['unknown', say('source-too-large', { limitBytes: 262144 })],
    },
    {
      name: 'no keys',
      options: { keys: [] },
      like: unverified,
      headline: ['unknown', say('not-verified')],
    },
    {
      name: 'another signer',
      source: [token(stranger, LICENSE_CLAIMS), token(stranger, CERTIFICATE_CLAIMS)],
      like: unverified,
      but: {
        'license-signature': ['fail', 'no-key-matches', { tried: 1 }],
        'certificate-signature': ['fail', 'no-key-matches', { tried: 1 }],
      },
      headline: [
        'bad',
        say('license-no-key-fits', { reason: 'no-key-matches' }),
        say('certificate-no-key-fits', { reason: 'no-key-matches' }),
      ],
    },
    {
      name: 'another signer who is named',
      source: [
        token(stranger, { ...LICENSE_CLAIMS, kid: 'k9' }),
        token(stranger, { ...CERTIFICATE_CLAIMS, kid: 'aabbccddeeff00' }),
      ],
      like: unverified,
      but: {
        'license-signature': ['skip', 'unknown-key', { keyId: 'k9', tried: 1 }],
        'certificate-signature': ['skip', 'unknown-key', { keyId: 'aabbccddeeff00', tried: 1 }],
      },
      headline: [
        'unknown',
        say('license-unknown-key', { keyId: 'k9' }),
        say('certificate-unknown-key', { keyId: 'aabb…' }),
      ],
    },
    {
      name: 'a certificate of another pinned key',
      source: [license, token(stranger, CERTIFICATE_CLAIMS)],
      options: { keys: [pinned(signer), pinned(stranger, { id: 'other', label: 'Other key' })] },
      like: absent,
      but: {
        'license-signature': [
          'pass',
          'holds',
          { label: 'Main key', encoding: 'token', input: 'payload' },
        ],
        'license-payload': ['pass', 'readable', { claims: 5 }],
        product: ['skip', 'nothing-expected', { bound: 'harbour-theme' }],
        'certificate-matches-license': [
          'warn',
          'other-signer',
          { label: 'Other key', licenseLabel: 'Main key' },
        ],
        'not-from-the-future': ['pass', 'past', { document: 'license', issuedAt: SOLD }],
        'key-status': ['pass', 'live', { label: 'Main key' }],
      },
      headline: [
        'caution',
        say('not-activated', { product: 'harbour-theme' }),
        say('other-signer', { label: 'Other key', licenseLabel: 'Main key' }),
      ],
    },
    {
      name: 'a revoked key',
      options: { keys: [pinned(signer, { revoked: true })] },
      like: unverified,
      but: {
        'license-signature': ['fail', 'key-revoked', { key: 'main', label: 'Main key' }],
        'certificate-signature': ['fail', 'key-revoked', { key: 'main', label: 'Main key' }],
        'key-status': [
          'fail',
          'key-revoked',
          { key: 'main', label: 'Main key', document: 'license' },
        ],
      },
      headline: [
        'bad',
        say('key-not-trusted', { label: 'Main key', reason: 'key-revoked', document: 'license' }),
        say('key-not-trusted', {
          label: 'Main key',
          reason: 'key-revoked',
          document: 'certificate',
        }),
      ],
    },
    {
      name: 'a key of other products',
      options: { keys: [pinned(signer, { products: ['a', 'b'] })] },
      like: unverified,
      but: {
        'license-signature': ['fail', 'other-product', { key: 'main', label: 'Main key' }],
        'certificate-signature': ['fail', 'other-product', { key: 'main', label: 'Main key' }],
        'key-status': [
          'fail',
          'other-product',
          { key: 'main', label: 'Main key', document: 'license' },
        ],
      },
      headline: [
        'bad',
        say('key-not-trusted', { label: 'Main key', reason: 'other-product', document: 'license' }),
        say('key-not-trusted', {
          label: 'Main key',
          reason: 'other-product',
          document: 'certificate',
        }),
      ],
    },
    {
      name: 'a key of products, and none is named',
      source: licenseWith({ product_slug: '' }),
      options: { keys: [pinned(signer, { products: ['a'] })] },
      like: absent,
      but: {
        'license-signature': ['fail', 'no-product', { key: 'main', label: 'Main key' }],
        'license-payload': ['skip', 'not-verified', {}],
        domain: ['skip', 'not-verified', {}],
        product: ['skip', 'not-verified', {}],
        'not-from-the-future': ['skip', 'not-verified', {}],
        'key-status': [
          'fail',
          'no-product',
          { key: 'main', label: 'Main key', document: 'license' },
        ],
      },
      headline: [
        'bad',
        say('key-not-trusted', { label: 'Main key', reason: 'no-product', document: 'license' }),
      ],
    },
    {
      name: 'a test key',
      options: { keys: [pinned(signer, { kind: 'test' })] },
      but: { 'key-status': ['pass', 'test', { label: 'Main key' }] },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'a limited key, and no dates',
      source: [licenseWith({ issued_at: null }), certificateWith({ issued_at: null })],
      options: { keys: [pinned(signer, { validTo: NOW })] },
      but: {
        'not-from-the-future': ['skip', 'undated', {}],
        'key-status': ['warn', 'no-issue-date', { document: 'license', label: 'Main key' }],
      },
      headline: [
        'caution',
        standing('activated'),
        say('undated-under-limited-key', { label: 'Main key' }),
      ],
      next: renewal,
    },
    {
      name: 'another key is named',
      source: [license, certificateWith({ kid: 'k2' })],
      options: { keys: [pinned(signer, { keyId: 'k1' })] },
      but: {
        'key-status': ['warn', 'other-key-id', { document: 'certificate', label: 'Main key' }],
      },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'other forms than before',
      options: {
        keys: [
          pinned(signer, {
            remembered: {
              license: { encoding: 'token', input: 'segment' },
              certificate: { encoding: 'jws', input: 'jws' },
            },
          }),
        ],
      },
      but: {
        'license-signature': [
          'warn',
          'unusual-form',
          { label: 'Main key', encoding: 'token', input: 'payload' },
        ],
        'certificate-signature': [
          'warn',
          'unusual-form',
          { label: 'Main key', encoding: 'token', input: 'payload' },
        ],
      },
      headline: ['good', standing('activated')],
      next: renewal,
    },
  ]);
});

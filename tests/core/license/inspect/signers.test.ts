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
  certificate,
  licenseWith,
  certificateWith,
  genuine,
  absent,
  unverified,
  standing,
  renewal,
  testCases,
} from '#tests/core/license/inspect/cases';
import { signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/license/signature/sign';

const SOLD = Date.parse('2026-09-01T00:00:00Z');
const stranger = makeSigner(9);

describe('all that is said for a signer', () => {
  testCases([
    {
      name: 'nothing',
      source: 'hello',
      like: absent,
      headline: { tone: 'unknown', sentences: [{ id: 'nothing-found', data: {} }] },
    },
    {
      name: 'too much',
      source: 'x'.repeat(300_000),
      like: absent,
      headline: {
        tone: 'unknown',
        sentences: [{ id: 'source-too-large', data: { limitBytes: 262144 } }],
      },
    },
    {
      name: 'no keys',
      source: [license, certificate],
      options: { keys: [] },
      like: unverified,
      headline: { tone: 'unknown', sentences: [{ id: 'not-verified', data: {} }] },
    },
    {
      name: 'another signer',
      source: [token(stranger, LICENSE_CLAIMS), token(stranger, CERTIFICATE_CLAIMS)],
      like: unverified,
      but: {
        'license-signature': ['fail', 'no-key-matches', { tried: 1 }],
        'certificate-signature': ['fail', 'no-key-matches', { tried: 1 }],
      },
      headline: {
        tone: 'bad',
        sentences: [
          { id: 'license-not-genuine', data: { reason: 'no-key-matches' } },
          { id: 'certificate-not-genuine', data: { reason: 'no-key-matches' } },
        ],
      },
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
      headline: {
        tone: 'unknown',
        sentences: [
          { id: 'license-unknown-key', data: { keyId: 'k9' } },
          { id: 'certificate-unknown-key', data: { keyId: 'aabb…' } },
        ],
      },
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
      headline: {
        tone: 'caution',
        sentences: [
          { id: 'not-activated', data: { product: 'harbour-theme' } },
          { id: 'other-signer', data: { label: 'Other key', licenseLabel: 'Main key' } },
        ],
      },
    },
    {
      name: 'a revoked key',
      source: [license, certificate],
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
      headline: {
        tone: 'bad',
        sentences: [
          {
            id: 'key-not-trusted',
            data: { label: 'Main key', reason: 'key-revoked', document: 'license' },
          },
          {
            id: 'key-not-trusted',
            data: { label: 'Main key', reason: 'key-revoked', document: 'certificate' },
          },
        ],
      },
    },
    {
      name: 'a key of other products',
      source: [license, certificate],
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
      headline: {
        tone: 'bad',
        sentences: [
          {
            id: 'key-not-trusted',
            data: { label: 'Main key', reason: 'other-product', document: 'license' },
          },
          {
            id: 'key-not-trusted',
            data: { label: 'Main key', reason: 'other-product', document: 'certificate' },
          },
        ],
      },
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
      headline: {
        tone: 'bad',
        sentences: [
          {
            id: 'key-not-trusted',
            data: { label: 'Main key', reason: 'no-product', document: 'license' },
          },
        ],
      },
    },
    {
      name: 'a test key',
      source: [license, certificate],
      options: { keys: [pinned(signer, { kind: 'test' })] },
      like: genuine,
      but: { 'key-status': ['pass', 'test', { label: 'Main key' }] },
      headline: { tone: 'good', sentences: [standing('activated')] },
      next: renewal,
    },
    {
      name: 'a limited key, and no dates',
      source: [licenseWith({ issued_at: null }), certificateWith({ issued_at: null })],
      options: { keys: [pinned(signer, { validTo: NOW })] },
      like: genuine,
      but: {
        'not-from-the-future': ['skip', 'undated', {}],
        'key-status': ['warn', 'no-issue-date', { document: 'license', label: 'Main key' }],
      },
      headline: {
        tone: 'caution',
        sentences: [
          standing('activated'),
          { id: 'undated-under-limited-key', data: { label: 'Main key' } },
        ],
      },
      next: renewal,
    },
    {
      name: 'another key is named',
      source: [license, certificateWith({ kid: 'k2' })],
      options: { keys: [pinned(signer, { keyId: 'k1' })] },
      like: genuine,
      but: {
        'key-status': ['warn', 'other-key-id', { document: 'certificate', label: 'Main key' }],
      },
      headline: { tone: 'good', sentences: [standing('activated')] },
      next: renewal,
    },
    {
      name: 'other forms than before',
      source: [license, certificate],
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
      like: genuine,
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
      headline: { tone: 'good', sentences: [standing('activated')] },
      next: renewal,
    },
  ]);
});

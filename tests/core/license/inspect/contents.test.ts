import { describe } from 'vitest';

import { NOW, LICENSE_CLAIMS, token } from '#tests/core/license/documents';
import {
  license,
  certificate,
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

const SOLD = Date.parse('2026-09-01T00:00:00Z');

describe('all that is said of what documents hold', () => {
  testCases([
    {
      name: 'no dates',
      source: [licenseWith({ issued_at: null }), certificateWith({ issued_at: null })],
      but: { 'not-from-the-future': ['skip', 'undated', {}] },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'an expired license',
      source: [licenseWith({ expires_at: '2026-10-01T00:00:00Z' }), certificate],
      but: { 'license-payload': ['warn', 'expired', { expiresAt: Date.parse('2026-10-01') }] },
      headline: [
        'caution',
        say('license-expired', { expiresAt: Date.parse('2026-10-01') }),
        standing('activated'),
      ],
      next: renewal,
    },
    {
      name: 'a license that ends at this moment',
      source: [licenseWith({ expires_at: '2026-11-03T12:00:00Z' }), certificate],
      but: { 'license-payload': ['warn', 'expired', { expiresAt: NOW }] },
      headline: ['caution', say('license-expired', { expiresAt: NOW }), standing('activated')],
      next: renewal,
    },
    {
      name: 'dates that cannot be read',
      source: [
        licenseWith({ expires_at: 'soon', issued_at: 'x' }),
        certificateWith({ expires_at: 'soon', issued_at: 'y' }),
      ],
      but: {
        'license-payload': ['warn', 'unreadable-date', { fields: 'issued_at, expires_at' }],
        'certificate-fields': ['warn', 'unreadable-date', { fields: 'issued_at, expires_at' }],
        'not-from-the-future': ['skip', 'undated', {}],
      },
      headline: ['caution', standing('activated'), say('license-end-unreadable')],
      next: renewal,
    },
    {
      name: 'an inexact number',
      source: [
        token(signer, JSON.stringify(LICENSE_CLAIMS).replace('{', '{"n":1e400,')),
        certificate,
      ],
      but: { 'license-payload': ['warn', 'inexact-number', {}] },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'a name twice',
      source: [
        token(signer, JSON.stringify(LICENSE_CLAIMS).replace('{', '{"product_slug":"x",')),
        certificate,
      ],
      but: { 'license-payload': ['fail', 'duplicate-name', {}] },
      headline: ['caution', standing('activated')],
      next: renewal,
    },
    {
      name: 'a license of plain text',
      source: [token(signer, 'an order'), certificate],
      but: {
        'license-payload': ['pass', 'opaque', { bytes: 8 }],
        'certificate-matches-license': ['warn', 'nothing-shared', {}],
      },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'documents that differ',
      source: [
        licenseWith({ license_id: 'L-2', license_type: 'Extended', domain: 'a.example' }),
        certificateWith({ license_type: 'Regular' }),
      ],
      but: {
        'license-payload': ['pass', 'readable', { claims: 6 }],
        'certificate-matches-license': [
          'fail',
          'differs',
          { fields: 'licenseId, domain, licenseType', license: 'L-2', certificate: 'L-1001' },
        ],
      },
      headline: [
        'bad',
        say('mismatch-license', {
          fields: 'licenseId, domain, licenseType',
          license: 'L-2',
          certificate: 'L-1001',
          reason: 'differs',
        }),
        standing('activated'),
      ],
      next: renewal,
    },
    {
      name: 'documents that agree in everything',
      source: [
        licenseWith({ domain: 'SHOP.example.com' }),
        certificateWith({ license_type: 'Regular' }),
      ],
      but: {
        'license-payload': ['pass', 'readable', { claims: 6 }],
        'certificate-matches-license': [
          'pass',
          'agrees',
          { fields: 'licenseId, productSlug, domain, licenseType' },
        ],
      },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'a certificate that names its domain alone',
      source: [license, certificateWith({ license_id: '', product_slug: '' })],
      but: {
        'certificate-matches-license': ['warn', 'domain-alone', { bound: 'shop.example.com' }],
      },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'documents that share the domain alone',
      source: [
        licenseWith({ license_id: '', domain: 'shop.example.com' }),
        certificateWith({ product_slug: '' }),
      ],
      but: {
        'license-payload': ['pass', 'readable', { claims: 6 }],
        'certificate-matches-license': ['warn', 'domain-alone', { bound: 'shop.example.com' }],
      },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'documents that share nothing',
      source: [licenseWith({ license_id: '', product_slug: '' }), certificate],
      but: { 'certificate-matches-license': ['warn', 'nothing-shared', {}] },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'a certificate of one of two licenses',
      source: [license, licenseWith({ license_id: 'L-2' }), certificateWith({ license_id: '' })],
      like: absent,
      but: {
        'license-signature': [
          'pass',
          'holds',
          { label: 'Main key', encoding: 'token', input: 'payload' },
        ],
        'license-payload': ['pass', 'readable', { claims: 5 }],
        product: ['skip', 'nothing-expected', { bound: 'harbour-theme' }],
        'not-from-the-future': ['pass', 'past', { document: 'license', issuedAt: SOLD }],
        'key-status': ['pass', 'live', { label: 'Main key' }],
      },
      headline: ['caution', say('not-activated', { product: 'harbour-theme' })],
    },
    {
      name: 'an undated certificate beside it',
      source: [
        license,
        certificate,
        certificateWith({ issued_at: null, next_validation_at: '2026-11-07T00:00:00Z' }),
      ],
      but: { 'certificate-fields': ['warn', 'undated-beside', {}] },
      headline: ['caution', standing('activated'), say('undated-certificate')],
      next: renewal,
    },
    {
      name: 'slots that hold nothing',
      source: JSON.stringify({ license: 'x.y', activation_certificate: 'gone' }),
      like: unverified,
      but: {
        'license-signature': ['skip', 'absent', {}],
        'license-payload': ['skip', 'absent', {}],
        'certificate-signature': ['fail', 'not-an-envelope', {}],
        'certificate-fields': ['skip', 'unread', {}],
        'certificate-matches-license': ['skip', 'absent', {}],
      },
      headline: ['bad', say('certificate-unreadable', { reason: 'not-an-envelope' })],
    },
    {
      name: 'contents that cannot be read',
      source: [licenseWith({ typ: 'voucher' }), certificateWith({ grace_until: 'soon' })],
      like: unverified,
      but: {
        'license-signature': [
          'pass',
          'holds',
          { label: 'Main key', encoding: 'token', input: 'payload' },
        ],
        'license-payload': ['fail', 'other-type', { type: 'voucher' }],
        'certificate-signature': [
          'pass',
          'holds',
          { label: 'Main key', encoding: 'token', input: 'payload' },
        ],
        'certificate-fields': [
          'fail',
          'unreadable-field',
          { field: 'grace_until', because: 'unreadable' },
        ],
        'key-status': ['pass', 'live', { label: 'Main key' }],
      },
      headline: [
        'bad',
        say('license-unreadable', { reason: 'other-type' }),
        say('certificate-unreadable', { reason: 'unreadable-field' }),
      ],
    },
    {
      name: 'documents in each other’s place',
      source: JSON.stringify({ license: certificate, activation_certificate: license }),
      like: unverified,
      but: {
        'license-signature': [
          'pass',
          'holds',
          { label: 'Main key', encoding: 'token', input: 'payload' },
        ],
        'license-payload': ['fail', 'misplaced-certificate', {}],
        'certificate-signature': [
          'pass',
          'holds',
          { label: 'Main key', encoding: 'token', input: 'payload' },
        ],
        'certificate-fields': ['fail', 'misplaced-license', {}],
        'key-status': ['pass', 'live', { label: 'Main key' }],
      },
      headline: [
        'bad',
        say('license-unreadable', { reason: 'misplaced-certificate' }),
        say('certificate-unreadable', { reason: 'misplaced-license' }),
      ],
    },
  ]);
});

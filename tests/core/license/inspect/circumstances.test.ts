import { describe } from 'vitest';

import { DAY, INSTALLATION, NOW } from '#tests/core/license/documents';
import {
  ISSUED,
  NEXT,
  GRACE,
  license,
  certificate,
  licenseWith,
  certificateWith,
  absent,
  standing,
  renewal,
  say,
  testCases,
} from '#tests/core/license/inspect/cases';

const SOLD = Date.parse('2026-09-01T00:00:00Z');
const OTHER = INSTALLATION.replace('0b', '1b');

describe('all that is said under a circumstance', () => {
  testCases([
    {
      name: 'what is expected is there',
      options: {
        expected: {
          domain: 'shop.example.com',
          productSlug: 'harbour-theme',
          installationId: INSTALLATION,
        },
      },
      but: {
        domain: ['pass', 'equal', { bound: 'shop.example.com', source: 'ticket' }],
        installation: ['pass', 'equal', { bound: INSTALLATION, source: 'ticket' }],
        product: ['pass', 'equal', { bound: 'harbour-theme', source: 'ticket' }],
      },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'a state that names its own place',
      source: JSON.stringify({
        license,
        activation_certificate: certificate,
        domain: 'shop.example.com',
        product_slug: 'harbour-theme',
        installation_id: INSTALLATION,
      }),
      but: {
        domain: ['pass', 'in-file', { bound: 'shop.example.com', source: 'file' }],
        installation: ['pass', 'in-file', { bound: INSTALLATION, source: 'file' }],
        product: ['pass', 'in-file', { bound: 'harbour-theme', source: 'file' }],
      },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'nothing that is expected is there',
      options: {
        expected: { domain: 'www.shop.example.com', productSlug: 'x', installationId: OTHER },
      },
      but: {
        domain: [
          'fail',
          'www',
          { bound: 'shop.example.com', expected: 'www.shop.example.com', source: 'ticket' },
        ],
        installation: [
          'fail',
          'different',
          { bound: INSTALLATION, expected: OTHER, source: 'ticket' },
        ],
        product: [
          'warn',
          'other-name',
          { bound: 'harbour-theme', expected: 'x', source: 'ticket' },
        ],
      },
      headline: [
        'bad',
        say('mismatch-domain', {
          bound: 'shop.example.com',
          expected: 'www.shop.example.com',
          source: 'ticket',
          reason: 'www',
        }),
        say('mismatch-installation', {
          bound: INSTALLATION,
          expected: OTHER,
          source: 'ticket',
          reason: 'different',
        }),
        say('other-name', { bound: 'harbour-theme', expected: 'x', source: 'ticket' }),
        standing('activated'),
      ],
      next: renewal,
    },
    {
      name: 'an expected installation that is no UUID',
      options: { expected: { installationId: 'x' } },
      but: {
        installation: [
          'fail',
          'unreadable',
          { bound: INSTALLATION, expected: 'x', source: 'ticket' },
        ],
      },
      headline: [
        'bad',
        say('mismatch-installation', {
          bound: INSTALLATION,
          expected: 'x',
          source: 'ticket',
          reason: 'unreadable',
        }),
        standing('activated'),
      ],
      next: renewal,
    },
    {
      name: 'a product is expected and none is named',
      source: [licenseWith({ product_slug: '' })],
      options: { expected: { productSlug: 'x', domain: 'a.example' } },
      like: absent,
      but: {
        'license-signature': [
          'pass',
          'holds',
          { label: 'Main key', encoding: 'token', input: 'payload' },
        ],
        'license-payload': ['pass', 'readable', { claims: 5 }],
        product: ['warn', 'not-stated', { expected: 'x' }],
        'not-from-the-future': ['pass', 'past', { document: 'license', issuedAt: SOLD }],
        'key-status': ['pass', 'live', { label: 'Main key' }],
      },
      headline: ['caution', say('not-activated')],
    },
    {
      name: 'a domain with characters that cannot be seen',
      source: [license, certificateWith({ domain: 'shop.example\u200F.com' })],
      options: { expected: { domain: 'shop.example.com' } },
      but: {
        'certificate-fields': ['pass', 'readable', { domain: 'shop.example‏.com' }],
        domain: ['fail', 'hidden-characters', { bound: 'shop.example‏.com' }],
      },
      headline: [
        'bad',
        say('mismatch-domain', { bound: 'shop.example‏.com', reason: 'hidden-characters' }),
        say('activated', {
          domain: 'shop.example‏.com',
          product: 'harbour-theme',
          nextValidationAt: NEXT,
          graceUntil: GRACE,
        }),
      ],
      next: renewal,
    },
    {
      name: 'a license alone',
      source: license,
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
      name: 'a certificate alone',
      source: certificate,
      but: {
        'license-signature': ['skip', 'absent', {}],
        'license-payload': ['skip', 'absent', {}],
        'certificate-matches-license': ['skip', 'absent', {}],
      },
      headline: ['good', standing('activated')],
      next: renewal,
    },
    {
      name: 'documents from the future',
      options: { now: Date.parse('2026-08-01') },
      but: {
        'not-from-the-future': ['fail', 'ahead', { document: 'certificate', issuedAt: ISSUED }],
      },
      headline: [
        'bad',
        say('issued-ahead', { document: 'certificate', issuedAt: ISSUED, reason: 'ahead' }),
        standing('activated'),
      ],
      next: renewal,
    },
    {
      name: 'the first deadline',
      options: { now: NEXT },
      but: {
        'next-validation': ['warn', 'due', { nextValidationAt: NEXT }],
        grace: ['warn', 'not-shown', { graceUntil: GRACE }],
      },
      headline: ['caution', standing('validation-due')],
      next: { to: 'denied', at: GRACE },
    },
    {
      name: 'grace',
      options: { now: NEXT + DAY, lastContact: { at: NEXT, outcome: 'unreachable' } },
      but: {
        'next-validation': ['warn', 'due', { nextValidationAt: NEXT }],
        grace: ['warn', 'open', { graceUntil: GRACE, since: NEXT }],
      },
      headline: ['caution', standing('grace')],
      next: { to: 'denied', at: GRACE },
    },
    {
      name: 'grace on the word of the file',
      source: JSON.stringify({
        license,
        activation_certificate: certificate,
        last_contact: { at: NEXT / 1000, outcome: 'unreachable' },
      }),
      options: { now: NEXT + DAY },
      but: {
        'next-validation': ['warn', 'due', { nextValidationAt: NEXT }],
        grace: ['warn', 'open-stated', { graceUntil: GRACE, since: NEXT }],
      },
      headline: ['caution', standing('grace-stated')],
      next: { to: 'denied', at: GRACE },
    },
    {
      name: 'a refusal',
      options: { lastContact: { at: NOW - 1, outcome: 'refused' } },
      but: { grace: ['fail', 'refused', { graceUntil: GRACE, refusedAt: NOW - 1 }] },
      headline: ['bad', standing('denied-refused')],
    },
    {
      name: 'a refusal on the word of the file',
      source: JSON.stringify({
        license,
        activation_certificate: certificate,
        last_contact: { at: NOW / 1000 - 60, outcome: 'refused' },
      }),
      but: { grace: ['fail', 'refused-stated', { graceUntil: GRACE, refusedAt: NOW - 60_000 }] },
      headline: ['bad', standing('denied-refused-stated')],
    },
    {
      name: 'the second deadline',
      options: { now: GRACE },
      but: {
        'next-validation': ['warn', 'due', { nextValidationAt: NEXT }],
        grace: ['fail', 'over', { graceUntil: GRACE }],
      },
      headline: ['bad', standing('denied')],
    },
    {
      name: 'a clock that was turned back',
      options: { now: NEXT - 1, latestSeen: NEXT + 300_000 },
      but: {
        'next-validation': ['warn', 'due', { nextValidationAt: NEXT }],
        grace: ['warn', 'clock', { graceUntil: GRACE }],
        clock: ['warn', 'turned-back', { now: NEXT - 1, latestSeen: NEXT + 300_000 }],
      },
      headline: [
        'caution',
        standing('validation-due'),
        say('clock-turned-back', { now: NEXT - 1, latestSeen: NEXT + 300_000 }),
      ],
      next: { to: 'denied', at: GRACE },
    },
    {
      name: 'a steady clock',
      options: { latestSeen: NOW },
      but: { clock: ['pass', 'steady', { now: NOW, latestSeen: NOW }] },
      headline: ['good', standing('activated')],
      next: renewal,
    },
  ]);
});

import { describe, expect, test } from 'vitest';

import {
  createValidationInquiry,
  type ValidationFinding,
} from '#core/authority/validation-request';
import type { JsonValue } from '#core/encoding/index';
import { inspectText } from '#core/license/index';
import { webCryptoEngine } from '#core/keys/ed25519';
import { succeed } from '#core/result';
import {
  CERTIFICATE_CLAIMS,
  INSTALLATION,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const signer = makeSigner(1);
const context = { keys: [pinned(signer)], engine: webCryptoEngine(crypto.subtle) };
const license = token(signer, LICENSE_CLAIMS);
const certificate = token(signer, CERTIFICATE_CLAIMS);
const later = token(signer, {
  ...CERTIFICATE_CLAIMS,
  issued_at: '2026-11-02T00:00:00Z',
  next_validation_at: '2026-11-09T00:00:00Z',
});
const request = {
  license,
  domain: 'shop.example.com',
  productSlug: 'harbour-theme',
  installationId: INSTALLATION,
};
const reached = '2026-11-02T09:00:00.000Z';

/** Judges a reply to a validation request about a file with these fields. */
async function judge(
  fields: Record<string, JsonValue>,
  status: number,
  body: object,
): Promise<ValidationFinding & { saved: Record<string, unknown> }> {
  const file = { license, domain: request.domain, installation_id: INSTALLATION, ...fields };
  const inspection = await inspectText(JSON.stringify(file), { ...context, now: NOW });
  const inquiry = createValidationInquiry(request, inspection, context);
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const reply = succeed({ status, contentType: 'application/json', body: bytes });
  const finding = await inquiry.judge(reply, NOW);
  return { ...finding, saved: JSON.parse(finding.state) as Record<string, unknown> };
}

describe('what the installation would write', () => {
  test('is the new certificate, and the contact of now', async () => {
    const finding = await judge({ activation_certificate: certificate }, 200, {
      activation_certificate: later,
    });
    expect(finding.outcome.kind).toBe('granted');
    expect(finding.lastContact).toEqual({ at: NOW, outcome: 'validated' });
    expect(finding.saved).toMatchObject({ license, activation_certificate: later });
  });

  test('stays the present certificate when the reply brings the same or an older one', async () => {
    for (const sent of [certificate, later]) {
      const finding = await judge({ activation_certificate: later }, 200, {
        activation_certificate: sent,
      });
      expect(finding.outcome).toMatchObject({ fault: { kind: 'older-certificate' } });
      expect(finding.saved['activation_certificate']).toBe(later);
    }
  });

  test('is any genuine certificate where there was none, or one that does not count', async () => {
    const sent = { activation_certificate: certificate };
    expect((await judge({}, 200, sent)).outcome.kind).toBe('granted');
    const foreign = token(makeSigner(2), CERTIFICATE_CLAIMS);
    expect((await judge({ activation_certificate: foreign }, 200, sent)).outcome.kind).toBe(
      'granted',
    );
  });

  test('keeps a certificate that is an object as an object', async () => {
    const object = { ...CERTIFICATE_CLAIMS, signature: 'AAAA' };
    const finding = await judge({ activation_certificate: object }, 503, {});
    expect(finding.saved['activation_certificate']).toEqual(object);
  });

  test('keeps an earlier refusal over an outage, and then names no contact of now', async () => {
    const refused = { at: reached, outcome: 'refused', status: 403, msg: 'no' };
    const finding = await judge({ last_contact: refused }, 503, {});
    expect(finding.saved['last_contact']).toMatchObject({ at: reached, outcome: 'refused' });
    expect(finding).not.toHaveProperty('lastContact');
  });

  test('names an outage of now', async () => {
    expect((await judge({}, 503, {})).lastContact).toEqual({ at: NOW, outcome: 'unreachable' });
  });
});

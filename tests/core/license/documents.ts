import { encodeBase64Url, hexOf, utf8, canonicalJson, type JsonValue } from '#core/encoding/index';
import { fingerprintOf, type PinnedKey } from '#core/keys/index';
import type { Signer } from '#tests/core/keys/sign';

type Claims = Readonly<Record<string, JsonValue>>;

/** Gives the moment at which most tests take place. */
export const NOW = Date.UTC(2026, 10, 3, 12);
export const DAY = 86_400_000;

export const INSTALLATION = '0b3f6d1e-8a4c-7e52-9d10-5f2f6f3c1a77';

export const LICENSE_CLAIMS: Claims = {
  typ: 'license',
  license_id: 'L-1001',
  product_slug: 'harbour-theme',
  license_type: 'Regular',
  issued_at: '2026-09-01T00:00:00Z',
};

export const CERTIFICATE_CLAIMS: Claims = {
  typ: 'activation-certificate',
  license_id: 'L-1001',
  product_slug: 'harbour-theme',
  domain: 'shop.example.com',
  installation_id: INSTALLATION,
  issued_at: '2026-11-01T00:00:00Z',
  next_validation_at: '2026-11-06T12:00:00Z',
  grace_until: '2026-12-04T00:00:00Z',
};

/** Returns claims with some of them left out. */
export function without(claims: Claims, ...names: readonly string[]): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));
}

export function pinned(signer: Signer, changes: Partial<PinnedKey> = {}): PinnedKey {
  return {
    id: 'main',
    label: 'Main key',
    raw: hexOf(signer.publicKey),
    fingerprint: fingerprintOf(signer.publicKey),
    revoked: false,
    kind: 'live',
    ...changes,
  };
}

/** Makes `<payload>.<signature>`, signed over the payload's bytes or over the segment. */
export function token(
  signer: Signer,
  payload: Claims | string | Uint8Array,
  over: 'payload' | 'segment' = 'payload',
): string {
  const bytes = bytesOf(payload);
  const segment = encodeBase64Url(bytes);
  const signature = signer.sign(over === 'payload' ? bytes : utf8(segment));
  return `${segment}.${encodeBase64Url(signature)}`;
}

export function jws(
  signer: Signer,
  payload: Claims | string | Uint8Array,
  header: Claims | string = { alg: 'EdDSA' },
): string {
  const signed = `${encodeBase64Url(bytesOf(header))}.${encodeBase64Url(bytesOf(payload))}`;
  return `${signed}.${encodeBase64Url(signer.sign(utf8(signed)))}`;
}

export function pair(
  signer: Signer,
  payload: Claims,
  over: 'payload' | 'segment' = 'payload',
): string {
  const [segment, signature] = token(signer, payload, over).split('.');
  return JSON.stringify({ payload: segment, signature });
}

export function member(signer: Signer, payload: Claims): string {
  const signature = encodeBase64Url(signer.sign(utf8(canonicalJson(payload))));
  return JSON.stringify({ ...payload, signature });
}

function bytesOf(payload: Claims | string | Uint8Array): Uint8Array {
  if (payload instanceof Uint8Array) return payload;
  return utf8(typeof payload === 'string' ? payload : JSON.stringify(payload));
}

import { getPublicKeyAsync, signAsync } from '@noble/ed25519';

import { type Bytes, encodeBase64Url, hexOf, ownBytes, utf8 } from '#core/encoding/index';
import { type InspectContext, inspectText } from '#core/license/index';
import { fingerprintOf, type PinnedKey } from '#core/keys/index';
import { type Ed25519Engine } from '#core/keys/ed25519';
import { licenseReplyFacts } from '#core/reply-templates/license-facts';
import { purchaseReplyFacts } from '#core/reply-templates/purchase-facts';
import { type ReplyFacts, textFact } from '#core/reply-templates/reply-facts';
import type { PurchaseSituation, ReplySituation } from '#core/reply-templates/template';
import { omitUndefined } from '#core/result';
import { dayMs } from '#core/time/units';

const sampleCustomer = 'Ada Example';
const withoutSupport: ReadonlySet<PurchaseSituation> = new Set(['no-support', 'genuine', 'void']);

/**
 * Returns what a reply may say about a sample purchase.
 * @param now epoch milliseconds
 */
export function samplePurchaseFacts(
  situation: PurchaseSituation,
  now: number,
  itemName: string,
): ReplyFacts {
  const asked = {
    connectionId: 'sample',
    code: '8678…dece',
    connection: '',
    checkedAt: now,
    customer: sampleCustomer,
  };
  if (situation === 'ask-code')
    return { situation, values: omitUndefined({ customer: textFact(sampleCustomer) }) };
  if (situation === 'not-found') {
    const answer = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
    return purchaseReplyFacts({ ...asked, answer }, now);
  }
  const supportedUntil = situation === 'supported' ? now + 120 * dayMs : now - 70 * dayMs;
  const purchase = {
    item: { id: 101, name: itemName, version: '3.2.1' },
    licenseType: 'Regular',
    currency: 'EUR',
    date: now - 210 * dayMs,
    ...(!withoutSupport.has(situation) && { supportedUntil }),
    ...(situation === 'genuine' && { supportUntold: true as const }),
    ...(situation === 'void' && { problem: { kind: 'refunded' as const } }),
  };
  const expected = situation === 'other-item' ? { itemId: 102, name: 'Harbour' } : undefined;
  return purchaseReplyFacts({ ...asked, expected, answer: { kind: 'purchase', purchase } }, now);
}

const installation = '5b1f6d1e-8a4c-4e52-9d10-5f2f6f3c1a77';
const about = { license_id: 'L-2041', product_slug: 'ledgerline', license_type: 'Regular' };

type Claims = Readonly<Record<string, string>>;
type Sample = readonly [texts: readonly string[], asked?: Partial<InspectContext>];

/**
 * Signs a sample document for each situation, inspects it as a customer's is, and returns what a reply may say about it.
 * @param now epoch milliseconds
 * @param secretKey 32 random bytes; the documents are worth nothing without it
 */
export async function sampleLicenseFacts(
  now: number,
  secretKey: Bytes,
  engine: Ed25519Engine,
): Promise<ReadonlyMap<ReplySituation, ReplyFacts>> {
  const raw = ownBytes(await getPublicKeyAsync(secretKey));
  const keys = [keyOf(raw)];
  const facts = new Map<ReplySituation, ReplyFacts>();
  for (const [texts, asked] of await samplesAt(now, secretKey, keys[0]?.fingerprint ?? '')) {
    const inspection = await inspectText(texts.join('\n\n'), { keys, engine, now, ...asked });
    const found = licenseReplyFacts(inspection);
    if (found.ok) facts.set(found.value.situation, found.value);
  }
  return facts;
}

/** Every situation has its sample; the order does not matter. */
async function samplesAt(
  now: number,
  secretKey: Bytes,
  fingerprint: string,
): Promise<readonly Sample[]> {
  const day = (days: number): string => new Date(now + days * dayMs).toISOString();
  const sign = async (claims: Claims): Promise<string> => {
    const payload = utf8(JSON.stringify(claims));
    const signature = await signAsync(payload, secretKey);
    return `${encodeBase64Url(payload)}.${encodeBase64Url(ownBytes(signature))}`;
  };
  const license = await sign({
    typ: 'license',
    ...about,
    customer: sampleCustomer,
    issued_at: day(-200),
  });
  const certificate = (issued: number, changes: Claims = {}): Promise<string> =>
    sign({
      typ: 'activation-certificate',
      ...about,
      domain: 'shop.example.com',
      installation_id: installation,
      issued_at: day(issued),
      next_validation_at: day(issued + 7),
      grace_until: day(issued + 21),
      ...changes,
    });
  const [present, due, over] = await Promise.all(
    [-2, -9, -30].map((issued) => certificate(issued)),
  );
  const bundle = [license, present ?? ''];
  const dueBundle = [license, due ?? ''];
  const expired = await sign({ typ: 'license', ...about, expires_at: day(-3) });
  const ofOther = await certificate(-2, { license_id: 'L-2042' });
  const named = await sign({ typ: 'license', ...about, kid: fingerprint.slice(0, 16) });
  const elsewhere = await sign({ typ: 'license', ...about, kid: 'another-key' });
  return [
    [[license]],
    [bundle],
    [dueBundle],
    [dueBundle, { unreached: true }],
    [[license, over ?? '']],
    [bundle, { lastContact: { at: now, outcome: 'refused' } }],
    [[expired]],
    [bundle, { expected: { domain: 'www.shop.example.com' } }],
    [bundle, { expected: { productSlug: 'harbour-theme' } }],
    [bundle, { expected: { installationId: '0b3f6d1e-8a4c-4e52-9d10-5f2f6f3c1a88' } }],
    [[license, ofOther]],
    [[elsewhere], { keys: [keyOf(ownBytes(new Uint8Array(32).fill(1)))] }],
    [[withSignatureOf(license, named)]],
    [['Please find my license attached.']],
  ];
}

/** Returns a token under the signature of another: changed after it was signed. */
function withSignatureOf(other: string, token: string): string {
  return [token.split('.')[0], other.split('.')[1]].join('.');
}

function keyOf(raw: Bytes): PinnedKey {
  return {
    id: 'sample',
    label: 'Sample',
    raw: hexOf(raw),
    fingerprint: fingerprintOf(raw),
    revoked: false,
    kind: 'live',
  };
}

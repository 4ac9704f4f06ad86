import { verifyAsync } from '@noble/ed25519';
import { CompactSign, compactVerify } from 'jose';
import { PublicProtocol } from 'paseto';
import {
  PublicKeyFromCryptoKey,
  SecretKeyFromCryptoKey,
  SignFactory,
  VerifyFactory,
} from 'paseto/v4/public';

/** Verifies every document once, one after the other, as the peer's own documents show it. Returns milliseconds. */
type Verifier = () => Promise<number>;

const encoder = new TextEncoder();

/** Runs in a page: signs as many documents in the form of each peer, and returns what verifies them. */
async function sign(count: number): Promise<Readonly<Record<string, Verifier>>> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const paseto = new PublicProtocol(SignFactory, VerifyFactory);
  const pasetoPublic = await PublicKeyFromCryptoKey(pair.publicKey);
  const pasetoSecret = await SecretKeyFromCryptoKey(pair.privateKey);
  const compact: string[] = [];
  const tokens: string[] = [];
  const keys: string[] = [];
  const bare: { readonly message: Uint8Array; readonly signature: Uint8Array }[] = [];
  for (let number = 0; number < count; number += 1) {
    const claims = {
      license_id: `LIC-${String(number)}`,
      product_slug: 'orbit-crm',
      domain: `shop-${String(number)}.example.com`,
      issued_at: '2026-09-01T00:00:00.000Z',
      grace_until: '2027-09-01T00:00:00.000Z',
    };
    const message = encoder.encode(JSON.stringify(claims));
    const signed = await crypto.subtle.sign('Ed25519', pair.privateKey, message);
    bare.push({ message, signature: new Uint8Array(signed) });
    const jws = new CompactSign(message).setProtectedHeader({ alg: 'EdDSA' });
    compact.push(await jws.sign(pair.privateKey));
    tokens.push(await paseto.Sign(pasetoSecret, claims));
    const key = `key/${message.toBase64({ alphabet: 'base64url' })}`;
    const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, encoder.encode(key));
    keys.push(`${key}.${new Uint8Array(signature).toBase64({ alphabet: 'base64url' })}`);
  }
  return {
    jose: timed(compact, async (text) => {
      const { payload } = await compactVerify(text, pair.publicKey, { algorithms: ['EdDSA'] });
      return JSON.parse(new TextDecoder().decode(payload)) as unknown;
    }),
    paseto: timed(tokens, (text) => paseto.Verify(pasetoPublic, text)),
    'Keygen’s example': timed(keys, async (text) => {
      const [data = '', signature = ''] = text.split('.');
      const bytes = Uint8Array.fromBase64(signature, { alphabet: 'base64url' });
      const message = encoder.encode(data);
      if (!(await crypto.subtle.verify('Ed25519', pair.publicKey, bytes, message)))
        throw new Error('A signature of the benchmark itself is invalid.');
      const payload = Uint8Array.fromBase64(data.slice(4), { alphabet: 'base64url' });
      return JSON.parse(new TextDecoder().decode(payload)) as unknown;
    }),
    noble: timed(bare, ({ message, signature }) => verifyAsync(signature, message, raw)),
  };
}

function timed<Document>(
  documents: readonly Document[],
  verify: (document: Document) => Promise<unknown>,
): Verifier {
  return async () => {
    const began = performance.now();
    for (const document of documents)
      if ((await verify(document)) === false) throw new Error('A document is not genuine.');
    return performance.now() - began;
  };
}

Object.assign(globalThis, { signForPeers: sign });

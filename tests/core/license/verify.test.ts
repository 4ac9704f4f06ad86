import { describe, expect, it } from 'vitest';

import {
  decodeBase64Url,
  encodeBase64Url,
  utf8,
  canonicalJson,
  type JsonObject,
  parseStrictJson,
} from '#core/encoding/index';
import {
  parseCertificate,
  parseDocument,
  parseLicense,
  type Written,
} from '#core/license/document/document';
import { verifySignature, nobleEngine, webCryptoEngine } from '#core/keys/ed25519';
import type { PinnedKey } from '#core/keys/index';
import {
  findSignerOf,
  verifyCertificate,
  type VerifyContext,
  verifyLicense,
} from '#core/license/verify';
import { succeed } from '#core/result';
import { teamSettingsInput } from '#core/team/index';
import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  jws,
  member,
  pair,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { makeTorsionSigner } from '#tests/core/keys/crafted';
import { makeSigner } from '#tests/core/keys/sign';
import { isUnderMutation } from '#tests/support/under-mutation';

const signer = makeSigner(1);
const engine = webCryptoEngine(crypto.subtle);
const context = (...keys: PinnedKey[]): VerifyContext => ({
  keys: keys.length > 0 ? keys : [pinned(signer)],
  engine,
});

function written(text: string): Written {
  if (!text.startsWith('{')) return text;
  const parsed = parseStrictJson(text);
  if (!parsed.ok) throw new Error('the test wrote no JSON');
  return { object: parsed.value.value as JsonObject, oddities: parsed.value.oddities };
}

/** What becomes of a license: `genuine`, or the fault's kind. */
async function licenseIs(text: string, given = context()): Promise<string> {
  const parsed = parseLicense(text);
  if (!parsed.ok) return parsed.fault.kind;
  const found = await verifyLicense(parsed.value, given);
  return found.ok ? 'genuine' : found.fault.kind;
}

async function certificateIs(text: string, given = context()): Promise<string> {
  const parsed = parseCertificate(written(text));
  if (!parsed.ok) return parsed.fault.kind;
  const found = await verifyCertificate(parsed.value, given);
  return found.ok ? 'genuine' : found.fault.kind;
}

describe('what is genuine', () => {
  it.each(['payload', 'segment'] as const)('a license signed over its %s', async (over) => {
    const parsed = parseLicense(token(signer, LICENSE_CLAIMS, over));
    const found = parsed.ok ? await verifyLicense(parsed.value, context()) : parsed;
    expect(found).toMatchObject(
      succeed({
        licenseId: 'L-1001',
        signed: { key: 'main', form: { encoding: 'token', input: over } },
      }),
    );
  });

  it('a license whose payload is no JSON', async () => {
    expect(await licenseIs(token(signer, 'customer: Jörg & Söhne'))).toBe('genuine');
    expect(await licenseIs(token(signer, new Uint8Array([0xff, 0, 1])))).toBe('genuine');
  });

  it.each([
    ['token', token(signer, CERTIFICATE_CLAIMS)],
    ['token over its segment', token(signer, CERTIFICATE_CLAIMS, 'segment')],
    ['compact JWS', jws(signer, CERTIFICATE_CLAIMS)],
    ['pair', pair(signer, CERTIFICATE_CLAIMS)],
    ['pair over its segment', pair(signer, CERTIFICATE_CLAIMS, 'segment')],
    ['member', member(signer, CERTIFICATE_CLAIMS)],
  ])('a certificate as %s', async (_, text) => {
    expect(await certificateIs(text)).toBe('genuine');
  });

  it('a certificate whose payload stands in a pair as text or as an object', async () => {
    const text = JSON.stringify(CERTIFICATE_CLAIMS);
    const overText = encodeBase64Url(signer.sign(utf8(text)));
    expect(await certificateIs(JSON.stringify({ payload: text, signature: overText }))).toBe(
      'genuine',
    );
    const overForm = encodeBase64Url(signer.sign(utf8(canonicalJson(CERTIFICATE_CLAIMS))));
    const whole = JSON.stringify({ payload: CERTIFICATE_CLAIMS, signature: overForm });
    expect(await certificateIs(whole)).toBe('genuine');
  });

  it('a member-form certificate in whatever order and spacing its members come', async () => {
    const signed = JSON.parse(member(signer, CERTIFICATE_CLAIMS)) as JsonObject;
    const shuffled = Object.fromEntries(Object.entries(signed).toReversed());
    expect(await certificateIs(JSON.stringify(shuffled, undefined, 3))).toBe('genuine');
  });

  it('the same in an engine without WebCrypto', async () => {
    const given = { ...context(), engine: nobleEngine() };
    expect(await licenseIs(token(signer, LICENSE_CLAIMS), given)).toBe('genuine');
    expect(await certificateIs(jws(signer, CERTIFICATE_CLAIMS), given)).toBe('genuine');
  });
});

describe('one document, one meaning', () => {
  const rewrapped = (payload: string, signature: string): string =>
    `${encodeBase64Url(utf8(payload))}.${signature}`;

  it('refuses a JWS certificate wrapped as a license', async () => {
    const [header = '', payload = '', signature = ''] = jws(signer, CERTIFICATE_CLAIMS).split('.');
    const forged = rewrapped(`${header}.${payload}`, signature);
    expect(await licenseIs(forged)).toBe('wrapped');
    expect(await certificateIs(forged)).toBe('wrapped');
  });

  it('never reads a member-form certificate, wrapped as a token, as a license', async () => {
    const { signature } = JSON.parse(member(signer, CERTIFICATE_CLAIMS)) as { signature: string };
    const forged = rewrapped(canonicalJson(CERTIFICATE_CLAIMS), signature);
    expect(await licenseIs(forged)).toBe('certificate-fields');
    expect(parseDocument(forged).kind).toBe('certificate');
  });

  it('refuses a team’s settings, signed by the same key, as a license', async () => {
    const signed = teamSettingsInput('{"format":"counterfoil-team-settings"}');
    const forged = `${encodeBase64Url(signed)}.${encodeBase64Url(signer.sign(signed))}`;
    expect(await licenseIs(forged)).toBe('wrapped');
    expect(await certificateIs(forged)).toBe('wrapped');
  });

  it('refuses a segment-signed license wrapped once more', async () => {
    const [segment = '', signature = ''] = token(signer, LICENSE_CLAIMS, 'segment').split('.');
    expect(await licenseIs(rewrapped(segment, signature))).toBe('wrapped');
  });

  it('refuses a segment-signed certificate wrapped as a license', async () => {
    const [segment = '', signature = ''] = token(signer, CERTIFICATE_CLAIMS, 'segment').split('.');
    expect(await licenseIs(rewrapped(segment, signature))).toBe('wrapped');
  });

  it('refuses a segment-signed license dressed as the payload of a pair', async () => {
    const [segment = '', signature = ''] = token(signer, LICENSE_CLAIMS, 'segment').split('.');
    const forged = JSON.stringify({ payload: encodeBase64Url(utf8(segment)), signature });
    expect(await certificateIs(forged)).toBe('wrapped');
  });

  it('refuses another envelope as a payload', async () => {
    const inner = JSON.parse(member(signer, LICENSE_CLAIMS)) as JsonObject;
    expect(await licenseIs(token(signer, inner))).toBe('wrapped');
    expect(await licenseIs(token(signer, { signatures: [] }))).toBe('wrapped');
  });

  it('never reads a license as a certificate, in any encoding', async () => {
    for (const text of [
      token(signer, LICENSE_CLAIMS),
      jws(signer, LICENSE_CLAIMS),
      pair(signer, LICENSE_CLAIMS),
      member(signer, LICENSE_CLAIMS),
    ]) {
      expect(await certificateIs(text)).toBe('other-type');
    }
    const untyped = without(LICENSE_CLAIMS, 'typ');
    expect(await certificateIs(token(signer, untyped))).toBe('missing-fields');
  });

  it.each(['next_validation_at', 'grace_until', 'installation_id'])(
    'never reads what carries %s as a license',
    async (name) => {
      const untyped = without(LICENSE_CLAIMS, 'typ');
      expect(await licenseIs(token(signer, { ...untyped, [name]: null }))).toBe(
        'certificate-fields',
      );
      expect(await licenseIs(token(signer, { ...LICENSE_CLAIMS, [name]: 1 }))).toBe(
        'certificate-fields',
      );
    },
  );

  it('obeys typ where it is present', async () => {
    expect(await licenseIs(token(signer, { ...LICENSE_CLAIMS, typ: 'receipt' }))).toBe(
      'other-type',
    );
    expect(await certificateIs(token(signer, { ...CERTIFICATE_CLAIMS, typ: 'license' }))).toBe(
      'other-type',
    );
  });

  it.each(['domain', 'installation_id', 'next_validation_at', 'grace_until'])(
    'asks a certificate for %s',
    async (name) => {
      const text = token(signer, without(CERTIFICATE_CLAIMS, name));
      expect(await certificateIs(text)).toBe('missing-fields');
    },
  );
});

describe('a JWS', () => {
  it.each([
    ['another algorithm', { alg: 'HS256' }],
    ['no algorithm', { alg: 'none' }],
    ['a name that is no name here', { alg: 'Ed25519' }],
    ['an algorithm left out', {}],
    ['critical extensions', { alg: 'EdDSA', crit: ['exp'] }],
    ['an empty list of critical extensions', { alg: 'EdDSA', crit: [] }],
    ['an unencoded payload', { alg: 'EdDSA', b64: false }],
    ['b64 at its default', { alg: 'EdDSA', b64: true }],
  ])('is refused with %s', async (_, header) => {
    expect(await certificateIs(jws(signer, CERTIFICATE_CLAIMS, header))).toBe('jws-header');
  });

  it('is refused when its header says one thing twice', async () => {
    const header = '{"alg":"none","alg":"EdDSA"}';
    expect(await certificateIs(jws(signer, CERTIFICATE_CLAIMS, header))).toBe('jws-header');
  });

  it('brings no key of its own', async () => {
    const thief = makeSigner(66);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(thief.publicKey) };
    const forged = (header: object): string =>
      jws(thief, CERTIFICATE_CLAIMS, { alg: 'EdDSA', jwk, ...header });
    expect(await certificateIs(forged({}))).toBe('no-key-matches');
    expect(await certificateIs(forged({ kid: 'main' }))).toBe('unknown-key');
    const given = context(pinned(signer, { keyId: 'main' }));
    expect(await certificateIs(forged({ kid: 'main' }), given)).toBe('named-key-fails');
  });
});

describe('the member form', () => {
  const signedText = (text: string): string => {
    const parsed = parseStrictJson(text);
    if (!parsed.ok) throw new Error('the test wrote no JSON');
    const signature = encodeBase64Url(signer.sign(utf8(canonicalJson(parsed.value.value))));
    return `${text.slice(0, -1)},"signature":"${signature}"}`;
  };
  const claims = JSON.stringify(CERTIFICATE_CLAIMS).slice(0, -1);

  it.each([
    ['a name twice', `${claims},"domain":"evil.example"}`],
    ['__proto__', `${claims},"__proto__":{"domain":"evil.example"}}`],
    ['a lone surrogate', `${claims},"note":"\\ud800"}`],
    ['an integer beyond 2^53', `${claims},"serial":9007199254740993}`],
    ['a number beyond a double', `${claims},"serial":1e400}`],
  ])('is refused with %s before anything is made canonical', async (_, text) => {
    expect(await certificateIs(signedText(text))).toBe('ambiguous-json');
  });

  it('is accepted without any of those', async () => {
    expect(await certificateIs(signedText(`${claims},"serial":9007199254740991,"x":1.5e-7}`))).toBe(
      'genuine',
    );
  });
});

describe('which key may vouch', () => {
  const text = token(signer, CERTIFICATE_CLAIMS);
  const issuedAt = Date.UTC(2026, 10, 1);

  it('none is pinned', async () => {
    expect(await certificateIs(text, { keys: [], engine })).toBe('no-keys');
  });

  it('one is pinned, and it is not the one', async () => {
    expect(await certificateIs(text, context(pinned(makeSigner(2))))).toBe('no-key-matches');
  });

  it('any of several', async () => {
    const keys = [pinned(makeSigner(2), { id: 'old' }), pinned(signer)];
    expect(await certificateIs(text, context(...keys))).toBe('genuine');
  });

  it('a revoked one never, wherever in the ring it is marked so', async () => {
    expect(await certificateIs(text, context(pinned(signer, { revoked: true })))).toBe(
      'key-revoked',
    );
    const twice = [pinned(signer), pinned(signer, { id: 'again', revoked: true })];
    expect(await certificateIs(text, context(...twice))).toBe('key-revoked');
  });

  it.each([
    ['at its first moment', { validFrom: issuedAt }, 'genuine'],
    ['a millisecond before it', { validFrom: issuedAt + 1 }, 'outside-validity'],
    ['at its last moment', { validTo: issuedAt }, 'genuine'],
    ['a millisecond after it', { validTo: issuedAt - 1 }, 'outside-validity'],
  ])('a limited one, for what was issued %s: %o', async (_, window, outcome) => {
    expect(await certificateIs(text, context(pinned(signer, window)))).toBe(outcome);
  });

  it('a limited one, with a warning, when the document has no date', async () => {
    const undated = without(CERTIFICATE_CLAIMS, 'issued_at');
    const parsed = parseCertificate(token(signer, undated));
    const given = context(pinned(signer, { validTo: 1 }));
    const found = parsed.ok ? await verifyCertificate(parsed.value, given) : parsed;
    expect(found).toMatchObject(succeed({ signed: { notes: ['no-issue-date'] } }));
  });

  it('one for these products only', async () => {
    const of = (...products: string[]): VerifyContext => context(pinned(signer, { products }));
    expect(await certificateIs(text, of('harbour-theme'))).toBe('genuine');
    expect(await certificateIs(text, of('other-theme'))).toBe('other-product');
  });

  it('one for this authority only', async () => {
    const given = context(pinned(signer, { authority: 'https://a.example' }));
    expect(await certificateIs(text, given)).toBe('genuine');
    expect(await certificateIs(text, { ...given, authority: 'https://a.example' })).toBe('genuine');
    expect(await certificateIs(text, { ...given, authority: 'https://b.example' })).toBe(
      'other-authority',
    );
  });

  it('never one that is weak, even if it stands in the ring', async () => {
    const weak = { ...pinned(signer), raw: `01${'00'.repeat(31)}` };
    expect(await certificateIs(text, context(weak))).toBe('no-key-matches');
  });

  it('never one with a torsion component, under which a signature does hold', async () => {
    const torsion = makeTorsionSigner();
    const forged = token(torsion, CERTIFICATE_CLAIMS);
    const [segment = '', signature = ''] = forged.split('.');
    const [message, bytes] = [decodeBase64Url(segment), decodeBase64Url(signature)];
    const signed = { publicKey: torsion.publicKey, message: message ?? new Uint8Array() };
    expect(await verifySignature({ ...signed, signature: bytes ?? new Uint8Array() }, engine)).toBe(
      true,
    );
    for (const one of [engine, nobleEngine()]) {
      const given = { keys: [pinned(torsion)], engine: one };
      expect(await certificateIs(forged, given)).toBe('no-key-matches');
    }
  });

  it('with a warning when it signed otherwise until now', async () => {
    const remembered = { certificate: { encoding: 'jws', input: 'jws' } } as const;
    const parsed = parseCertificate(text);
    const given = context(pinned(signer, { remembered }));
    const found = parsed.ok ? await verifyCertificate(parsed.value, given) : parsed;
    expect(found).toMatchObject(succeed({ signed: { notes: ['other-form'] } }));
  });
});

describe('what is noted on a signer', () => {
  const notesOf = async (text: string, key: Partial<PinnedKey>): Promise<unknown> => {
    const parsed = parseCertificate(text);
    const given = context(pinned(signer, key));
    const found = parsed.ok ? await verifyCertificate(parsed.value, given) : parsed;
    return found.ok ? found.value.signed.notes : found.fault;
  };
  const naming = (kid: string): string => token(signer, { ...CERTIFICATE_CLAIMS, kid });

  it('that the document names another key, in its claims or its header', async () => {
    expect(await notesOf(naming('k2'), { keyId: 'k1' })).toEqual(['other-key-id']);
    const header = { alg: 'EdDSA', kid: 'k2' };
    expect(await notesOf(jws(signer, CERTIFICATE_CLAIMS, header), { keyId: 'k1' })).toEqual([
      'other-key-id',
    ]);
  });

  it('nothing where the names agree or one of them is missing', async () => {
    expect(await notesOf(naming('k1'), { keyId: 'k1' })).toEqual([]);
    expect(await notesOf(naming('k1'), {})).toEqual([]);
    expect(await notesOf(token(signer, CERTIFICATE_CLAIMS), { keyId: 'k1' })).toEqual([]);
  });

  it('that its form differs in the encoding or in the input from the remembered one', async () => {
    const text = token(signer, CERTIFICATE_CLAIMS);
    const remember = (encoding: 'token' | 'pair', input: 'payload' | 'segment') =>
      notesOf(text, { remembered: { certificate: { encoding, input } } });
    expect(await remember('token', 'payload')).toEqual([]);
    expect(await remember('pair', 'payload')).toEqual(['other-form']);
    expect(await remember('token', 'segment')).toEqual(['other-form']);
    const license = { encoding: 'token', input: 'segment' } as const;
    expect(await notesOf(text, { remembered: { license } })).toEqual([]);
  });
});

describe('several keys', () => {
  const text = token(signer, { ...CERTIFICATE_CLAIMS, kid: 'k1' });
  const others = [2, 3, 4].map((seed) => pinned(makeSigner(seed), { id: `other-${String(seed)}` }));
  /** How many signatures are checked until one holds. */
  const checksFor = async (document: string, keys: readonly PinnedKey[]): Promise<number> => {
    let checks = 0;
    const holds: typeof engine.holds = (...of) => {
      checks += 1;
      return engine.holds(...of);
    };
    const counting = { name: engine.name, fitKey: engine.fitKey.bind(engine), holds };
    expect(await certificateIs(document, { keys, engine: counting })).toBe('genuine');
    return checks;
  };

  it('are tried with the named one first, and the remembered input first', async () => {
    expect(await checksFor(text, [...others, pinned(signer, { keyId: 'k1' })])).toBe(1);
    const overSegment = token(signer, CERTIFICATE_CLAIMS, 'segment');
    expect(await checksFor(overSegment, [pinned(signer)])).toBe(2);
    const remembered = { certificate: { encoding: 'token', input: 'segment' } } as const;
    expect(await checksFor(overSegment, [pinned(signer, { remembered })])).toBe(1);
    expect(await checksFor(text, [pinned(signer, { remembered })])).toBe(2);
  });

  it('are all tried where another one is named', async () => {
    const named = pinned(makeSigner(5), { id: 'named', keyId: 'k1' });
    expect(await certificateIs(text, context(named, ...others, pinned(signer)))).toBe('genuine');
  });

  it('of the same bytes vouch when one of them may', async () => {
    const expired = pinned(signer, { id: 'expired', validTo: 1 });
    expect(await certificateIs(text, context(expired, pinned(signer)))).toBe('genuine');
    expect(await certificateIs(text, context(expired))).toBe('outside-validity');
  });

  it('are not revoked by the revocation of another', async () => {
    const revoked = pinned(makeSigner(2), { id: 'old', revoked: true });
    expect(await certificateIs(text, context(revoked, pinned(signer)))).toBe('genuine');
  });
});

describe('the signer of what cannot be read', () => {
  const signerOf = async (text: string, keys: PinnedKey[]): Promise<string> => {
    const { envelope } = parseDocument(text);
    if (envelope === undefined) throw new Error('the test wrote no envelope');
    const found = await findSignerOf(envelope, 'license', context(...keys));
    return found.ok ? found.value.key : found.fault.kind;
  };

  it('is found, and named where the document names it', async () => {
    expect(await signerOf(token(signer, 'an order'), [pinned(signer)])).toBe('main');
    const stranger = [pinned(makeSigner(2))];
    expect(await signerOf(token(signer, 'an order'), stranger)).toBe('no-key-matches');
    expect(await signerOf(token(signer, { kid: '' }), stranger)).toBe('no-key-matches');
    // A number is an id, as in a document that can be read.
    for (const kid of ['k9', 7]) {
      expect(await signerOf(token(signer, { kid }), stranger)).toBe('unknown-key');
    }
  });
});

describe('what is damaged', () => {
  it.skipIf(isUnderMutation)('rejects every single bit flip of a token', async () => {
    const text = token(signer, LICENSE_CLAIMS);
    const bytes = utf8(text);
    const survivors: string[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const outcome = await licenseIs(String.fromCharCode(...flipped));
      if (outcome === 'genuine') survivors.push(String(bit));
    }
    expect(survivors).toEqual([]);
  });

  it('reads licenses and certificates up to their caps', async () => {
    const padded = (claims: object, length: number): string =>
      token(signer, { ...claims, padding: 'x'.repeat(length) });
    const room = (limit: number, claims: object): number =>
      Math.floor(((limit - 87) * 3) / 4) - JSON.stringify({ ...claims, padding: '' }).length;
    const [short, long] = [room(16 * 1024, LICENSE_CLAIMS), room(64 * 1024, CERTIFICATE_CLAIMS)];
    expect(await licenseIs(padded(LICENSE_CLAIMS, short))).toBe('genuine');
    expect(await licenseIs(padded(LICENSE_CLAIMS, short + 1))).toBe('too-large');
    expect(await certificateIs(padded(CERTIFICATE_CLAIMS, long))).toBe('genuine');
    expect(await certificateIs(padded(CERTIFICATE_CLAIMS, long + 1))).toBe('too-large');
    const member64 = member(signer, { ...CERTIFICATE_CLAIMS, padding: 'x'.repeat(64 * 1024) });
    expect(await certificateIs(member64)).toBe('too-large');
  });

  it.each([
    ['a signature of 63 bytes', `e30.${encodeBase64Url(new Uint8Array(63))}`, 'signature-length'],
    ['an empty payload', `.${encodeBase64Url(new Uint8Array(64))}`, 'bad-base64url'],
    ['one segment', 'e30', 'not-an-envelope'],
    ['four segments', 'a.b.c.d', 'not-an-envelope'],
    ['too much', `${'A'.repeat(16 * 1024)}.x`, 'too-large'],
  ])('names %s', async (_, text, fault) => {
    expect(await licenseIs(text)).toBe(fault);
  });
});

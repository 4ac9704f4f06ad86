import { Point } from '@noble/ed25519';
import { sha512, sha256 } from '@noble/hashes/sha2.js';

import { judgeRawKey, type WeakKey } from '#core/keys/ed25519';
import {
  type Bytes,
  bytesOfHex,
  decodeBase64Url,
  decodeStrictBase64,
  equalBytes,
  hexOf,
  isJsonObject,
  type JsonObject,
  ownBytes,
  parseStrictJson,
  textOfUtf8,
} from '#core/encoding/index';
import { fail, type Result, succeed, omitUndefined } from '#core/result';

/** How a key was spelled. `raw`: 32 bare bytes in a file. */
export type PublicKeyFormat =
  | 'raw'
  | 'hex'
  | 'base64'
  | 'base64url'
  | 'spki-pem'
  | 'spki-der'
  | 'jwk'
  | 'openssh';

/** Why something is not pinned as a key. Never contains any of the input. */
export type PublicKeyFault =
  /** It has none of the supported forms. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  /** A private key. Pasting it here exposed it, so its owner must replace it. No part of it is kept. */
  | { readonly kind: 'private-key'; readonly form: PublicKeyFormat }
  /** A key of another algorithm (its name or object identifier). */
  | { readonly kind: 'other-algorithm'; readonly algorithm: string }
  | { readonly kind: 'several-keys'; readonly count: number }
  | { readonly kind: 'wrong-length'; readonly bytes: number }
  | {
      readonly kind: WeakKey;
      /** Whether these bare bytes, which are not a public key, may be a private seed: both look the same. */
      readonly maybePrivate: boolean;
    };

/** A key fit to be pinned. */
export interface PublicKey {
  /** 64 lower-case hexadecimal digits. */
  readonly raw: string;
  /** SHA-256 of the raw bytes, 64 lower-case hexadecimal digits. */
  readonly fingerprint: string;
  readonly form: PublicKeyFormat;
  /** A JWK's `kid`. */
  readonly keyId?: string;
  /** An OpenSSH line's comment. */
  readonly comment?: string;
}

const limitBytes = 16 * 1024;

/**
 * Parses a public key in any form that authorities publish: 32 raw bytes in hexadecimal, base64 or base64url, SPKI as
 * PEM or DER, a JWK (or a set of one), an OpenSSH `ssh-ed25519` line.
 * @param source text, or the bytes of a file
 */
export function parsePublicKey(source: string | Uint8Array): Result<PublicKey, PublicKeyFault> {
  if (source.length > limitBytes) return fail({ kind: 'too-large', limitBytes: limitBytes });
  const found = findKeyMaterial(source);
  return found.ok ? judgeMaterial(found.value) : found;
}

function judgeMaterial(material: KeyMaterial): Result<PublicKey, PublicKeyFault> {
  const { bytes, form, keyId, comment } = material;
  if (bytes.length !== 32) return fail({ kind: 'wrong-length', bytes: bytes.length });
  const weakness = judgeRawKey(bytes);
  if (weakness !== undefined) {
    const bare = form === 'hex' || form === 'base64' || form === 'base64url' || form === 'raw';
    return fail({ kind: weakness, maybePrivate: bare });
  }
  return succeed(
    omitUndefined({
      raw: hexOf(bytes),
      fingerprint: fingerprintOf(bytes),
      form,
      keyId,
      comment,
    }),
  );
}

/** The bytes that a form has in the public key's place, not yet validated. */
export interface KeyMaterial {
  readonly bytes: Bytes;
  readonly form: PublicKeyFormat;
  readonly keyId?: string;
  readonly comment?: string;
}

type Found = Result<KeyMaterial, PublicKeyFault>;

const unreadable: Found = { ok: false, fault: { kind: 'unreadable' } };

function findKeyMaterial(source: string | Uint8Array): Found {
  if (typeof source === 'string') return materialOfText(source);
  const binary = source.some((byte) => byte < 9 || byte > 126);
  const text = textOfUtf8(source);
  if (!binary && text !== undefined) return materialOfText(text);
  return materialOfBytes(ownBytes(source), 'raw', 'spki-der');
}

/** Tells whether a text or a file is a private key, in a form that can be distinguished from a public one. */
export function isPrivateKey(source: string | Uint8Array): boolean {
  const material = findKeyMaterial(source);
  return !material.ok && material.fault.kind === 'private-key';
}

function materialOfText(given: string): Found {
  const text = given.replaceAll('\uFEFF', '').trim();
  if (/-----BEGIN [A-Z0-9 ]+-----/.test(text)) return materialOfPem(text);
  if (text.startsWith('PuTTY-User-Key-File')) {
    return fail({ kind: 'private-key', form: 'openssh' });
  }
  const [line, ...others] = text.matchAll(
    /(?<!\S)(ssh-[a-z0-9]+|ecdsa-\S+|sk-\S+) +(AAAA[A-Za-z0-9+/=]+)(?: +(\S.*))?$/gm,
  );
  if (others.length > 0) return fail({ kind: 'several-keys', count: others.length + 1 });
  if (line !== undefined) return materialOfOpenSsh(line[1] ?? '', line[2] ?? '', line[3]);
  if (text.startsWith('{')) return materialOfJson(text);
  return materialOfBareText(text.replaceAll(/[\s"':]/g, ''));
}

function materialOfBareText(text: string): Found {
  const hex = bytesOfHex(text);
  if (hex !== undefined && hex.length >= 32) return materialOfBytes(hex, 'hex', 'spki-der');
  const form = /[+/=]/.test(text) ? 'base64' : 'base64url';
  const bytes = form === 'base64' ? decodeStrictBase64(text) : decodeBase64Url(text);
  if (bytes === undefined || bytes.length < 16) return unreadable;
  return materialOfBytes(bytes, form, 'spki-der');
}

/** @param bare the form if the bytes are the key itself */
function materialOfBytes(bytes: Bytes, bare: PublicKeyFormat, der: PublicKeyFormat): Found {
  const structure = readDerKey(bytes);
  switch (structure?.kind) {
    case 'public':
      return succeed({ bytes: structure.bytes, form: der });
    case 'private':
      return fail({ kind: 'private-key', form: der });
    case 'other-algorithm':
      return fail({ kind: 'other-algorithm', algorithm: structure.algorithm });
    case undefined:
      return isSeedAndKey(bytes)
        ? fail({ kind: 'private-key', form: bare })
        : succeed({ bytes, form: bare });
  }
}

function materialOfPem(text: string): Found {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g)];
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(text)) {
    return fail({
      kind: 'private-key',
      form: text.includes('BEGIN OPENSSH') ? 'openssh' : 'spki-pem',
    });
  }
  const block = blocks[0];
  if (block === undefined) return unreadable;
  if (blocks.length > 1) return fail({ kind: 'several-keys', count: blocks.length });
  if (block[1] === 'RSA PUBLIC KEY') return fail({ kind: 'other-algorithm', algorithm: 'RSA' });
  const body = (block[2] ?? '').replaceAll(/\s/g, '');
  const bytes = decodeStrictBase64(body);
  if (bytes === undefined || readDerKey(bytes) === undefined) return unreadable;
  return materialOfBytes(bytes, 'spki-pem', 'spki-pem');
}

/**
 * Reads an OpenSSH key by RFC 8709 section 4: the blob contains the algorithm's name and the 32 bytes, each after its
 * length.
 */
function materialOfOpenSsh(algorithm: string, blob: string, comment: string | undefined): Found {
  if (algorithm !== 'ssh-ed25519') return fail({ kind: 'other-algorithm', algorithm });
  const bytes = decodeStrictBase64(blob);
  const prefix = '0000000b7373682d6564323535313900000020';
  if (bytes?.length !== 51 || hexOf(bytes.subarray(0, 19)) !== prefix) return unreadable;
  const said = comment?.trim() ?? '';
  return succeed({
    bytes: bytes.slice(19),
    form: 'openssh',
    ...(said !== '' && { comment: said }),
  });
}

function materialOfJson(text: string): Found {
  const parsed = parseStrictJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value.value)) return unreadable;
  const { keys } = parsed.value.value;
  if (!Array.isArray(keys)) return materialOfJwk(parsed.value.value);
  const members = (keys as readonly JsonObject[]).filter(isJsonObject);
  if (members.some((key) => 'd' in key)) return fail({ kind: 'private-key', form: 'jwk' });
  const [only] = members;
  if (members.length > 1) return fail({ kind: 'several-keys', count: members.length });
  return only === undefined ? unreadable : materialOfJwk(only);
}

/** Reads a JWK by RFC 8037 section 2. */
function materialOfJwk(jwk: JsonObject): Found {
  const { kty, crv, x, kid } = jwk;
  if ('d' in jwk) return fail({ kind: 'private-key', form: 'jwk' });
  if (typeof kty !== 'string') return unreadable;
  if (kty !== 'OKP' || crv !== 'Ed25519') {
    return fail({ kind: 'other-algorithm', algorithm: typeof crv === 'string' ? crv : kty });
  }
  const bytes = typeof x === 'string' ? decodeBase64Url(x) : undefined;
  if (bytes === undefined) return unreadable;
  return succeed({ bytes, form: 'jwk', ...(typeof kid === 'string' && { keyId: kid }) });
}

/** Tells whether 64 bytes are what many libraries call a secret key: the seed followed by its public key. */
function isSeedAndKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 64) return false;
  const head = sha512(bytes.subarray(0, 32)).subarray(0, 32);
  head[0] = (head[0] ?? 0) & 248;
  head[31] = ((head[31] ?? 0) & 63) | 64;
  const scalar = BigInt(`0x${hexOf(head.toReversed())}`) % Point.CURVE().n;
  return equalBytes(Point.BASE.multiply(scalar).toBytes(), bytes.subarray(32));
}

export type DerKey =
  | { readonly kind: 'public'; readonly bytes: Bytes }
  | { readonly kind: 'private' }
  /** `algorithm`: its name if it is a common one, else the object identifier in hexadecimal. */
  | { readonly kind: 'other-algorithm'; readonly algorithm: string };

const algorithms: Readonly<Record<string, string>> = {
  '2a864886f70d010101': 'RSA',
  '2a8648ce3d0201': 'ECDSA',
  '2b656e': 'X25519',
  '2b656f': 'X448',
  '2b6571': 'Ed448',
};
const ed25519 = '2b6570';

interface Element {
  readonly tag: number;
  readonly content: Bytes;
  /** The bytes that follow it in its parent. */
  readonly rest: Bytes;
}

/**
 * Reads a DER structure: SPKI (RFC 8410 section 4), or PKCS#8, which is only recognised and not read. `undefined` for
 * anything else, including trailing bytes.
 */
export function readDerKey(der: Bytes): DerKey | undefined {
  const outer = readElement(der);
  if (outer?.tag !== 0x30 || outer.rest.length > 0) return undefined;
  const first = readElement(outer.content);
  if (first === undefined) return undefined;
  if (first.tag === 0x02) {
    const tag = readElement(first.rest)?.tag;
    if (tag === 0x30 || tag === 0x04) return { kind: 'private' };
    return tag === 0x02 ? rsaKey(first.rest) : undefined;
  }
  if (first.tag !== 0x30) return undefined;
  const algorithm = readElement(first.content);
  const key = readElement(first.rest);
  if (algorithm?.tag !== 0x06 || key?.tag !== 0x03 || key.rest.length > 0) return undefined;
  const oid = Array.from(algorithm.content, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (oid !== ed25519) return { kind: 'other-algorithm', algorithm: algorithms[oid] ?? oid };
  if (algorithm.rest.length > 0 || key.content[0] !== 0) return undefined;
  return { kind: 'public', bytes: key.content.slice(1) };
}

/** Reads a PKCS#1 key: two integers are a public key, more are a private key. */
function rsaKey(afterFirst: Bytes): DerKey {
  const second = readElement(afterFirst);
  return second !== undefined && second.rest.length > 0
    ? { kind: 'private' }
    : { kind: 'other-algorithm', algorithm: 'RSA' };
}

function readElement(der: Bytes): Element | undefined {
  const [tag, first] = der;
  if (tag === undefined || first === undefined) return undefined;
  const more = first < 0x80 ? 0 : first - 0x80;
  if (more > 2 || first === 0x80) return undefined;
  let length = more === 0 ? first : 0;
  for (let at = 0; at < more; at += 1) length = length * 256 + (der[2 + at] ?? 0);
  const from = 2 + more;
  if (from + length > der.length) return undefined;
  return { tag, content: der.slice(from, from + length), rest: der.slice(from + length) };
}

/** Returns the SHA-256 of a raw 32-byte key, as 64 lower-case hexadecimal digits. */
export function fingerprintOf(rawKey: Uint8Array): string {
  return hexOf(sha256(rawKey));
}

/** Formats a fingerprint in sixteen groups of four, for comparing by eye. */
export function groupedFingerprint(fingerprint: string): string {
  return (fingerprint.match(/.{1,4}/g) ?? []).join(' ');
}

import { Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

import { decodeStrictBase64, decodeBase64Url } from '#core/license/encoding/base64url';
import {
  type Bytes,
  bytesOfHex,
  equalBytes,
  hexOf,
  ownBytes,
  textOfUtf8,
} from '#core/license/encoding/bytes';
import { readDerKey } from '#core/license/keys/der-key';
import type { PublicKeyFormat, PublicKeyFault } from '#core/license/keys/public-key-fault';
import { isJsonObject, type JsonObject, parseStrictJson } from '#core/license/encoding/strict-json';
import { fail, type Result, succeed } from '#core/result';

/** Holds the bytes that a form has in the public key's place, not judged yet. */
export interface KeyMaterial {
  readonly bytes: Bytes;
  readonly form: PublicKeyFormat;
  readonly keyId?: string;
  readonly comment?: string;
}

type Found = Result<KeyMaterial, PublicKeyFault>;

const unreadable: Found = { ok: false, fault: { kind: 'unreadable' } };

export function findKeyMaterial(source: string | Uint8Array): Found {
  if (typeof source === 'string') return materialOfText(source);
  const binary = source.some((byte) => byte < 9 || byte > 126);
  const text = textOfUtf8(source);
  if (!binary && text !== undefined) return materialOfText(text);
  return materialOfBytes(ownBytes(source), 'raw', 'spki-der');
}

/** Tells whether a text or a file is a private key in a form that can be told from a public one. */
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
  const line = /^(?:.* )?(ssh-[a-z0-9]+|ecdsa-\S+|sk-\S+) +(AAAA[A-Za-z0-9+/=]+)(?: +(.*))?$/m.exec(
    text,
  );
  if (line !== null) return materialOfOpenSsh(line[1] ?? '', line[2] ?? '', line[3]);
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

/** @param bare the form when the bytes are the key itself */
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
 * Reads an OpenSSH key by RFC 8709 section 4: the blob repeats the algorithm's name, then holds the 32 bytes, each behind its
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

/** The 64 bytes that many libraries call a secret key: the seed, and the public key that follows from it. */
function isSeedAndKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 64) return false;
  const head = sha512(bytes.subarray(0, 32)).subarray(0, 32);
  head[0] = (head[0] ?? 0) & 248;
  head[31] = ((head[31] ?? 0) & 63) | 64;
  const scalar = BigInt(`0x${hexOf(head.toReversed())}`) % Point.CURVE().n;
  return equalBytes(Point.BASE.multiply(scalar).toBytes(), bytes.subarray(32));
}

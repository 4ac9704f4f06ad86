import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { encodeBase64Url, bytesOfHex, concatBytes, hexOf, utf8 } from '#core/encoding/index';
import { edgeCases } from '#core/keys/edge-cases';
import { groupedFingerprint, parsePublicKey } from '#core/keys/public-key';
import { fail, succeed } from '#core/result';
import { has } from '#tests/core/keys/programs';
import { makeSigner } from '#tests/core/keys/sign';
import { isUnderMutation } from '#tests/support/under-mutation';

const { publicKey } = makeSigner(1);
const hex = hexOf(publicKey);
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const bytes = (text: string): Uint8Array => bytesOfHex(text) ?? new Uint8Array();
const spki = concatBytes(bytes('302a300506032b6570032100'), publicKey);
const pem = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${base64(der)}\n-----END ${label}-----\n`;
const sshBlob = concatBytes(bytes('0000000b7373682d6564323535313900000020'), publicKey);
const kindOf = (source: string | Uint8Array): string => {
  const parsed = parsePublicKey(source);
  return parsed.ok ? parsed.value.form : parsed.fault.kind;
};

describe('a public key', () => {
  it.each([
    ['hex', hex],
    ['hex', hex.toUpperCase()],
    ['hex', (hex.match(/../g) ?? []).join(':')],
    ['hex', `  "${hex}"\r\n`],
    ['base64', base64(publicKey)],
    ['base64url', encodeBase64Url(publicKey)],
    ['spki-pem', pem('PUBLIC KEY', spki)],
    ['spki-pem', `Key of our authority:\r\n${pem('PUBLIC KEY', spki).replaceAll('\n', '\r\n')}`],
    ['spki-der', spki],
    ['spki-der', base64(spki)],
    ['raw', publicKey],
    [
      'jwk',
      JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(publicKey), kid: 'k1' }),
    ],
    [
      'jwk',
      JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(publicKey) }] }),
    ],
    ['openssh', `ssh-ed25519 ${base64(sshBlob)} licences@example.com`],
    ['openssh', `ssh-ed25519 ${base64(sshBlob)}\n`],
    ['openssh', `restrict,pty ssh-ed25519  ${base64(sshBlob)}  me`],
    ['openssh', `Our key:\nssh-ed25519 ${base64(sshBlob)}\nThanks`],
    ['hex', hex.replaceAll(/(..)/g, '\t$1 :')],
    ['spki-pem', `~\n${pem('PUBLIC KEY', spki).replace(/\n(.{20})/, '\n$1 \n\t')}`],
    [
      'jwk',
      JSON.stringify({ keys: [7, { kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(publicKey) }] }),
    ],
  ])('is read as %s', (form, source) => {
    expect(parsePublicKey(source)).toMatchObject(succeed({ form, raw: hex }));
    if (typeof source === 'string') {
      expect(parsePublicKey(utf8(source))).toMatchObject(succeed({ raw: hex }));
    }
  });

  it('keeps the name and the comment that come with it', () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(publicKey), kid: 'k1' };
    expect(parsePublicKey(JSON.stringify(jwk))).toMatchObject({ value: { keyId: 'k1' } });
    const line = `ssh-ed25519 ${base64(sshBlob)} our authority`;
    expect(parsePublicKey(line)).toMatchObject({ value: { comment: 'our authority' } });
    expect(parsePublicKey(`${line}  `)).toMatchObject({ value: { comment: 'our authority' } });
    const membersOf = (source: string): string[] => {
      const parsed = parsePublicKey(source);
      return parsed.ok ? Object.keys(parsed.value) : [];
    };
    const bare = ['raw', 'fingerprint', 'form'];
    expect(membersOf(`ssh-ed25519 ${base64(sshBlob)}  `)).toEqual(bare);
    expect(membersOf(JSON.stringify({ ...jwk, kid: 7 }))).toEqual(bare);
  });

  it('is read where invisible marks stand in it', () => {
    expect(kindOf(`${hex.slice(0, 9)}\uFEFF${hex.slice(9)}`)).toBe('hex');
  });

  it('has a fingerprint to read and one to say', () => {
    const parsed = parsePublicKey(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
    const fingerprint = parsed.ok ? parsed.value.fingerprint : '';
    expect(fingerprint).toBe('21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9');
    expect(groupedFingerprint(fingerprint)).toBe(
      '21fe 31df a154 a261 626b f854 046f d227 1b7b ed4b 6abe 45aa 5887 7ef4 7f97 21b9',
    );
  });
});

describe('a private key', () => {
  const seed = new Uint8Array(32).fill(7);
  const pkcs8 = concatBytes(bytes('302e020100300506032b657004220420'), seed);
  const secret = makeSigner(3);

  it.each([
    ['PKCS#8 PEM', 'spki-pem', pem('PRIVATE KEY', pkcs8)],
    ['encrypted PKCS#8 PEM', 'spki-pem', pem('ENCRYPTED PRIVATE KEY', pkcs8)],
    ['RSA PEM', 'spki-pem', pem('RSA PRIVATE KEY', pkcs8)],
    ['a PEM that lost its end', 'spki-pem', '-----BEGIN PRIVATE KEY-----\nMC4CAQ'],
    [
      'a private PEM beside a public one',
      'spki-pem',
      pem('PUBLIC KEY', spki) + pem('PRIVATE KEY', pkcs8),
    ],
    ['PKCS#8 DER', 'spki-der', pkcs8],
    ['PKCS#8 DER in base64', 'spki-der', base64(pkcs8)],
    ['OpenSSH', 'openssh', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n'],
    ['PuTTY', 'openssh', 'PuTTY-User-Key-File-3: ssh-ed25519\n'],
    ['JWK', 'jwk', JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: hex, d: 'AA' })],
    ['a set of JWKs', 'jwk', JSON.stringify({ keys: [{ kty: 'OKP' }, { kty: 'OKP', d: 'AA' }] })],
    ['seed and key in hexadecimal', 'hex', hexOf(concatBytes(secret.seed, secret.publicKey))],
    ['seed and key in base64', 'base64', base64(concatBytes(secret.seed, secret.publicKey))],
    ['seed and key in a file', 'raw', concatBytes(secret.seed, secret.publicKey)],
  ])('is recognised: %s', (_, form, source) => {
    const parsed = parsePublicKey(source);
    expect(parsed).toEqual(fail({ kind: 'private-key', form }));
    expect(JSON.stringify(parsed)).not.toContain(base64(seed).slice(0, 20));
  });

  it('as bare bytes cannot be told from a damaged key, and that is said', () => {
    const offCurve = `02${'00'.repeat(31)}`;
    expect(parsePublicKey(offCurve)).toEqual(fail({ kind: 'off-curve', maybePrivate: true }));
  });
});

describe('what is not pinned', () => {
  const mixed = edgeCases.find(({ id }) => id === 'mixed-key-exact')?.publicKey ?? '';

  it.each([
    ['torsion', mixed],
    ['small-order', `01${'00'.repeat(31)}`],
    ['small-order', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
    ['not-canonical', `ee${'ff'.repeat(30)}7f`],
    ['not-canonical', `01${'00'.repeat(30)}80`],
    ['off-curve', `02${'00'.repeat(31)}`],
    ['unreadable', ''],
    ['unreadable', 'hello'],
    ['unreadable', '{}'],
    ['unreadable', '{"kty":"OKP","crv":"Ed25519"}'],
    ['unreadable', pem('PUBLIC KEY', spki.subarray(1))],
    ['unreadable', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA=='],
    ['wrong-length', hex.slice(2) + hex],
    ['several-keys', pem('PUBLIC KEY', spki) + pem('PUBLIC KEY', spki)],
    ['several-keys', `ssh-ed25519 ${base64(sshBlob)} old\nssh-ed25519 ${base64(sshBlob)} new\n`],
    ['several-keys', JSON.stringify({ keys: [{ kty: 'OKP' }, { kty: 'OKP' }] })],
    ['other-algorithm', JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'AA' })],
    ['other-algorithm', 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 me@example.com'],
    [
      'other-algorithm',
      pem('PUBLIC KEY', concatBytes(bytes('302a300506032b656e032100'), publicKey)),
    ],
    ['too-large', 'A'.repeat(16_385)],
    ['wrong-length', 'A'.repeat(16_384)],
    ['wrong-length', 'A'.repeat(22)],
    ['unreadable', 'A'.repeat(20)],
    ['unreadable', '{"keys":[]}'],
    ['unreadable', '{"kty":"OKP"'],
    [
      'unreadable',
      `ssh-ed25519 ${base64(concatBytes(bytes('0000000b7373682d6564323535313900000021'), publicKey))}`,
    ],
    ['unreadable', 'ssh-ed25519 AAAA='],
    ['unreadable', '-----BEGIN PUBLIC KEY-----\nMCow'],
    ['unreadable', '-----BEGIN PUBLIC KEY-----\n!\n-----END PUBLIC KEY-----'],
    ['unreadable', pem('PUBLIC KEY', publicKey)],
    ['other-algorithm', pem('RSA PUBLIC KEY', spki)],
    ['wrong-length', Uint8Array.of(...utf8(hex), 127)],
    ['wrong-length', Uint8Array.of(8, ...utf8(hex))],
  ])('%s', (kind, source) => {
    expect(kindOf(source)).toBe(kind);
  });

  it.each([
    ['P-256', JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'AA' })],
    ['Ed25519', JSON.stringify({ kty: 'EC', crv: 'Ed25519', x: encodeBase64Url(publicKey) })],
    ['X25519', JSON.stringify({ kty: 'OKP', crv: 'X25519', x: encodeBase64Url(publicKey) })],
    ['RSA', JSON.stringify({ kty: 'RSA', n: 'AA' })],
    ['RSA', pem('RSA PUBLIC KEY', spki)],
    ['ssh-rsa', 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 me@example.com'],
    ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp256 AAAAE2VjZHNh'],
    ['sk-ssh-ed25519@openssh.com', 'sk-ssh-ed25519@openssh.com AAAAGnNr'],
  ])('another algorithm is named: %s', (algorithm, source) => {
    expect(parsePublicKey(source)).toEqual(fail({ kind: 'other-algorithm', algorithm }));
  });

  it('bare bytes alone may be a private seed', () => {
    const damaged = bytes(`02${'00'.repeat(31)}`);
    const spelled = [hexOf(damaged), base64(damaged), encodeBase64Url(damaged), damaged];
    for (const source of spelled) {
      expect(parsePublicKey(source)).toMatchObject({
        fault: { kind: 'off-curve', maybePrivate: true },
      });
    }
    const der = concatBytes(spki.subarray(0, 12), damaged);
    const jwk = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(damaged) });
    for (const source of [pem('PUBLIC KEY', der), der, jwk]) {
      expect(parsePublicKey(source)).toMatchObject({
        fault: { kind: 'off-curve', maybePrivate: false },
      });
    }
  });

  it('takes no input for a reason to throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array()), (source) => {
        parsePublicKey(source);
      }),
    );
    fc.assert(
      fc.property(fc.nat(spki.length - 1), fc.nat(255), (at, byte) => {
        const damaged = spki.slice();
        damaged[at] = byte;
        parsePublicKey(damaged);
      }),
    );
  });
});

describe.runIf(!isUnderMutation && has('ssh-keygen'))('a key that ssh-keygen made', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'key-'));
    const file = join(folder, 'id');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'an authority', '-f', file]);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('is read, and its other half recognised', () => {
    expect(parsePublicKey(readFileSync(join(folder, 'id.pub')))).toMatchObject(
      succeed({ form: 'openssh', comment: 'an authority' }),
    );
    expect(kindOf(readFileSync(join(folder, 'id')))).toBe('private-key');
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { encodeBase64Url, utf8 } from '#core/encoding/index';
import { nobleEngine, webCryptoEngine } from '#core/keys/ed25519';
import { inspectText } from '#core/license/index';
import { parsePublicKey } from '#core/keys/public-key';
import { succeed } from '#core/result';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, NOW } from '#tests/core/license/documents';
import { has } from '#tests/core/keys/programs';
import { isUnderMutation } from '#tests/support/under-mutation';

describe.runIf(!isUnderMutation && has('openssl'))('files that OpenSSL alone has made', () => {
  let folder = '';
  const file = (name: string): string => join(folder, name);
  const openssl = (...parts: string[]): void => {
    execFileSync('openssl', parts, { stdio: 'ignore' });
  };

  const token = (claims: object): string => {
    writeFileSync(file('payload'), JSON.stringify(claims));
    openssl(
      'pkeyutl',
      '-sign',
      '-rawin',
      '-inkey',
      file('key.pem'),
      '-in',
      file('payload'),
      '-out',
      file('signature'),
    );
    const signature = encodeBase64Url(readFileSync(file('signature')));
    return `${encodeBase64Url(utf8(JSON.stringify(claims)))}.${signature}`;
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'openssl-'));
    openssl('genpkey', '-algorithm', 'ed25519', '-out', file('key.pem'));
    openssl('pkey', '-in', file('key.pem'), '-pubout', '-out', file('public.pem'));
    openssl(
      'pkey',
      '-in',
      file('key.pem'),
      '-pubout',
      '-outform',
      'DER',
      '-out',
      file('public.der'),
    );
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('verify under the key that OpenSSL wrote, in both engines', async () => {
    const key = parsePublicKey(readFileSync(file('public.pem'), 'utf8'));
    if (!key.ok) throw new Error(key.fault.kind);
    const keys = [
      { ...key.value, id: 'openssl', label: 'OpenSSL', revoked: false, kind: 'live' as const },
    ];
    const text = `${token(LICENSE_CLAIMS)}\n${token(CERTIFICATE_CLAIMS)}`;
    for (const engine of [nobleEngine(), webCryptoEngine(crypto.subtle)]) {
      const report = await inspectText(text, { keys, engine, now: NOW });
      expect(report.standing).toBe('activated');
    }
  });

  it('give one key in PEM and DER, and a private key is recognised', () => {
    const [pem, der] = ['public.pem', 'public.der'].map((name) =>
      parsePublicKey(readFileSync(file(name))),
    );
    expect(pem).toMatchObject(succeed({ form: 'spki-pem' }));
    expect(der).toMatchObject(succeed({ form: 'spki-der' }));
    expect(pem?.ok === true && der?.ok === true && pem.value.raw === der.value.raw).toBe(true);
    expect(parsePublicKey(readFileSync(file('key.pem')))).toMatchObject({
      fault: { kind: 'private-key' },
    });
  });
});

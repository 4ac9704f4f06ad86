import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const day = 24 * 60 * 60 * 1000;

/** Signs as an authority of a test's own, with a key that is made for it. */
export interface TestAuthority {
  /** Its public key as PEM. */
  readonly publicKey: string;
  /** `<payload>.<signature>` over the payload's bytes. */
  sign(claims: object): string;
}

export function createTestAuthority(): TestAuthority {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign(claims) {
      const payload = Buffer.from(JSON.stringify(claims));
      return `${payload.toString('base64url')}.${sign(null, payload, privateKey).toString('base64url')}`;
    },
  };
}

/** Creates a {@link TestAuthority} by OpenSSL alone. */
export function createOpenSslAuthority(): TestAuthority & { end(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-openssl-'));
  const [secret, message, signature] = ['key.pem', 'message', 'signature'].map((name) =>
    join(folder, name),
  );
  const openssl = (...args: (string | undefined)[]): Buffer =>
    execFileSync('openssl', args.map(String), { stdio: ['ignore', 'pipe', 'pipe'] });
  openssl('genpkey', '-algorithm', 'ed25519', '-out', secret);
  return {
    publicKey: openssl('pkey', '-in', secret, '-pubout').toString(),
    sign(claims) {
      const payload = Buffer.from(JSON.stringify(claims));
      writeFileSync(String(message), payload);
      openssl('pkeyutl', '-sign', '-rawin', '-inkey', secret, '-in', message, '-out', signature);
      const signed = openssl('base64', '-A', '-in', signature).toString().trim();
      return `${payload.toString('base64url')}.${Buffer.from(signed, 'base64').toString('base64url')}`;
    },
    end() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns what an installation keeps: due in three days, its grace ending in two weeks, and all of it moved by
 * `shift` milliseconds.
 */
export function installationState(
  authority: Pick<TestAuthority, 'sign'>,
  { number = 1, shift = 0, domain = 'shop.example.com' } = {},
): string {
  const now = Date.now() + shift;
  const iso = (moment: number): string => new Date(moment).toISOString();
  const licenseId = `LIC-${String(number).padStart(5, '0')}`;
  const installationId = `6f1b3c0e-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const license = authority.sign({
    license_id: licenseId,
    product_slug: 'orbit-crm',
    license_type: 'Extended',
    issued_at: iso(now - 90 * day),
  });
  const certificate = authority.sign({
    license_id: licenseId,
    product_slug: 'orbit-crm',
    domain,
    installation_id: installationId,
    issued_at: iso(now - 4 * day),
    next_validation_at: iso(now + 3 * day),
    grace_until: iso(now + 14 * day),
  });
  return JSON.stringify({
    license,
    domain,
    product_slug: 'orbit-crm',
    installation_id: installationId,
    activation_certificate: certificate,
  });
}

/** Makes a file for Playwright's `setInputFiles`. */
export function textFile(
  name: string,
  text: string,
): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
}

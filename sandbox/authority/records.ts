import type { DatabaseSync } from 'node:sqlite';

import type { IssuedCertificate, CertificateTerms } from '#sandbox/authority/documents';

/**
 * Creates the authority's tables if they are missing. They are in the same file as the seller API's tables. Moments are
 * epoch milliseconds on the authority's own clock.
 */
export function createAuthorityTables(database: DatabaseSync): void {
  writeAhead(database);
  database.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;

    CREATE TABLE IF NOT EXISTS licenses (
      license_id TEXT PRIMARY KEY,
      product_slug TEXT NOT NULL,
      came_from TEXT NOT NULL CHECK (came_from IN ('issued', 'sample', 'presented')),
      token TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE IF NOT EXISTS activations (
      license_id TEXT PRIMARY KEY REFERENCES licenses,
      domain TEXT NOT NULL,
      installation_id TEXT NOT NULL,
      activated_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE IF NOT EXISTS certificates (
      id INTEGER PRIMARY KEY,
      license_id TEXT NOT NULL REFERENCES activations,
      key_id TEXT NOT NULL REFERENCES authority_keys,
      issued_at INTEGER NOT NULL,
      next_validation_at INTEGER NOT NULL,
      grace_until INTEGER NOT NULL,
      certificate TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS certificates_by_license ON certificates (license_id);

    CREATE TABLE IF NOT EXISTS revocations (
      license_id TEXT PRIMARY KEY REFERENCES licenses,
      revoked_at INTEGER NOT NULL,
      revoked_by TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;

    CREATE TABLE IF NOT EXISTS authority_keys (
      key_id TEXT PRIMARY KEY,
      serial INTEGER NOT NULL UNIQUE,
      private_key TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      retired_at INTEGER
    ) STRICT;

    CREATE TABLE IF NOT EXISTS authority_settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT;

    CREATE TABLE IF NOT EXISTS audit_trail (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      outcome TEXT NOT NULL,
      license_id TEXT,
      domain TEXT,
      installation_id TEXT,
      detail TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS audit_by_license ON audit_trail (license_id);
  `);
}

/**
 * Switches to the write-ahead log. If another process does the same to a new file, SQLite does not wait; this function
 * does, for two seconds.
 */
function writeAhead(database: DatabaseSync): void {
  for (let left = 100; ; left -= 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** The domain and the installation that a license is bound to since its first activation. */
export interface Binding {
  readonly domain: string;
  readonly installationId: string;
}

/** Reads and writes the rows of the ledger's transactions. Moments are epoch milliseconds. */
interface Records {
  hasLicense(licenseId: string): boolean;
  /** Adds a license, unless it already exists. */
  addLicense(license: {
    licenseId: string;
    productSlug: string;
    cameFrom: 'issued' | 'sample' | 'presented';
    token: string;
    at: number;
  }): void;
  binding(licenseId: string): Binding | undefined;
  bind(licenseId: string, binding: Binding, at: number): void;
  addCertificate(terms: CertificateTerms, keyId: string, certificate: IssuedCertificate): void;
  oldestCertificate(licenseId: string): IssuedCertificate | undefined;
  revocation(licenseId: string): { readonly reason: string } | undefined;
  revoke(licenseId: string, by: string, reason: string, at: number): void;
  /** Takes a revocation back, and tells whether there was one. */
  unrevoke(licenseId: string): boolean;
}

export function openRecords(database: DatabaseSync): Records {
  const license = database.prepare('SELECT 1 FROM licenses WHERE license_id = ?');
  const addLicense = database.prepare(
    `INSERT OR IGNORE INTO licenses (license_id, product_slug, came_from, token, created_at)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const binding = database.prepare(
    'SELECT domain, installation_id AS installationId FROM activations WHERE license_id = ?',
  );
  const bind = database.prepare(
    `INSERT INTO activations (license_id, domain, installation_id, activated_at, last_seen_at)
     VALUES (?1, ?2, ?3, ?4, ?4)`,
  );
  const touch = database.prepare('UPDATE activations SET last_seen_at = ? WHERE license_id = ?');
  const addCertificate = database.prepare(
    `INSERT INTO certificates
       (license_id, key_id, issued_at, next_validation_at, grace_until, certificate)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const oldest = database.prepare(
    'SELECT certificate FROM certificates WHERE license_id = ? ORDER BY issued_at, id LIMIT 1',
  );
  const revocation = database.prepare('SELECT reason FROM revocations WHERE license_id = ?');
  const revoke = database.prepare(
    `INSERT OR REPLACE INTO revocations (license_id, revoked_at, revoked_by, reason)
     VALUES (?, ?, ?, ?)`,
  );
  const unrevoke = database.prepare('DELETE FROM revocations WHERE license_id = ?');

  return {
    hasLicense: (licenseId) => license.get(licenseId) !== undefined,
    addLicense({ licenseId, productSlug, cameFrom, token, at }) {
      addLicense.run(licenseId, productSlug, cameFrom, token, at);
    },
    binding: (licenseId) => binding.get(licenseId) as Binding | undefined,
    bind(licenseId, { domain, installationId }, at) {
      bind.run(licenseId, domain, installationId, at);
    },
    addCertificate(terms, keyId, certificate) {
      const { licenseId, issuedAt, nextValidationAt, graceUntil } = terms;
      const text = JSON.stringify(certificate);
      addCertificate.run(licenseId, keyId, issuedAt, nextValidationAt, graceUntil, text);
      touch.run(issuedAt, licenseId);
    },
    oldestCertificate(licenseId) {
      const row = oldest.get(licenseId) as { certificate: string } | undefined;
      return row === undefined ? undefined : (JSON.parse(row.certificate) as IssuedCertificate);
    },
    revocation: (licenseId) => revocation.get(licenseId) as { reason: string } | undefined,
    revoke(licenseId, by, reason, at) {
      revoke.run(licenseId, at, by, reason);
    },
    unrevoke: (licenseId) => unrevoke.run(licenseId).changes > 0,
  };
}

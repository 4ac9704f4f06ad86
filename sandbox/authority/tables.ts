import type { DatabaseSync } from 'node:sqlite';

/**
 * Creates the authority's tables where they are missing. They share a file with the seller API's, and no table.
 * Moments are epoch milliseconds on the authority's own clock.
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

/** Switches to the write-ahead log. SQLite does not wait for another process that does the same to a new file: this does, for two seconds. */
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

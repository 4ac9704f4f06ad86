import type { DatabaseSync } from 'node:sqlite';

/** Adds a column to the months of the audit that are there; those that come have it. */
function addActor(database: DatabaseSync): void {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'audit_[0-9]*'")
    .all();
  for (const { name } of tables) {
    database.exec(`ALTER TABLE ${String(name)} ADD COLUMN actor TEXT`);
  }
}

/**
 * Lists the steps that bring a database from one schema version to the next, as statements or as what runs them; the version is
 * `PRAGMA user_version`. A step that was released is never changed: a change is a new step.
 */
export const upgrades: readonly (string | ((database: DatabaseSync) => void))[] = [
  `
  CREATE TABLE connection (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    base_address TEXT NOT NULL,
    key_placement TEXT NOT NULL,
    encoding TEXT NOT NULL,
    request_limit INTEGER NOT NULL CHECK (request_limit >= 2),
    window_ms INTEGER NOT NULL CHECK (window_ms > 0),
    allow_private INTEGER NOT NULL CHECK (allow_private IN (0, 1))
  ) STRICT;
  CREATE TABLE connection_key (
    connection TEXT PRIMARY KEY REFERENCES connection (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    master_key_id TEXT NOT NULL,
    wrapped_data_key BLOB NOT NULL,
    sealed BLOB NOT NULL
  ) STRICT;
  CREATE TABLE secret (
    name TEXT PRIMARY KEY,
    master_key_id TEXT NOT NULL,
    wrapped BLOB NOT NULL
  ) STRICT;
  CREATE TABLE role (name TEXT PRIMARY KEY, sees TEXT NOT NULL) STRICT;
  INSERT INTO role VALUES ('agent', '');
  CREATE TABLE agent (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL REFERENCES role (name)
  ) STRICT;
  CREATE TABLE token (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    signed_in_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE invite (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE pace (
    connection TEXT PRIMARY KEY REFERENCES connection (id) ON DELETE CASCADE,
    tat REAL NOT NULL,
    bulk_tat REAL NOT NULL,
    held_until REAL NOT NULL,
    failures INTEGER NOT NULL,
    open_until REAL NOT NULL,
    probe_until REAL NOT NULL
  ) STRICT;
  CREATE TABLE pace_agent (
    connection TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
    agent TEXT NOT NULL,
    tat REAL NOT NULL,
    last_at REAL NOT NULL,
    PRIMARY KEY (connection, agent)
  ) STRICT;
  CREATE TABLE cached_reply (
    key TEXT PRIMARY KEY,
    stored_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    sealed BLOB NOT NULL
  ) STRICT;
  CREATE INDEX cached_reply_by_expiry ON cached_reply (expires_at);
  CREATE TABLE lease (key TEXT PRIMARY KEY, holder TEXT NOT NULL, expires_at REAL NOT NULL) STRICT;
  `,
  `
  CREATE TABLE pending_join (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL,
    state TEXT NOT NULL,
    challenge TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    agent TEXT REFERENCES agent (id) ON DELETE CASCADE,
    invite TEXT,
    wrong_invites INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX pending_join_by_expiry ON pending_join (expires_at);
  CREATE TABLE join_code (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    challenge TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE team_settings (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version INTEGER NOT NULL,
    payload TEXT NOT NULL,
    signature TEXT NOT NULL,
    key TEXT NOT NULL
  ) STRICT;
  `,
  addActor,
  `
  -- The slots that were taken, by when their requests may arrive: JSON.
  ALTER TABLE pace ADD COLUMN taken TEXT NOT NULL DEFAULT '[]';
  -- Words; every role where there is none.
  ALTER TABLE connection ADD COLUMN roles TEXT NOT NULL DEFAULT '';
  ALTER TABLE role ADD COLUMN quota INTEGER;
  ALTER TABLE agent ADD COLUMN quota INTEGER;
  CREATE TABLE day_calls (
    agent TEXT PRIMARY KEY REFERENCES agent (id) ON DELETE CASCADE,
    day INTEGER NOT NULL,
    calls INTEGER NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE agent ADD COLUMN subject TEXT;
  CREATE UNIQUE INDEX agent_by_subject ON agent (subject);
  CREATE TABLE kept_audit (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), months INTEGER NOT NULL) STRICT;
  `,
  `
  -- The seller API where there is none.
  ALTER TABLE connection ADD COLUMN marketplace TEXT;
  ALTER TABLE connection ADD COLUMN store TEXT;
  `,
];

/** Counts them. */
export const schemaVersion = upgrades.length;

/**
 * Returns the statements that create the audit of one month, where it is missing. Each month is a table of its own, so that it can
 * be dropped whole; triggers refuse every change of a row.
 * @param table made by `auditTable`
 */
export function createAuditTable(table: string): string {
  return `
    CREATE TABLE IF NOT EXISTS ${table} (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('intent', 'outcome', 'reply', 'admin')),
      result TEXT NOT NULL,
      call_id TEXT, agent TEXT, token TEXT, connection TEXT, call TEXT, code_hmac TEXT, code_last4 TEXT,
      actor TEXT
    ) STRICT;
    CREATE TRIGGER IF NOT EXISTS ${table}_no_update BEFORE UPDATE ON ${table}
      BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
    CREATE TRIGGER IF NOT EXISTS ${table}_no_delete BEFORE DELETE ON ${table}
      BEGIN SELECT RAISE(ABORT, 'audit rows are never deleted'); END;
  `;
}

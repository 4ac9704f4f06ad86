import type { DatabaseSync } from 'node:sqlite';

/** Holds one line of the trail, never a token or a license. */
export interface AuditEntry {
  readonly actor: 'installation' | 'marketplace' | 'administrator' | 'control' | 'unknown';
  readonly action: string;
  readonly outcome: 'granted' | 'refused';
  readonly licenseId?: string | undefined;
  readonly domain?: string | undefined;
  readonly installationId?: string | undefined;
  readonly detail: string;
}

export interface AuditLine extends AuditEntry {
  readonly id: number;
  /** Epoch milliseconds on the authority's clock. */
  readonly at: number;
}

export interface AuditTrail {
  record(at: number, entry: AuditEntry): void;
  /** Lists the entries, newest first; of one license where an id is given. */
  list(filter: { licenseId?: string | undefined; limit: number }): AuditLine[];
}

export function openAuditTrail(database: DatabaseSync): AuditTrail {
  const insert = database.prepare(
    `INSERT INTO audit_trail (at, actor, action, outcome, license_id, domain, installation_id, detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = database.prepare(
    `SELECT id, at, actor, action, outcome, license_id AS licenseId, domain,
            installation_id AS installationId, detail
     FROM audit_trail WHERE ?1 IS NULL OR license_id = ?1 ORDER BY id DESC LIMIT ?2`,
  );
  return {
    record(at, entry) {
      insert.run(
        at,
        entry.actor,
        entry.action,
        entry.outcome,
        entry.licenseId ?? null,
        entry.domain ?? null,
        entry.installationId ?? null,
        entry.detail,
      );
    },
    list: ({ licenseId, limit }) => select.all(licenseId ?? null, limit) as unknown as AuditLine[],
  };
}

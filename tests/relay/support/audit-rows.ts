import type { AuditRow } from '#relay/store/records';
import type { Store } from '#relay/store/store';

/** Returns the audit of a month, or of all months. */
export async function auditRows(
  store: Pick<Store, 'readAudit'>,
  month?: string,
): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = [];
  await store.readAudit(month, (row) => rows.push(row));
  return rows;
}

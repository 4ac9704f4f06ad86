import type { Stored } from '#relay/store/records';
import type { Store } from '#relay/store/index';

export async function auditRows(
  store: Pick<Store, 'readAudit'>,
  month?: string,
): Promise<readonly Stored<'audit'>[]> {
  const rows: Stored<'audit'>[] = [];
  await store.readAudit(month, (row) => rows.push(row));
  return rows;
}

/** Tells whether a row says that a reply may begin. */
export function isReply({ kind, result }: Stored<'audit'>): boolean {
  return kind === 'reply' && !notSent.has(result);
}

/** Returns the rows of the replies that have begun. */
export function begunReplies(rows: readonly Stored<'audit'>[]): readonly Stored<'audit'>[] {
  const held = new Set(
    rows.filter(({ result }) => notSent.has(result)).map(({ callId }) => callId),
  );
  return rows.filter((row) => isReply(row) && !held.has(row.callId));
}

const notSent = new Set(['withheld', 'not-begun']);

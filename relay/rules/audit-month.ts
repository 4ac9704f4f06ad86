/** Tells whether a text is a month as the audit names them: `2026-11`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);
}

/** Returns the month of a moment (UTC), `2026-11`. */
export function monthAt(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** Returns the month that was `count` months before the one of a moment (UTC). */
export function monthBefore(at: number, count: number): string {
  const date = new Date(at);
  return monthAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count));
}

/** Returns the name of the table of a month. @throws for any text but a month, since it becomes part of a statement */
export function auditTable(month: string): string {
  if (!isMonth(month)) throw new Error(`"${month}" is no month: YYYY-MM`);
  return `audit_${month.replace('-', '_')}`;
}

/** Returns the month of a table that `auditTable` has named. */
export function monthOfTable(table: string): string {
  return table.slice('audit_'.length).replace('_', '-');
}

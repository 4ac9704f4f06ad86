/** Tells whether a text is a month in the audit's form: `2026-11`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);
}

/** Returns the month of a moment (UTC), `2026-11`. */
export function monthAt(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

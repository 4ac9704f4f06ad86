/**
 * Holds an expected outcome, as data. A programmer's mistake is a thrown `Error` instead.
 * JSON-safe, so that it crosses from the worker to a page unchanged.
 */
export type Result<T, F> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: F };

export function succeed<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail<F>(fault: F): { readonly ok: false; readonly fault: F } {
  return { ok: false, fault };
}

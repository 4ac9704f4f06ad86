const windowMs = 60_000;

/** Tells how many more requests a client may make, or how long it has to wait. */
export type Allowance =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/**
 * Counts requests for each client address in windows of one minute that begin with its first request.
 *
 * @param limit requests a window
 */
export function createRateLimit(limit: number): (client: string, now: number) => Allowance {
  const windows = new Map<string, { readonly began: number; count: number }>();
  return (client, now) => {
    let window = windows.get(client);
    if (window === undefined || now >= window.began + windowMs) {
      window = { began: now, count: 0 };
      windows.set(client, window);
    }
    if (window.count >= limit) {
      const waitMs = window.began + windowMs - now;
      return { allowed: false, retryAfterSeconds: Math.ceil(waitMs / 1000) };
    }
    window.count += 1;
    return { allowed: true, remaining: limit - window.count };
  };
}

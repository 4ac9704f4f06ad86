import { dayMs } from '#core/time/units';

/**
 * Reads `Retry-After`, whole seconds or an HTTP date (RFC 9110, 10.2.3), as epoch milliseconds; undefined when unreadable.
 * Never before `now`, and at most a day after it, so that a mistaken header locks nobody out for longer.
 */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const at = /^\d+$/u.test(text) ? now + Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at, now), now + dayMs);
}

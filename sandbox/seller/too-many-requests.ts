import type { Context } from 'hono';

import type { SandboxEnvironment } from '#sandbox/environment';

/** Answers as public deployments do over their rate limit: 429, and the seconds to wait in `Retry-After`. */
export function tooManyRequests(
  c: Context<SandboxEnvironment>,
  retryAfterSeconds: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return c.json({ message: 'Too Many Attempts.' }, 429, {
    ...headers,
    'retry-after': String(retryAfterSeconds),
  });
}

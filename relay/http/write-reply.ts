import type { ServerResponse } from 'node:http';

import type { Result } from '#core/result';
import type { SellerAnswer } from '#relay/calls/cached-replies';
import {
  causeHeader,
  type Failure,
  failureHeader,
  statusOf,
  writeFailure,
} from '#relay/rules/failure';
import { retryAfterSeconds } from '#relay/rules/pace';

/** Holds a reply that is ready to be sent. */
export interface ReadyReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** How long a client waits after a failure that names no moment. */
const defaultRetryMs = 5_000;

const always = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // A seller's error page must not run as a page of the relay.
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/** Writes the seller's answer, its status and type unchanged, or the relay's failure. @param now epoch milliseconds */
export function readyReply(
  outcome: Result<SellerAnswer, Failure>,
  now: number,
  random: number,
): ReadyReply {
  if (!outcome.ok) return readyFailure(outcome.fault, now, random);
  const { raw, checkedAt } = outcome.value;
  const age = Math.max(0, Math.floor((now - checkedAt) / 1000));
  return {
    status: raw.status,
    headers: {
      ...always,
      Age: String(age),
      // Marks what was passed on. `Age` does not: a cache before the relay writes it on error pages of its own too.
      'Counterfoil-Relay-Age': String(age),
      ...(raw.contentType === '' ? {} : { 'Content-Type': raw.contentType }),
      ...(raw.retryAt === undefined
        ? {}
        : { 'Retry-After': String(retryAfterSeconds(raw.retryAt, now, random)) }),
    },
    body: raw.body,
  };
}

/** Writes a failure in the relay's own form; all but those about the token say when to come back. */
export function readyFailure(failure: Failure, now: number, random: number): ReadyReply {
  const { kind, retryAt, cause } = failure;
  const status = statusOf(kind);
  // A quota begins anew at one moment, and a quarter of a day later would be too late.
  const later = kind === 'quota' ? 0 : random;
  const seconds = retryAfterSeconds(retryAt ?? now + defaultRetryMs, now, later);
  return {
    status,
    headers: {
      ...always,
      [failureHeader]: kind,
      ...(cause === undefined ? {} : { [causeHeader]: cause.what }),
      'Content-Type': 'application/json',
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...(status > 403 ? { 'Retry-After': String(seconds) } : {}),
    },
    body: Buffer.from(writeFailure(failure)),
  };
}

/** Sends a reply; its first byte has left when this returns. @param last asks the client to close the connection */
export function sendReply(outgoing: ServerResponse, reply: ReadyReply, last: boolean): void {
  outgoing.writeHead(reply.status, {
    ...reply.headers,
    'Content-Length': reply.body.length,
    ...(last ? { Connection: 'close' } : {}),
  });
  outgoing.end(reply.body);
}

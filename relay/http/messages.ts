import type { ServerResponse, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type Result, fail, succeed } from '#core/result';
import type { SellerAnswer } from '#relay/calls/ask-upstream';
import type { Client } from '#relay/http/gate';
import { type Failure, type FailureKind, failureReply, holdsToken } from '#relay/rules/index';
import { parseBody } from 'hono/utils/body';
import { isRecord } from '#core/record';
import { parseJson } from '#core/encoding/index';

/** Answers a request; undefined if the reply was already sent or the client has gone. */
export type Route = (request: RelayRequest) => Promise<ReadyReply | undefined>;

/** Lists routes by method and path, `GET /relay/v1/join`. */
export type Routes = Readonly<Record<string, Route>>;

export interface RelayRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The path as sent, since none of our paths needs escapes. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly client: Client;
  /** When it arrived, on the clock of `performance.now()`. */
  readonly began: number;
}

export function parseTarget(target: string): Pick<RelayRequest, 'path' | 'query'> | undefined {
  const url = URL.parse(target.startsWith('/') ? `http://relay${target}` : target);
  if (url === null) return undefined;
  return { path: url.pathname, query: url.searchParams };
}

export interface ReadyReply {
  readonly status: number;
  readonly headers: Readonly<OutgoingHttpHeaders>;
  readonly body: Uint8Array;
}

/** How long a client waits after a failure that gives no time, in milliseconds. */
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
      // Marks a reply that was passed on. `Age` would not, since a cache in front of the relay adds it to its own error pages too.
      'Counterfoil-Relay-Age': String(age),
      ...(raw.contentType === '' ? {} : { 'Content-Type': raw.contentType }),
      ...(raw.retryAt === undefined
        ? {}
        : { 'Retry-After': String(retryAfterSeconds(raw.retryAt, now, random)) }),
    },
    body: raw.body,
  };
}

/** Writes a failure in the relay's own form; all but those about the token say when to retry. */
function readyFailure(failure: Failure, now: number, random: number): ReadyReply {
  const { kind, retryAt } = failure;
  const { status, headers, body } = failureReply(failure);
  // A quota restarts at a fixed moment, and a quarter of a day later would be too late.
  const later = kind === 'quota' ? 0 : random;
  const seconds = retryAfterSeconds(retryAt ?? now + defaultRetryMs, now, later);
  return {
    status,
    headers: {
      ...always,
      ...headers,
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...(status > 403 ? { 'Retry-After': String(seconds) } : {}),
    },
    body: Buffer.from(body),
  };
}

/**
 * Returns the seconds for `Retry-After`: never before `at`, and up to a quarter later, so that clients do not all return together.
 * @param random 0 to 1
 */
export function retryAfterSeconds(at: number, now: number, random: number): number {
  const seconds = Math.max(0, at - now) / 1000;
  return Math.max(1, Math.ceil(seconds + random * Math.max(1, seconds * 0.25)));
}

/** Sends a reply; its first byte has been sent when this returns. @param last asks the client to close the connection */
export function sendReply(outgoing: ServerResponse, reply: ReadyReply, last: boolean): void {
  outgoing.writeHead(reply.status, {
    ...reply.headers,
    // RFC 9110, 8.6: a reply without content has no such header.
    ...(reply.status === 204 ? {} : { 'Content-Length': reply.body.length }),
    ...(last ? { Connection: 'close' } : {}),
  });
  outgoing.end(reply.body);
}

/** Reads a request's body up to `maxBytes`. `cut-off`: the client has gone before its end. Never rejects. */
export async function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<Result<Buffer, 'too-large' | 'cut-off'>> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return fail('too-large');
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The rest of a large body is not read; the connection ends after the reply is sent.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > maxBytes) return fail('too-large');
    }
    return succeed(Buffer.concat(chunks));
  } catch {
    return fail('cut-off');
  }
}

export function jsonReply(value: object): ReadyReply {
  const headers = { ...always, 'Content-Type': 'application/json' };
  return { status: 200, headers, body: Buffer.from(JSON.stringify(value)) };
}

export function textReply(
  text: string,
  status = 200,
  type = 'text/plain; charset=UTF-8',
): ReadyReply {
  return { status, headers: { 'Content-Type': type }, body: Buffer.from(text) };
}

/** A value that is neither text nor a number is undefined. */
type Pairs = readonly (readonly [name: string, value: string | undefined])[];

export interface ParameterSource {
  readonly query: URLSearchParams;
  /** The header's value; `''` if there is none. */
  readonly contentType: string;
  /** Empty unless the request is a POST. */
  readonly body: Uint8Array;
}

/**
 * Reads the parameters of a call: for a GET from the query, for a POST from a form, JSON, multipart or the query. A missing one is `''`,
 * which the seller judges. A body of another type, or that does not match its type, is refused, since its code would be read as empty.
 *
 * Refuses an `api_key` among the parameters, and anything that looks like a token in them or anywhere in the body. Outside the parameters
 * the body is searched as sent, so an escaped token (`\u005f` in nested JSON) is not found.
 */
export async function readParameters(
  source: ParameterSource,
  names: readonly string[],
): Promise<
  Result<readonly string[], Extract<FailureKind, 'token-misplaced' | 'request-unreadable'>>
> {
  const inBody = await bodyPairs(source);
  const pairs = [...source.query, ...(inBody ?? [])];
  const misplaced = pairs.some(([key, value = '']) => key === 'api_key' || holdsToken(key + value));
  // This includes a body of another type, and text deeper in it than a parameter.
  if (misplaced || holdsToken(textOf(source.body))) {
    return fail('token-misplaced');
  }
  const values = names.map((name) => (pairs.findLast(([key]) => key === name) ?? [name, ''])[1]);
  return inBody === undefined || !values.every((value) => value !== undefined)
    ? fail('request-unreadable')
    : succeed(values);
}

async function bodyPairs({ contentType, body }: ParameterSource): Promise<Pairs | undefined> {
  if (body.length === 0) return [];
  const [type = ''] = contentType.toLowerCase().split(';');
  switch (type.trim()) {
    case 'application/x-www-form-urlencoded':
      return [...new URLSearchParams(textOf(body))];
    case 'application/json': {
      const value = parseJson(textOf(body));
      return isRecord(value) ? textPairs(Object.entries(value)) : undefined;
    }
    case 'multipart/form-data': {
      const headers = { 'content-type': contentType };
      const request = new Request('http://relay.invalid', {
        method: 'POST',
        headers,
        body: Buffer.from(body),
      });
      const fields = await parseBody(request).catch(() => undefined);
      return fields && textPairs(Object.entries(fields));
    }
    default:
      return undefined;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Numbers count as their digits, so that a JSON `item_id` may be either. */
function textPairs(entries: readonly (readonly [string, unknown])[]): Pairs {
  return entries.map(([name, value]) => {
    if (typeof value === 'number') return [name, String(value)];
    return [name, typeof value === 'string' ? value : undefined];
  });
}

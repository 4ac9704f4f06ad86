import { fail, type Result, succeed } from '#core/result';
import type { RawReply } from '#core/seller/exchange';
import type { Fault } from '#core/seller/fault';
import { isRecord } from '#core/seller/wire';
import { parseJson } from '#core/text/json';

type Body = Readonly<Record<string, unknown>>;

/** Holds a reply that is classified as success or error; its fields are not validated yet. */
export type OpenedReply =
  | { readonly kind: 'success'; readonly body: Body }
  /** The API's error body (spec section 7), at any HTTP status. `msg` is `''` when none was sent. */
  | { readonly kind: 'error'; readonly msg: string };

const defaultWaitMs = 60_000;
/** Lists the statuses that gateways send, with any body, when they could not reach the server. */
export const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** Errors in the request itself, so they say nothing about a code or an item. */
const aboutTheRequest = new Set([405, 406, 408, 411, 413, 414, 415, 425, 431]);

/**
 * Classifies a reply as success, API error or fault (spec section 7). The body decides: `status: "error"` is an API error at any
 * HTTP status, and any other word in `status` is a success at 2xx, since deployments translate it. A body with only a `msg` is an
 * error too. Never throws.
 *
 * HTTP 429, 502, 503 and 504 are faults whatever the body holds. 401 and 403 are read as a refused key; a code check confirms
 * that with an account check.
 * @param now epoch milliseconds; a 429 without `Retry-After` is retried 60,000 ms later
 */
export function openReply(raw: RawReply, now: number): Result<OpenedReply, Fault> {
  const { status } = raw;
  if (status === 429) {
    return fail({
      kind: 'rate-limited',
      retryAt: raw.retryAt ?? now + defaultWaitMs,
      by: 'server',
    });
  }
  if (gatewayStatuses.has(status)) return fail(serverError(raw));
  const text = new TextDecoder().decode(raw.body);
  const whole = parseJson(text);
  const json = whole === undefined ? parseAfterNotice(text) : whole;
  const ownError = isRecord(json) && isErrorBody(json);
  if (status >= 500 && !ownError) return fail(serverError(raw));
  if (json === undefined) return fail(faultOfText(raw, text));
  if (!isRecord(json)) return fail({ kind: 'unreadable', path: '$' });

  const msg = messageOf(json);
  if (status === 401 || status === 403) return fail({ kind: 'refused', msg, about: 'key' });
  if (ownError) {
    return aboutTheRequest.has(status)
      ? fail({ kind: 'refused', msg, about: 'request' })
      : succeed({ kind: 'error', msg });
  }
  if (status >= 200 && status < 300) return succeed({ kind: 'success', body: json });
  // A 404 in JSON without the API's error body comes from the web framework.
  if (status === 404) return fail({ kind: 'api-off' });
  return fail({ kind: 'refused', msg, about: 'request' });
}

function serverError({ status, retryAt }: RawReply): Fault {
  return { kind: 'server-error', status, ...(retryAt !== undefined && { retryAt }) };
}

function isErrorBody({ status, msg, data, item, items }: Body): boolean {
  if (status === 'error') return true;
  const holdsNothing = [data, item, items].every((part) => part === undefined || part === null);
  return typeof status === 'string' && typeof msg === 'string' && holdsNothing;
}

/** Returns the server's `msg`, or a framework's `message`. */
function messageOf({ msg, message }: Body): string {
  if (typeof msg === 'string') return msg;
  return typeof message === 'string' ? message : '';
}

/** Parses a body after a PHP notice, provided that everything from the first brace on is JSON. */
function parseAfterNotice(text: string): unknown {
  const brace = text.indexOf('{');
  return brace > 0 ? parseJson(text.slice(brace)) : undefined;
}

function faultOfText({ status, contentType }: RawReply, text: string): Fault {
  const isHtml = /\bx?html\b/i.test(contentType) || text.trimStart().startsWith('<');
  const meantJson = /\bjson\b/i.test(contentType) || text.trimStart().startsWith('{');
  if (status === 404 && (isHtml || !meantJson)) return { kind: 'api-off' };
  const suspected = isHtml && status < 400;
  return { kind: 'not-json', status, userAgent: suspected ? 'suspected' : 'ruled-out' };
}

import { fail, succeed } from '#core/result';
import type { Result } from '#core/result';
import type { RawReply } from '#core/seller/exchange';
import type { Fault } from '#core/seller/fault';
import { isRecord } from '#core/seller/wire';
import { parseJson } from '#core/text/json';

type Body = Readonly<Record<string, unknown>>;

/** A reply whose kind is settled while its fields are still unread. */
export type OpenedReply =
  | { readonly kind: 'success'; readonly body: Body }
  /** The API's own error body (spec section 7), at whatever HTTP status. `msg` as it came, `''` where there was none. */
  | { readonly kind: 'error'; readonly msg: string };

const defaultWaitMs = 60_000;
/** Gateways say these of a server they could not reach, whatever body they put under it. */
const aboutAGateway = new Set([502, 503, 504]);
/** They speak of the way the request was made, so they answer no question about a code or an item. */
const aboutTheRequest = new Set([405, 406, 408, 411, 413, 414, 415, 425, 431]);

/**
 * Tells answers from faults. The body decides: `status: "error"` is the API's own error at any HTTP status, a 500 among them, and
 * any other word in `status` is a success at 2xx, since deployments translate that word. An error's word may be translated
 * too: then it is known by its shape, a `msg` and nothing else.
 *
 * Only 429 and a gateway's 502, 503 and 504 come before the body: they say that the server did not get to the question. A 401 or 403
 * is the API refusing the key, so it seems; who asked about a code makes sure of that with the account check.
 * @param now epoch milliseconds; a 429 that does not say when to come back is given a minute.
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
  if (aboutAGateway.has(status)) return fail(serverError(raw));
  const text = new TextDecoder().decode(raw.body);
  const whole = parseJson(text);
  const json = whole === undefined ? parseAfterNotice(text) : whole;
  const ownError = isRecord(json) && isErrorBody(json);
  if (status >= 500 && !ownError) return fail(serverError(raw));
  if (json === undefined) return fail(faultOfText(raw, text));
  if (!isRecord(json)) return fail({ kind: 'unreadable', path: '$' });

  const msg = wordsOf(json);
  if (status === 401 || status === 403) return fail({ kind: 'refused', msg, about: 'key' });
  if (ownError) {
    return aboutTheRequest.has(status)
      ? fail({ kind: 'refused', msg, about: 'request' })
      : succeed({ kind: 'error', msg });
  }
  if (status >= 200 && status < 300) return succeed({ kind: 'success', body: json });
  // A framework's own 404 in JSON: nobody of this API was there to answer.
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

/** What the server says in `msg`; frameworks name their own errors `message`. */
function wordsOf({ msg, message }: Body): string {
  if (typeof msg === 'string') return msg;
  return typeof message === 'string' ? message : '';
}

/** A PHP notice printed before the body: believed to be one only when all that follows the first brace is JSON. */
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

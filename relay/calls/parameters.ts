import { parseBody } from 'hono/utils/body';

import { fail, type Result, succeed } from '#core/result';
import { isRecord } from '#core/marketplaces/wire';
import { parseJson } from '#core/text/json';
import type { FailureKind } from '#relay/rules/failure';
import { holdsToken } from '#relay/rules/token';

/** A value that is no text and no number is undefined. */
type Pairs = readonly (readonly [name: string, value: string | undefined])[];

/** Holds what the parameters of a call are read from. */
export interface ParameterSource {
  readonly query: URLSearchParams;
  /** As the header says it; `''` where there is none. */
  readonly contentType: string;
  /** Empty but for a POST. */
  readonly body: Uint8Array;
}

/**
 * Reads the parameters of a call: of a GET from the query, of a POST from a form, JSON, multipart or the query. A missing
 * one is `''`, on which the seller has its say. A body of another type, or that is not what its type says, is refused:
 * a code that stands in it would be asked as an empty one.
 *
 * Refuses an `api_key` among the parameters, and anything that looks like a token in them or anywhere in the body. Outside the
 * parameters the body is searched as it was sent: a token that is escaped there (`\u005f` in nested JSON) is not found.
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
  // Also in a body of another type, or deeper in it than a parameter.
  if (misplaced || holdsToken(textOf(source.body))) {
    return fail('token-misplaced');
  }
  const values = names.map((name) => (pairs.findLast(([key]) => key === name) ?? [name, ''])[1]);
  return inBody === undefined || !values.every((value) => value !== undefined)
    ? fail('request-unreadable')
    : succeed(values);
}

/** Returns the parameters in a body; undefined when it cannot be read. */
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

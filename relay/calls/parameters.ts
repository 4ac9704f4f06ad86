import type { Context } from 'hono';

import { fail, succeed } from '#core/result';
import type { Result } from '#core/result';
import { isRecord } from '#core/seller/wire';
import { parseJson } from '#core/text/json';
import type { FailureKind } from '#relay/rules/failure';
import { holdsToken } from '#relay/rules/token';

type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Reads the one parameter of a seller call: of a GET from the query, of a POST from a form, JSON, multipart or the query. An
 * `api_key` or anything that looks like a token in one of these is refused. A missing parameter is `''`, on which the seller has its say.
 */
export async function readParameter(
  c: Context,
  name: string | undefined,
): Promise<Result<string, Extract<FailureKind, 'token-misplaced'>>> {
  const pairs = [...new URL(c.req.url).searchParams, ...(await bodyPairs(c))];
  if (pairs.some(([key, value]) => key === 'api_key' || holdsToken(key + value))) {
    return fail('token-misplaced');
  }
  return succeed(pairs.findLast(([key]) => key === name)?.[1] ?? '');
}

async function bodyPairs(c: Context): Promise<Pairs> {
  if (c.req.method !== 'POST') return [];
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() === 'application/json') {
    const value = parseJson(await c.req.text());
    return isRecord(value) ? textPairs(Object.entries(value)) : [];
  }
  if (!['application/x-www-form-urlencoded', 'multipart/form-data'].includes(type.trim()))
    return [];
  // A body that is not what its type says has no parameters.
  return textPairs(Object.entries(await c.req.parseBody().catch(() => ({}))));
}

/** Numbers count as their digits, so that a JSON `item_id` may be either. */
function textPairs(entries: readonly (readonly [string, unknown])[]): Pairs {
  return entries.flatMap(([name, value]): Pairs => {
    if (typeof value === 'number') return [[name, String(value)]];
    return typeof value === 'string' ? [[name, value]] : [];
  });
}

import type { Context } from 'hono';

import type { Deployment, PostPlace } from '#sandbox/seller/deployments';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';
import { isRecord } from '#core/marketplaces/wire';
import { parseJson } from '#core/text/json';

export type Parameters = ReadonlyMap<string, string>;

/** Reads the parameters of a request from the places that this deployment supports. Trims every value. */
export async function readParameters(
  c: Context<SandboxEnvironment>,
  deployment: Deployment,
): Promise<Parameters> {
  const places: readonly PostPlace[] =
    c.req.method === 'POST' ? deployment.readsPostFrom : ['query'];
  const found = await Promise.all(places.map((place) => read[place](c)));
  // The first place that knows a name wins, as an earlier entry of the list is looked into first.
  return new Map(found.reverse().flat());
}

/** Reads the request's API key from the places that this deployment supports. */
export function readKey(
  c: Context<SandboxEnvironment>,
  deployment: Deployment,
  parameters: Parameters,
): string | undefined {
  for (const place of deployment.readsKeyFrom) {
    const value =
      place === 'parameters'
        ? parameters.get('api_key')
        : c.req.header(place)?.replace(/^Bearer /i, '');
    if (value !== undefined) return value;
  }
  return undefined;
}

type Pairs = (readonly [string, string])[];

const read: Record<PostPlace, (c: Context<SandboxEnvironment>) => Promise<Pairs>> = {
  query: (c) => Promise.resolve(pairs(new URL(c.req.url).searchParams)),
  form: (c) => readForm(c, 'application/x-www-form-urlencoded'),
  multipart: (c) => readForm(c, 'multipart/form-data'),
  json: (c) => {
    const value =
      mediaType(c) === 'application/json'
        ? parseJson(new TextDecoder().decode(c.get('body')))
        : undefined;
    return Promise.resolve(isRecord(value) ? pairs(Object.entries(value)) : []);
  },
};

async function readForm(c: Context<SandboxEnvironment>, type: string): Promise<Pairs> {
  if (mediaType(c) !== type) return [];
  const fields = await c.req.parseBody().catch(() => ({}));
  return pairs(Object.entries(fields));
}

/** Numbers count as their digits, so that a JSON `item_id` may be either. */
function pairs(entries: Iterable<readonly [string, unknown]>): Pairs {
  return [...entries].flatMap(([name, value]): Pairs => {
    if (typeof value === 'number') return [[name, String(value)]];
    return typeof value === 'string' ? [[name, value.trim()]] : [];
  });
}

function mediaType(c: Context): string {
  return (c.req.header('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
}

import * as v from 'valibot';
import { textOfUtf8 } from '#core/license/encoding/bytes';
import { isJsonObject, type JsonObject, parsePlainJson } from '#core/license/encoding/strict-json';
import type { RawReply } from '#core/marketplaces/exchange';
import type { Inspection } from '#core/license/inspect/inspection';

/**
 * Says what a rehearsal may order a test authority to do, through its control endpoint and never through the licensing API:
 * a rehearsal neither issues nor revokes there.
 */
export type ControlCommand =
  | { readonly do: 'look' }
  /** @param now epoch milliseconds; absent: its clock tells the real time again */
  | { readonly do: 'clock'; readonly now?: number }
  | { readonly do: 'availability'; readonly available: boolean }
  | { readonly do: 'revoke'; readonly licenseId: string }
  | { readonly do: 'unrevoke'; readonly licenseId: string }
  /** Lets this befall the next call. */
  | { readonly do: 'inject-fault'; readonly fault: InjectableFault }
  | { readonly do: 'clear-faults' };

/** Lists what can be made to go wrong, by the sandbox's own names. */
export const injectableFaults = [
  'captive-portal',
  'blocked-page',
  'redirect',
  'error-500',
  'unauthorized',
  'no-certificate',
  'wrong-key',
  'other-domain',
  'older-certificate',
] as const;
export type InjectableFault = (typeof injectableFaults)[number];

/** Holds the state of a test authority as its control endpoint describes it. Moments are epoch milliseconds. */
export interface ControlState {
  readonly now: number;
  readonly available: boolean;
  readonly validationSeconds: number;
  readonly graceSeconds: number;
  /** Its public keys as PEM, retired ones included. */
  readonly keys: readonly string[];
}

/** Holds a license that the test authority signed for the rehearsal, marked as a sample. */
export interface SampleLicense {
  readonly licenseId: string;
  readonly license: string;
}

const State = v.object({
  now: v.number(),
  available: v.boolean(),
  config: v.object({ validationSeconds: v.number(), graceSeconds: v.number() }),
  keys: v.array(v.object({ pem: v.string() })),
});

const Sample = v.object({
  licenseId: v.pipe(v.string(), v.nonEmpty()),
  license: v.pipe(v.string(), v.nonEmpty()),
});

/** Reads the state of a test authority; `undefined` when this is no control endpoint of ours. */
export function readControlState(reply: RawReply): ControlState | undefined {
  const read = v.safeParse(State, objectIn(reply));
  if (!read.success) return undefined;
  const { now, available, config, keys } = read.output;
  return { now, available, ...config, keys: keys.map(({ pem }) => pem) };
}

export function readSampleLicense(reply: RawReply): SampleLicense | undefined {
  const read = v.safeParse(Sample, objectIn(reply));
  return read.success ? read.output : undefined;
}

function objectIn({ status, body }: RawReply): JsonObject | undefined {
  const text = textOfUtf8(body);
  const parsed = status === 200 && text !== undefined ? parsePlainJson(text) : undefined;
  return isJsonObject(parsed) ? parsed : undefined;
}

/** Holds what a rehearsal starts from. The test authority gives it an id of its own and marks it as a sample. */
export interface Script {
  readonly claims: JsonObject;
  readonly domain: string;
}

export const plainScript: Script = {
  claims: { product_slug: 'sample-product', license_type: 'Regular', buyer: 'Rehearsal' },
  domain: 'rehearsal.example',
};

/** Returns the customer's own claims and domain; `undefined` when the license has none that can be read as JSON. */
export function scriptFrom({ license, certificate, stated }: Inspection): Script | undefined {
  const says = license?.says;
  if (says?.claims === undefined || says.oddities.length > 0) return undefined;
  const domain = says.domain ?? stated.domain ?? certificate?.says?.domain ?? plainScript.domain;
  const slug = says.productSlug ?? stated.productSlug ?? certificate?.says?.productSlug;
  return {
    claims: { ...says.claims, ...(slug !== undefined && { product_slug: slug }) },
    domain,
  };
}

import { type AccountLocation, accountLocationSchema } from '#core/connections/account-location';
import type { Fault } from '#core/marketplaces/index';
import * as v from 'valibot';

/**
 * One seller API: its base address and the dialect of its deployment. It never holds the API key.
 */
export interface Connection extends AccountLocation {
  readonly id: string;
  readonly name: string;
  /** Normalised by `parseBaseAddress`: an origin and a path without a trailing slash. */
  readonly baseAddress: string;
  /** Increases with every change; cached replies and rate limits belong to one revision. */
  readonly revision: number;
  readonly dialect: Dialect;
  /**
   * Whether its address is a connection of the team's relay; set when joining a team. Only then can a reply be a
   * failure of the relay, and only then do requests carry headers for it.
   */
  readonly throughRelay?: true;
}

/** A connection as it is stored. A deleted one stays until it can no longer be restored. */
export interface StoredConnection extends Connection {
  /** The deletion can be undone before this moment, epoch milliseconds. */
  readonly deletedUntil?: number;
}

/** The details that differ between deployments ("not shown" in spec sections 4 and 8). */
export interface Dialect {
  /** `parameter`: in the query of a GET and the body of a POST. A header name: only in that header. */
  readonly keyPlacement: 'parameter' | 'X-API-Key' | 'Authorization';
  /** How the POST carries its parameters. */
  readonly encoding: PostEncoding;
  /** Whether a validation has ever succeeded with this placement and encoding. Until then a not-found proves little. */
  readonly proven: boolean;
  /** Whether requests carry a User-Agent that names no browser. */
  readonly plainUserAgent: boolean;
  /** Requests per minute, a whole number from 1 to 6000. */
  readonly requestsPerMinute: number;
  /**
   * The form of this seller's codes: `A` letter, `9` digit, `X` either, `H` hexadecimal digit. Other characters are
   * literal; write a literal A, X or H in lower case.
   */
  readonly codePattern?: string;
}

export type PostEncoding = 'form' | 'json' | 'multipart' | 'query';

export const defaultDialect: Dialect = {
  keyPlacement: 'parameter',
  encoding: 'form',
  proven: false,
  plainUserAgent: false,
  requestsPerMinute: 60,
};

const encodings: readonly PostEncoding[] = ['form', 'json', 'multipart', 'query'];
const placements: readonly Dialect['keyPlacement'][] = ['parameter', 'X-API-Key', 'Authorization'];

/**
 * Lists the dialects to try after this one, in order: its own placement with the other encodings, then, for
 * `placements-too`, the other placements with each encoding.
 *
 * A key that belongs in a header is never tried as a parameter, since that would put it in a query.
 */
export function alternativesTo(
  dialect: Dialect,
  reach: 'encodings' | 'placements-too' = 'encodings',
): Dialect[] {
  const others = placements.filter(
    (placement) =>
      reach === 'placements-too' && placement !== dialect.keyPlacement && placement !== 'parameter',
  );
  return [dialect.keyPlacement, ...others].flatMap((keyPlacement) =>
    encodings
      .filter((encoding) => keyPlacement !== dialect.keyPlacement || encoding !== dialect.encoding)
      .map((encoding) => ({ ...dialect, keyPlacement, encoding, proven: false })),
  );
}

type DialectProof = Pick<Connection, 'baseAddress' | 'dialect' | 'marketplace'>;

/**
 * Tells whether a connection is still proven after a change: it was proven with the same placement and encoding, at the
 * same address. The changed dialect's own `proven` does not count.
 */
export function staysProven(
  before: DialectProof | undefined,
  { baseAddress, marketplace, dialect: { keyPlacement, encoding } }: DialectProof,
): boolean {
  return (
    before?.dialect.proven === true &&
    before.baseAddress === baseAddress &&
    before.marketplace === marketplace &&
    before.dialect.keyPlacement === keyPlacement &&
    before.dialect.encoding === encoding
  );
}

/** Tells whether a change would move a key from a header into parameters, and so into a query. */
export function weakensPlacement(before: Dialect, after: Dialect): boolean {
  return before.keyPlacement !== 'parameter' && after.keyPlacement === 'parameter';
}

/** Tells whether a base address leads to a connection of the relay at an origin. */
export function isThroughRelay(baseAddress: string, relay: string): boolean {
  return baseAddress.startsWith(`${relay}/c/`);
}

/** Limits the texts of a connection, in UTF-16 units, and the number of connections. */
export const connectionBounds = {
  id: 64,
  name: 80,
  baseAddress: 2048,
  codePattern: 128,
  connections: 200,
} as const;

const dialectSchema: v.GenericSchema<unknown, Dialect> = v.strictObject({
  keyPlacement: v.picklist(placements),
  encoding: v.picklist(encodings),
  proven: v.boolean(),
  plainUserAgent: v.boolean(),
  requestsPerMinute: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(6000)),
  codePattern: v.exactOptional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(connectionBounds.codePattern)),
  ),
});

/** Validates a connection's id. Refuses names such as `__proto__`, since an id is used as a property name. */
const idSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.maxLength(connectionBounds.id),
  v.regex(/^(?!(?:__proto__|prototype|constructor)$)[\w-]+$/u),
);

const nameSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/\S/u),
  v.maxLength(connectionBounds.name),
);

/** Validates the members of a connection, except its address, in storage, messages and files. */
export const connectionFields = {
  id: idSchema,
  name: nameSchema,
  ...accountLocationSchema,
  dialect: dialectSchema,
} as const;

/** A connection as pages see it. */
export interface ConnectionState extends Connection {
  readonly hasKey: boolean;
  /** Whether the browser allows the worker to reach its origin. */
  readonly permitted: boolean;
  /** When an account check with the present key last succeeded since the browser was started, epoch milliseconds. */
  readonly keyWorkedAt?: number;
  /** Set if the latest account check since the browser was started refused the present key. */
  readonly keyRefusal?: KeyRefusal;
}

export interface KeyRefusal {
  readonly fault: Extract<Fault, { readonly kind: 'refused' }>;
  /** When the check began, epoch milliseconds. */
  readonly at: number;
}

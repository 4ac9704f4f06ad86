/**
 * One seller API that the team asks: a base address and how that deployment likes to be asked. The API key is
 * never part of it.
 */
export interface Connection {
  readonly id: string;
  readonly name: string;
  /** As `parseBaseAddress` normalised it: an origin and a path without a trailing slash. */
  readonly baseAddress: string;
  /** Grows with every change; kept replies and pacing belong to one revision. */
  readonly revision: number;
  readonly dialect: Dialect;
}

/** What the spec leaves open and deployments settle differently ("not shown" in sections 4 and 8). */
export interface Dialect {
  /** `parameter`: in the query of a GET and the body of the POST. A header name: there alone, never in a query. */
  readonly keyPlacement: 'parameter' | 'X-API-Key' | 'Authorization';
  /** How the POST carries its parameters. */
  readonly encoding: PostEncoding;
  /** Placement and encoding have brought one successful validation. Until then a not-found proves little. */
  readonly proven: boolean;
  /** Requests to this base address carry a User-Agent that names no browser. */
  readonly plainUserAgent: boolean;
  /** Whole requests a minute, 1 to 6000. */
  readonly requestsPerMinute: number;
  /** What this seller's odd codes look like: `A` letter, `9` digit, `X` either, `H` hexadecimal; all else stands for itself. */
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

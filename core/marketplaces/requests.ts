import type { Connection, Dialect, PostEncoding } from '#core/connections/connection';
import type { SellerRequest } from '#core/marketplaces/exchange';

/** Holds a connection with its API key for one operation. It exists only in the worker. */
export interface SellerAccess {
  readonly connection: Connection;
  readonly apiKey: string;
  /** When the operation must have ended, epoch milliseconds. */
  readonly deadline: number;
  /** `bulk`: leaves a part of the connection's rate limit to interactive checks. */
  readonly priority?: 'bulk';
  /** Whether the agent asked for a new answer: a relay then passes by its cache. */
  readonly fresh?: boolean;
}

type Parameters = [name: string, value: string][];

const brief = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };
const long = { timeoutMs: 60_000, maxBytes: 32 * 1024 * 1024 };

/** Builds `GET /api/account/details` (spec section 4) with limits of 10 s and 1 MiB. */
export function accountRequest(access: SellerAccess): SellerRequest {
  return { ...get(access, '/api/account/details', []), ...brief };
}

/** Builds `GET /api/items/all` (spec section 4), which has no paging, with limits of 60 s and 32 MiB. */
export function itemsRequest(access: SellerAccess): SellerRequest {
  return { ...get(access, '/api/items/all', []), ...long };
}

/** Builds `GET /api/items/item` (spec section 4) with limits of 10 s and 1 MiB. */
export function itemRequest(access: SellerAccess, itemId: number): SellerRequest {
  return { ...get(access, '/api/items/item', [['item_id', String(itemId)]]), ...brief };
}

/** Builds `POST /api/purchases/validation` (spec section 4) with limits of 10 s and 1 MiB. Sends the code unchanged. */
export function validationRequest(access: SellerAccess, purchaseCode: string): SellerRequest {
  const parameters: Parameters = [...keyParameter(access), ['purchase_code', purchaseCode]];
  return { ...post(access, '/api/purchases/validation', parameters), ...brief };
}

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

type Envelope = Omit<SellerRequest, 'timeoutMs' | 'maxBytes'>;

function get(access: SellerAccess, path: string, parameters: Parameters): Envelope {
  return {
    method: 'GET',
    url: addressOf(access, path, [...keyParameter(access), ...parameters]),
    headers: headersFor(access),
  };
}

function post(access: SellerAccess, path: string, parameters: Parameters): Envelope {
  const headers = headersFor(access);
  const bare = { method: 'POST', url: addressOf(access, path, []), headers } as const;
  switch (access.connection.dialect.encoding) {
    case 'form':
      return {
        ...bare,
        headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' },
        body: { type: 'text', text: encode(parameters) },
      };
    case 'json':
      return {
        ...bare,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: { type: 'text', text: JSON.stringify(Object.fromEntries(parameters)) },
      };
    case 'multipart':
      return { ...bare, body: { type: 'multipart', fields: parameters } };
    case 'query':
      return { ...bare, url: addressOf(access, path, parameters) };
  }
}

function keyParameter({ apiKey, connection }: SellerAccess): Parameters {
  return connection.dialect.keyPlacement === 'parameter' ? [['api_key', apiKey]] : [];
}

function headersFor(access: SellerAccess): Record<string, string> {
  const { apiKey, connection } = access;
  const headers = { Accept: 'application/json', ...relayHeaders(access) };
  switch (connection.dialect.keyPlacement) {
    case 'parameter':
      return headers;
    case 'X-API-Key':
      return { ...headers, 'X-API-Key': apiKey };
    case 'Authorization':
      return { ...headers, Authorization: `Bearer ${apiKey}` };
  }
}

/** Tells a relay what kind of work this is. No seller gets these headers. */
function relayHeaders({ connection, priority, fresh }: SellerAccess): Record<string, string> {
  if (connection.throughRelay !== true) return {};
  return {
    // Without a value of ours, `fetch` would ask each cache on the way for a new answer, because nothing may be stored here.
    'Cache-Control': fresh === true ? 'no-cache' : 'max-age=3600',
    ...(priority === 'bulk' && { 'Counterfoil-Work': 'bulk' }),
  };
}

function addressOf({ connection }: SellerAccess, path: string, parameters: Parameters): string {
  const { baseAddress } = connection;
  const query = encode(parameters);
  return query === '' ? baseAddress + path : `${baseAddress}${path}?${query}`;
}

function encode(parameters: Parameters): string {
  return new URLSearchParams(parameters).toString();
}

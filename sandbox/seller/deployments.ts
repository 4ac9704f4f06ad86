import type { JsonObject, JsonValue } from '#core/encoding/index';
import { isRecord } from '#core/record';
import type { AccountId } from '#sandbox/seed/shape';

/** The four calls of the seller API (spec section 4). */
export const endpoints = ['account', 'items', 'item', 'validation'] as const;

export type Endpoint = (typeof endpoints)[number];

const paths: Readonly<Record<string, Endpoint>> = {
  '/api/account/details': 'account',
  '/api/items/all': 'items',
  '/api/items/item': 'item',
  '/api/purchases/validation': 'validation',
};

/**
 * Returns the call that a path leads to, if any.
 * @param path below the base address
 */
export function endpointAt(path: string): Endpoint | undefined {
  return paths[path];
}

/** Changes a reply of the spec into that of a deployment. */
type Shape = (endpoint: Endpoint, reply: JsonObject) => JsonObject;

/** Rebuilds an object from the leaves up: `change` sees every member of every object once. */
export function mapMembers(
  object: JsonObject,
  change: (name: string, value: JsonValue) => JsonValue,
): JsonObject {
  const inner = (value: JsonValue): JsonValue => {
    if (isRecord(value)) return mapMembers(value, change);
    return typeof value === 'object' && value !== null ? value.map(inner) : value;
  };
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(name, inner(value))]),
  );
}

/** Puts the purchase into `item`, where at least one public client looks for it. */
const answersItem: Shape = (endpoint, reply) => {
  const { data, ...rest } = reply;
  if (endpoint !== 'validation' || !isRecord(data)) return reply;
  return { ...rest, item: data['purchase'] ?? null };
};

const german: Readonly<Record<string, string>> = {
  success: 'erfolgreich',
  error: 'Fehler',
  Regular: 'Reguläre Lizenz',
  Extended: 'Erweiterte Lizenz',
  'Invalid request': 'Ungültige Anfrage',
  'No items found': 'Keine Artikel gefunden',
  'Item Not Found': 'Artikel nicht gefunden',
  'Invalid purchase code': 'Ungültiger Kaufcode',
};

/**
 * Translates the words that pass through the site's translation, in a reply that is an error only if it says so in
 * English.
 */
const translatesSuccess: Shape = (endpoint, reply) =>
  reply['status'] === 'error'
    ? { ...translatesEverything(endpoint, reply), status: 'error' }
    : translatesEverything(endpoint, reply);

const translatesEverything: Shape = (_endpoint, reply) =>
  mapMembers(reply, (name, value) =>
    ['status', 'msg', 'license_type'].includes(name) && typeof value === 'string'
      ? (german[value] ?? value)
      : value,
  );

const decimals = ['balance', 'price', 'regular', 'extended'];
const optional: Readonly<Record<string, readonly string[]>> = {
  media: ['preview_image', 'preview_video', 'preview_audio', 'screenshots'],
  purchase: ['supported_until'],
};

/** Changes the values' types as an untyped backend does. Each value stays unambiguous. */
const phpShapes: Shape = (_endpoint, reply) =>
  mapMembers(reply, (name, value) => {
    if (name === 'social_links') return [];
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (typeof value === 'number' && decimals.includes(name)) return value.toFixed(2);
    const absent = isRecord(value) && !('avatar' in value) ? (optional[name] ?? []) : [];
    if (!isRecord(value) || absent.length === 0) return value;
    return { ...Object.fromEntries(absent.map((member) => [member, null])), ...value };
  });

/** One base address, and how its deployment differs from the plain one. */
export interface Deployment {
  readonly base: Base;
  readonly account: AccountId;
  /** For people, on the sandbox's own page. */
  readonly about: string;
  /** Places that `api_key` is read from, in this order. The first value found counts. */
  readonly readsKeyFrom: readonly KeyPlace[];
  /** Encodings that the POST's `purchase_code` is read from, and `api_key` where its place is `parameters`. */
  readonly readsPostFrom: readonly PostPlace[];
  /** Redirects requests with a browser's User-Agent to the home page. */
  readonly turnsBrowsersAway?: true;
  /** The API is switched off: the framework's own 404 answers. */
  readonly off?: true;
  /** "No items found" although there is one. */
  readonly hidesOnlyItem?: true;
  /** Requests a minute for each client address; without it there is no limit. */
  readonly limit?: number;
  readonly shape?: Shape;
  /** Text in front of the JSON. */
  readonly before?: { readonly text: string; readonly contentType: string };
}

export type KeyPlace = 'parameters' | 'X-API-Key' | 'Authorization';
export type PostPlace = 'query' | 'form' | 'multipart' | 'json';

const plain = {
  account: 'market',
  readsKeyFrom: ['parameters'],
  readsPostFrom: ['query', 'form', 'multipart', 'json'],
} as const;

const phpNotice =
  '<br />\n<b>Notice</b>:  Undefined index: support in <b>/var/www/app/Http/Controllers/Api/PurchaseController.php</b> on line <b>48</b><br />\n';

const list = [
  { ...plain, base: '/demo', account: 'demo', about: 'A small shop with three items.' },
  {
    ...plain,
    base: '/market',
    about: 'A large shop. Also reads the key from the headers X-API-Key and Authorization: Bearer.',
    readsKeyFrom: ['parameters', 'X-API-Key', 'Authorization'],
  },
  {
    ...plain,
    base: '/dialect/turns-browsers-away',
    about:
      'Redirects a User-Agent that names Mozilla, Chrome, Firefox, Opera or Edge to its home page.',
    turnsBrowsersAway: true,
  },
  {
    ...plain,
    base: '/dialect/item-reply',
    about: 'Validation answers {status, item: {…}} in place of {status, data: {purchase: {…}}}.',
    shape: answersItem,
  },
  {
    ...plain,
    base: '/dialect/translated',
    about:
      'The status of a success, license_type and msg are in German; an error still says "error".',
    shape: translatesSuccess,
  },
  {
    ...plain,
    base: '/dialect/translated-errors',
    about: 'As translated, and the status of an error is in German too.',
    shape: translatesEverything,
  },
  {
    ...plain,
    base: '/dialect/php',
    about:
      'PHP shapes: an empty map is [], what is absent is null, decimals are strings, booleans 0 or 1.',
    shape: phpShapes,
  },
  {
    ...plain,
    base: '/dialect/php-bom',
    about: 'A byte order mark stands before the JSON.',
    before: { text: '\uFEFF', contentType: 'application/json' },
  },
  {
    ...plain,
    base: '/dialect/php-notice',
    about: 'A PHP notice in HTML stands before the JSON, and the type says HTML.',
    before: { text: phpNotice, contentType: 'text/html; charset=UTF-8' },
  },
  {
    ...plain,
    base: '/dialect/one-item',
    account: 'solo',
    about: 'Has one item, and says "No items found" when asked for all; the lookup by id works.',
    hidesOnlyItem: true,
  },
  {
    ...plain,
    base: '/dialect/rate-limited',
    about: '60 requests a minute for each client address, then 429 with Retry-After.',
    limit: 60,
  },
  {
    ...plain,
    base: '/dialect/api-off',
    about: 'The API is switched off: an HTML 404.',
    off: true,
  },
  {
    ...plain,
    base: '/dialect/json-only',
    about: 'Reads the POST as JSON only.',
    readsPostFrom: ['json'],
  },
  {
    ...plain,
    base: '/dialect/multipart-only',
    about: 'Reads the POST as multipart only.',
    readsPostFrom: ['multipart'],
  },
  {
    ...plain,
    base: '/dialect/query-only',
    about: 'Reads the POST from the query only.',
    readsPostFrom: ['query'],
  },
  {
    ...plain,
    base: '/dialect/header-only',
    about: 'Reads the key from the header X-API-Key only.',
    readsKeyFrom: ['X-API-Key'],
  },
  {
    ...plain,
    base: '/dialect/bearer-only',
    about: 'Reads the key from Authorization: Bearer only.',
    readsKeyFrom: ['Authorization'],
  },
] as const;

export type Base = (typeof list)[number]['base'];

/** Every base address of the sandbox: the two shops, then the dialects. */
export const deployments: readonly Deployment[] = list;

export const bases: readonly Base[] = list.map(({ base }) => base);

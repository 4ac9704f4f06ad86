import type { Endpoint } from '#sandbox/endpoint';
import { isObject, type JsonObject, mapMembers } from '#sandbox/json';

/** Turns the reply that the spec describes into the one that a deployment gives instead. */
export type Shape = (endpoint: Endpoint, reply: JsonObject) => JsonObject;

/** Puts the purchase under `item`, where at least one public client looks for it. */
export const answersItem: Shape = (endpoint, reply) => {
  const { data, ...rest } = reply;
  if (endpoint !== 'validation' || !isObject(data)) return reply;
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

/** Translates the words that pass through the site's translation, in a reply that is an error only if it says so in English. */
export const translatesSuccess: Shape = (endpoint, reply) =>
  reply['status'] === 'error'
    ? { ...translatesEverything(endpoint, reply), status: 'error' }
    : translatesEverything(endpoint, reply);

export const translatesEverything: Shape = (_endpoint, reply) =>
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
export const phpShapes: Shape = (_endpoint, reply) =>
  mapMembers(reply, (name, value) => {
    if (name === 'social_links') return [];
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (typeof value === 'number' && decimals.includes(name)) return value.toFixed(2);
    const absent = isObject(value) && !('avatar' in value) ? (optional[name] ?? []) : [];
    if (!isObject(value) || absent.length === 0) return value;
    return { ...Object.fromEntries(absent.map((member) => [member, null])), ...value };
  });

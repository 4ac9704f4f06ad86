import type { JsonValue } from '#core/license/encoding/strict-json';

/**
 * Writes the RFC 8785 form of a JSON value: no space, members sorted by UTF-16 code units, numbers and strings as ECMAScript writes
 * them. Meant for values whose reader found no oddity: RFC 8785 knows no lone surrogate and no number beyond a double.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

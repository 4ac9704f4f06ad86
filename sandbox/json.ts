/** Holds any value that JSON can represent. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

export interface JsonObject {
  [name: string]: JsonValue;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined when the text is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Rebuilds an object from the leaves up: `change` sees every member of every object once. */
export function mapMembers(
  object: JsonObject,
  change: (name: string, value: JsonValue) => JsonValue,
): JsonObject {
  const inner = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(inner);
    return isObject(value) ? mapMembers(value, change) : value;
  };
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(name, inner(value))]),
  );
}

/** Describes what is read here of a JSON Schema. */
export interface ReadSchema {
  readonly $ref?: string;
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ReadSchema[];
  readonly items?: ReadSchema;
  readonly properties?: Readonly<Record<string, ReadSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: ReadSchema | false;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/**
 * Tells what is wrong with a value by a JSON Schema, as a path and a sentence; `undefined` when it fits. It reads the
 * keywords by their meaning in JSON Schema, knowing nothing of how the schema was made.
 */
export function faultOf(value: unknown, schema: ReadSchema, at = '$'): string | undefined {
  if (schema.const !== undefined && value !== schema.const) {
    return `${at} is not ${JSON.stringify(schema.const)}`;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${at} is none of the set`;
  if (schema.anyOf !== undefined) {
    const faults = schema.anyOf.map((one) => faultOf(value, one, at));
    if (!faults.includes(undefined)) return faults.join(', or ');
  }
  return (
    typeFault(value, schema, at) ?? textFault(value, schema, at) ?? partFault(value, schema, at)
  );
}

function typeFault(value: unknown, { type }: ReadSchema, at: string): string | undefined {
  const fits = {
    string: typeof value === 'string',
    number: typeof value === 'number',
    integer: Number.isInteger(value),
    boolean: typeof value === 'boolean',
    array: Array.isArray(value),
    object: typeof value === 'object' && value !== null && !Array.isArray(value),
    null: value === null,
  };
  return type === undefined || fits[type] ? undefined : `${at} is no ${type}`;
}

function textFault(value: unknown, schema: ReadSchema, at: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  const { minLength = 0, maxLength = Infinity, pattern = '', format } = schema;
  if (value.length < minLength || value.length > maxLength) return `${at} has a wrong length`;
  if (!new RegExp(pattern, 'u').test(value)) return `${at} does not match ${pattern}`;
  if (format === 'date-time' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) {
    return `${at} is no date-time`;
  }
  if (format === 'uri' && !URL.canParse(value)) return `${at} is no URI`;
  return undefined;
}

function partFault(value: unknown, schema: ReadSchema, at: string): string | undefined {
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value
      .map((item, index) => faultOf(item, items, `${at}[${String(index)}]`))
      .find((fault) => fault !== undefined);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { properties = {}, required = [], additionalProperties = {} } = schema;
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  return Object.entries(value)
    .map(([name, member]) => {
      const rest = additionalProperties === false ? undefined : additionalProperties;
      const own = properties[name] ?? rest;
      const path = `${at}.${name}`;
      return own === undefined ? `${path} is not described` : faultOf(member, own, path);
    })
    .find((fault) => fault !== undefined);
}

/** Describes what is read here of an OpenAPI document. */
export interface ReadDocument {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<string, Readonly<Partial<Record<'get' | 'post', ReadOperation>>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, ReadSchema>> };
}

type Content = Readonly<Record<string, { readonly schema: ReadSchema }>>;

interface ReadOperation {
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

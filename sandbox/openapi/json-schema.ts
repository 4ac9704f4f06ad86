import type * as v from 'valibot';

/** Describes the part of JSON Schema 2020-12 (the dialect of OpenAPI 3.1) that the sandbox's own schemas need. */
export interface JsonSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | false;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $ref?: string;
}

type AnySchema = v.GenericSchema & {
  readonly type: string;
  readonly pipe?: readonly AnyStep[];
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly item?: AnySchema;
  readonly wrapped?: AnySchema;
  readonly value?: AnySchema;
  readonly literal?: unknown;
  readonly options?: readonly unknown[];
  readonly default?: unknown;
};
type AnyStep = { readonly kind: string; readonly type: string } & Readonly<Record<string, unknown>>;

/**
 * Translates what a valibot schema takes into JSON Schema. Transformations keep the form of their input.
 * @throws on a schema or a validation that has no counterpart here: a description that leaves something out would lie
 */
export function toJsonSchema(schema: v.GenericSchema): JsonSchema {
  const { pipe }: AnySchema = schema;
  if (pipe === undefined) return bare(schema);
  return Object.assign({}, ...pipe.map((step) => fromStep(step))) as JsonSchema;
}

function bare(schema: AnySchema): JsonSchema {
  switch (schema.type) {
    case 'string':
      return { type: 'string' };
    case 'number':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    case 'unknown':
      return {};
    case 'literal':
      return { const: schema.literal };
    case 'picklist':
      return { enum: schema.options ?? [] };
    case 'array':
      return { type: 'array', items: toJsonSchema(part(schema.item)) };
    case 'record':
      return { type: 'object', additionalProperties: toJsonSchema(part(schema.value)) };
    case 'union':
      return { anyOf: (schema.options as AnySchema[]).map(toJsonSchema) };
    case 'optional': {
      const wrapped = toJsonSchema(part(schema.wrapped));
      return schema.default === undefined ? wrapped : { ...wrapped, default: schema.default };
    }
    case 'nullable':
      return { anyOf: [toJsonSchema(part(schema.wrapped)), { type: 'null' }] };
    case 'object':
    case 'loose_object':
    case 'strict_object':
      return fromObject(schema);
    default:
      throw new Error(`No JSON Schema for ${schema.type}.`);
  }
}

function fromObject({ type, entries = {} }: AnySchema): JsonSchema {
  const names = Object.keys(entries);
  const required = names.filter((name) => entries[name]?.type !== 'optional');
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, toJsonSchema(part(entries[name]))])),
    ...(required.length > 0 ? { required } : {}),
    ...(type === 'strict_object' ? { additionalProperties: false } : {}),
  };
}

function fromStep(step: AnyStep): JsonSchema {
  if (step.kind === 'schema') return bare(step as unknown as AnySchema);
  if (step.kind === 'transformation') return {};
  const amount = step['requirement'] as number;
  switch (step.type) {
    case 'title':
      return { title: step['title'] as string };
    case 'description':
      return { description: step['description'] as string };
    case 'integer':
      return { type: 'integer' };
    case 'min_length':
      return { minLength: amount };
    case 'non_empty':
      return { minLength: 1 };
    case 'max_length':
      return { maxLength: amount };
    case 'min_value':
      return { minimum: amount };
    case 'max_value':
      return { maximum: amount };
    case 'regex':
      return { pattern: patternOf(step['requirement'] as RegExp) };
    case 'iso_timestamp':
      return { format: 'date-time' };
    case 'email':
      return { format: 'email' };
    case 'url':
      return { format: 'uri' };
    case 'uuid':
      return { format: 'uuid' };
    default:
      throw new Error(`No JSON Schema for the validation ${step.type}.`);
  }
}

/** Returns a regular expression as a JSON Schema pattern, which has no flags. */
function patternOf({ source, flags }: RegExp): string {
  if (/[^u]/.test(flags)) throw new Error(`/${source}/${flags} needs its flags.`);
  return source;
}

function part(schema: AnySchema | undefined): AnySchema {
  if (schema === undefined) throw new Error('A schema lacks a part.');
  return schema;
}

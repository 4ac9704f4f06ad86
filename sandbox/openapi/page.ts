import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

import { type Operation, operations, type Servers } from '#sandbox/openapi/document';
import { type JsonSchema, toJsonSchema } from '#sandbox/openapi/json-schema';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
  h2 { margin-top: 2.5rem; }
  summary { cursor: pointer; padding: 0.5rem 0; }
  code, .method { font-family: ui-monospace, monospace; }
  .method { font-weight: 700; }
  details { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
  table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 1rem; }
  th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; }
  caption { text-align: left; font-weight: 600; }
`;

/** Renders the description for reading: one section for each half of the service, one row for each field. */
export function openApiPage(servers: Servers): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Seller and licensing API</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <h1>Seller and licensing API</h1>
        <p>
          As this sandbox serves it. For machines: <a href="/openapi.json">openapi.json</a>
          (OpenAPI 3.1).
        </p>
        <h2>Seller API</h2>
        <p>Base addresses: ${servers.seller.map((url) => html`<code>${url}</code> `)}</p>
        ${operations.filter(({ half }) => half === 'seller').map(section)}
        <h2>Licensing API</h2>
        <p>Authority: <code>${servers.authority}</code></p>
        ${operations.filter(({ half }) => half === 'authority').map(section)}
      </body>
    </html>`;
}

function section(operation: Operation): Html {
  const { method, path, summary, description = '', parameters = [], request, reply } = operation;
  const parameterSchema: JsonSchema = {
    properties: Object.fromEntries(
      parameters.map((one) => [one.name, { ...one.schema, description: one.description }]),
    ),
    required: parameters.map((one) => one.name),
  };
  return html`<details>
    <summary>
      <span class="method">${method.toUpperCase()}</span> <code>${path}</code> ${summary}
    </summary>
    <p>${description} ${access[operation.security]}</p>
    ${parameters.length > 0 ? table('Parameters', parameterSchema) : ''}
    ${request === undefined ? '' : table(`Request: ${request.types.join(', ')}`, toJsonSchema(request.schema))}
    ${table('Success', toJsonSchema(reply))}
    <table>
      <caption>
        Errors
      </caption>
      <tbody>
        ${Object.entries(operation.errors).map(
          ([status, meaning]) =>
            html`<tr>
              <th scope="row">${status}</th>
              <td>${meaning}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

const access: Record<Operation['security'], string> = {
  apiKey: 'Takes the parameter api_key.',
  marketplace: 'Bearer token of the marketplace.',
  administrator: 'Bearer token of an administrator.',
  none: 'No token: the signed license speaks for itself.',
};

function table(caption: string, schema: JsonSchema): Html {
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Type</th>
        <th scope="col">Notes</th>
      </tr>
    </thead>
    <tbody>
      ${rows(schema, '')}
    </tbody>
  </table>`;
}

function rows(schema: JsonSchema, prefix: string): Html[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const notes = [
      schema.required?.includes(name) === true ? 'required' : 'optional',
      property.description,
      property.pattern === undefined ? undefined : `pattern ${property.pattern}`,
      property.maxLength === undefined
        ? undefined
        : `at most ${String(property.maxLength)} characters`,
    ];
    return [
      html`<tr>
        <td><code>${prefix}${name}</code></td>
        <td>${typeOf(property)}</td>
        <td>${notes.filter((note) => note !== undefined).join('; ')}</td>
      </tr>`,
      ...rows(
        property.items ?? property,
        `${prefix}${name}${property.items === undefined ? '' : '[]'}.`,
      ),
    ];
  });
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  return `${schema.type ?? 'any'}${schema.format === undefined ? '' : ` (${schema.format})`}`;
}

import { request } from 'node:http';

import type { Base } from '#sandbox/seller/deployments';
import type { FaultRequest } from '#sandbox/seller/faults';
import type { JsonObject, JsonValue } from '#core/encoding/index';
import { isRecord } from '#core/record';
import type { Sandbox } from '#sandbox/server';

/** Holds what came back, with the JSON read where it is JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: JsonObject;
}

const paths = {
  account: '/api/account/details',
  items: '/api/items/all',
  item: '/api/items/item',
  validation: '/api/purchases/validation',
} as const;

/** Sends a GET with the key, and whatever else, in the query. */
export function get(
  sandbox: Sandbox,
  base: Base,
  endpoint: 'account' | 'items' | 'item',
  parameters: Record<string, string> = {},
): Promise<Reply> {
  const query = new URLSearchParams({ api_key: sandbox.keys[base], ...parameters });
  return send(`${sandbox.origin}${base}${paths[endpoint]}?${query.toString()}`);
}

/** Sends a validation as a form, with the right key unless told. */
export function validate(
  sandbox: Sandbox,
  base: Base,
  code: string,
  key = sandbox.keys[base],
): Promise<Reply> {
  return post(sandbox, base, new URLSearchParams({ api_key: key, purchase_code: code }));
}

export function post(
  sandbox: Sandbox,
  base: Base,
  body: BodyInit | undefined,
  options: { readonly query?: Record<string, string>; readonly headers?: HeadersInit } = {},
): Promise<Reply> {
  const query = new URLSearchParams(options.query).toString();
  return send(`${sandbox.origin}${base}${paths.validation}?${query}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body }),
    headers: options.headers ?? {},
  });
}

export async function send(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: objectIn(text) };
}

export function control(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<Reply> {
  return send(`${sandbox.origin}/control/${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.controlToken}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export async function order(sandbox: Sandbox, fault: FaultRequest): Promise<void> {
  const { status, text } = await control(sandbox, 'POST', 'faults', { ...fault } as JsonObject);
  if (status !== 201) throw new Error(text);
}

/** Sends headers that fetch will not let go; returns the status alone. */
export function statusWith(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

/** Returns the value at a dotted path, undefined where there is none. */
export function at(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
}

function objectIn(text: string): JsonObject {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as JsonValue;
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

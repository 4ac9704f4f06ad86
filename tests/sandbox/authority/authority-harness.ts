import { randomUUID } from 'node:crypto';

import { type RunningAuthority, startAuthority } from '#sandbox/authority/server';

/** Holds what a reply came to. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Rig extends RunningAuthority {
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  control(path: string, body?: unknown, method?: string): Promise<Answer>;
  /** A license of the marketplace, with these further fields. */
  issue(fields?: Record<string, string>): Promise<string>;
}

export const productSlug = 'aurora-theme';

/** Starts the real authority on a free port, over a database in memory unless told. */
export async function startRig(db = ':memory:', now?: () => number): Promise<Rig> {
  const running = await startAuthority({ port: 0, db, now });
  return { ...running, ...callsTo(running) };
}

/** Returns the calls of a rig, to an authority in whatever process. */
export function callsTo(
  target: Pick<RunningAuthority, 'origin' | 'controlToken' | 'tokens'>,
): Pick<Rig, 'post' | 'control' | 'issue'> {
  const post = (path: string, body: unknown, headers = {}): Promise<Answer> =>
    answerOf(target.origin + path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  return {
    post,
    control: (path, body = {}, method = 'POST') =>
      answerOf(`${target.origin}/control/${path}`, {
        method,
        ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${target.controlToken}`,
        },
      }),
    async issue(fields = {}) {
      const { body } = await post(
        '/api/license/v1/issue',
        { product_slug: productSlug, ...fields },
        { Authorization: `Bearer ${target.tokens.marketplace}` },
      );
      return String(body['license']);
    },
  };
}

/** Makes a License request that is right in every field unless told otherwise. */
export function licenseRequest(
  license: string,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    license,
    domain: 'shop.example.com',
    product_slug: productSlug,
    installation_id: randomUUID(),
    ...fields,
  };
}

/** Reads the claims of an envelope or a JWS, unverified. */
export function claimsOf(token: unknown): Record<string, unknown> {
  const segments = String(token).split('.');
  const payload = segments[segments.length - 2] ?? '';
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

async function answerOf(url: string, init: RequestInit): Promise<Answer> {
  const reply = await fetch(url, { redirect: 'manual', ...init });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

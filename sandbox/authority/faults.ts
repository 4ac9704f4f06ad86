import { setTimeout as wait } from 'node:timers/promises';

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import * as v from 'valibot';

import type { JsonObject } from '#core/encoding/index';
import { type IssuedCertificate, signCertificate } from '#sandbox/authority/documents';
import { type AuthorityKey, strayKey } from '#sandbox/authority/keys';
import type { Grant } from '#sandbox/authority/ledger';
import type { AuthorityConfig } from '#sandbox/authority/settings';

/** Faults instead of a decision. A client must treat each as an outage. */
const outages = [
  'unavailable',
  'reset',
  'error-500',
  'captive-portal',
  'blocked-page',
  'redirect',
  'not-json',
  'endless',
  'unauthorized',
] as const;

/** Faults after the decision: the answer is slow, lost or wrong. */
const lies = [
  'slow',
  'lost-answer',
  'wrong-key',
  'no-certificate',
  'other-domain',
  'other-installation',
  'other-product',
  'older-certificate',
  'refuse',
] as const;

type Outage = (typeof outages)[number];
type Lie = (typeof lies)[number];

export const InjectedFault = v.strictObject({
  kind: v.picklist([...outages, ...lies]),
  /** Number of requests to inject it into. */
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)), 1),
  endpoint: v.optional(v.picklist(['activate', 'validate', 'any']), 'any'),
  /** Delay of `slow`. */
  delayMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600_000)), 30_000),
});
export type InjectedFault = v.InferOutput<typeof InjectedFault>;

type AuthorityContext = Context<{ Bindings: Partial<HttpBindings> }>;

export function isOutage(kind: InjectedFault['kind']): kind is Outage {
  return v.is(v.picklist(outages), kind);
}

export function outageReply(kind: Outage, c: AuthorityContext): Response {
  switch (kind) {
    case 'unavailable':
      return c.html(page('503 Service Unavailable'), 503);
    case 'reset':
      return breakConnection(c);
    case 'error-500':
      return c.html(page('500 Internal Server Error'), 500);
    case 'captive-portal':
      return c.html(page('Welcome to the guest network. Please accept the terms.'), 200);
    case 'blocked-page':
      return c.html(page('Request blocked by the firewall.'), 403);
    case 'redirect':
      return c.redirect('http://127.0.0.1:9/elsewhere', 302);
    case 'not-json':
      return c.body('{"status":"success","activation_certificate":"eyJ', 200, {
        'Content-Type': 'application/json',
      });
    case 'endless':
      return c.body(endlessSpaces(), 200, { 'Content-Type': 'application/json' });
    case 'unauthorized':
      return c.json({ status: 'error', msg: 'Log in to the proxy first.' }, 401);
  }
}

/** Ends the connection without an answer. If there is no socket (in a test in memory), answers a bare 502. */
export function breakConnection(c: AuthorityContext): Response {
  c.env.incoming?.socket.destroy();
  return c.body(null, 502);
}

/** The documents from which a false answer is made. */
export interface Truth {
  readonly grant: Grant;
  readonly key: AuthorityKey;
  readonly config: AuthorityConfig;
  readonly oldest: IssuedCertificate | undefined;
}

/** Returns the body that is sent in place of the true one at HTTP 200. */
export function falseBody(kind: Lie, { grant, key, config, oldest }: Truth): JsonObject {
  const { terms, certificate } = grant;
  const certified = (other: IssuedCertificate): JsonObject => ({
    status: 'success',
    activation_certificate: other,
  });
  switch (kind) {
    case 'wrong-key':
      return certified(signCertificate(terms, strayKey(terms.issuedAt), config));
    case 'no-certificate':
      return { status: 'success' };
    case 'other-domain':
      return certified(signCertificate({ ...terms, domain: 'elsewhere.example' }, key, config));
    case 'other-installation': {
      const installationId = '00000000-0000-4000-8000-000000000000';
      return certified(signCertificate({ ...terms, installationId }, key, config));
    }
    case 'other-product':
      return certified(signCertificate({ ...terms, productSlug: 'another-product' }, key, config));
    case 'older-certificate':
      return certified(oldest ?? certificate);
    case 'slow':
    case 'lost-answer':
    case 'refuse':
      return certified(certificate);
  }
}

/** Waits, unless the request ends first. */
export async function delayReply(milliseconds: number, c: AuthorityContext): Promise<void> {
  await wait(milliseconds, undefined, { signal: c.req.raw.signal, ref: false }).catch(
    () => undefined,
  );
}

function endlessSpaces(): ReadableStream<Uint8Array> {
  const chunk = new TextEncoder().encode(' '.repeat(16_384));
  return new ReadableStream({
    async pull(controller) {
      await wait(5, undefined, { ref: false });
      controller.enqueue(chunk);
    },
  });
}

function page(text: string): string {
  return `<!doctype html><title>${text}</title><h1>${text}</h1>`;
}

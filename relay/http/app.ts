import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';

import type { Calls, Prepared } from '#relay/calls/answer-call';
import type { CallParts } from '#relay/calls/ask-upstream';
import {
  readParameters,
  readBody,
  refuseBody,
  type RelayEnvironment,
  readyFailure,
  readyReply,
  sendReply,
} from '#relay/http/messages';
import { routeAt } from '#core/marketplaces/routes';
import { succeed } from '#core/result';
import { createTeamRoutes } from '#relay/http/team-routes';
import { type JoinParts, createJoinRoutes } from '#relay/join/join-routes';
import type { LoggedCall } from '#relay/observe/observer';
import type { FailureKind } from '#relay/rules/failure';
import { DatabaseLocked, DiskFull } from '#relay/store/store';
import { version as program } from '#relay/version';

/** Tells whether the relay can serve. */
export interface Readiness {
  /** True from SIGTERM on. */
  readonly draining: () => boolean;
  readonly diskLow: () => boolean;
  /** Is called when a write has failed for want of room. */
  readonly diskFull: () => void;
}

type C = Context<RelayEnvironment>;
type Noted = Omit<LoggedCall, 'status' | 'milliseconds'>;

const maxBodyBytes = 64 * 1024;
/** How many calls of one token may be under way at once, replies that are still being sent included. */
const maxCalls = 32;
/** No further reply is begun while so many bytes of others wait to be read, for one token and in all. */
const maxUnreadBytes = { ofToken: 24 * 1024 * 1024, inAll: 128 * 1024 * 1024 };

/** Counts what is under way for one token. */
interface UnderWay {
  calls: number;
  unreadBytes: number;
}

/** Creates the relay's HTTP interface: the requests of marketplaces below `/c/{connection}`, joining, who it is, and whether it is well. */
export function createApp(
  parts: CallParts,
  calls: Calls,
  joining: JoinParts,
  readiness: Readiness,
  /** Returns 0 to 1, for the jitter of `Retry-After`. */
  random: () => number,
): Hono<RelayEnvironment> {
  const { store, clocks, observer } = parts;
  const app = new Hono<RelayEnvironment>();
  /** By the `Authorization` header, whoever stands behind it. */
  const underWay = new Map<string, UnderWay>();
  let unreadBytes = 0;

  app.get('/.well-known/counterfoil-relay', async (c) => {
    const settings = await joining.store.findSettings();
    return c.json({
      counterfoil_relay: {
        version: 1,
        program,
        name: joining.name,
        settings_key: settings?.key ?? null,
        sign_in: joining.signIn === undefined ? ['invite'] : ['openid', 'invite'],
      },
    });
  });
  app.route('/relay/v1', createJoinRoutes(joining));
  app.route(
    '/relay/v1',
    createTeamRoutes(joining, calls, (c, kind) => refuse(c, kind, performance.now())),
  );
  app.get('/healthz', (c) => c.text('ok'));
  app.get('/readyz', async (c) => {
    if (readiness.draining()) return c.text('draining', 503);
    if (readiness.diskLow()) return c.text('disk low', 503);
    return store.ping().then(
      () => c.text('ready'),
      (error: unknown) => {
        if (error instanceof DiskFull) readiness.diskFull();
        return c.text(whyNotReady(error), 503);
      },
    );
  });

  app.all('/c/:connection/*', answer);
  app.notFound((c) => refuse(c, 'not-a-seller-call', performance.now()));
  app.onError((error, c) => {
    observer.storeFault('call', error);
    if (error instanceof DiskFull) readiness.diskFull();
    // A reply that has begun cannot become another one.
    if (c.env.outgoing.headersSent) return RESPONSE_ALREADY_SENT;
    return refuse(c as C, 'store-unavailable', performance.now());
  });
  return app;

  async function answer(c: C): Promise<Response> {
    const began = performance.now();
    const authorization = c.req.header('authorization');
    const client = enter(c, authorization ?? '');
    if (client === undefined) return refuse(c, 'pace', began);
    const found = routeAt(c.req.method, pathBelow(c));
    const body = await bodyOf(c);
    if (!body.ok) return refuseBody(body.fault, () => refuse(c, 'request-too-large', began));
    const contentType = c.req.header('content-type') ?? '';
    const source = { query: new URL(c.req.url).searchParams, contentType, body: body.value };
    const parameters = await readParameters(source, found?.route.parameters ?? []);
    // A token that stands in the open is refused before all else, so that its owner learns of it.
    if (!parameters.ok) return refuse(c, parameters.fault, began);
    // No reply without its audit: calls end while there is still room for what is under way.
    if (readiness.diskLow()) return refuse(c, 'store-unavailable', began);
    if (c.env.incoming.socket.destroyed) return RESPONSE_ALREADY_SENT;
    if (found === undefined) {
      const token = await calls.authorize(authorization);
      return refuse(c, token.ok ? 'not-a-seller-call' : token.fault.kind, began);
    }
    const prepared = await calls.answer(authorization, {
      connection: c.req.param('connection') ?? '',
      found,
      values: [...found.inPath, ...parameters.value],
      bulk: c.req.header('counterfoil-work') === 'bulk',
      refresh: /\bno-cache\b/i.test(c.req.header('cache-control') ?? ''),
    });
    if (!prepared.ok) return refuse(c, prepared.fault.kind, began);
    return reply(c, prepared.value, client, began);
  }

  /** Counts a call until its reply has left or is given up; undefined when too many are under way. */
  function enter(c: C, authorization: string): UnderWay | undefined {
    const client = underWay.get(authorization) ?? { calls: 0, unreadBytes: 0 };
    if (client.calls >= maxCalls || !takesReply(client)) return undefined;
    client.calls += 1;
    underWay.set(authorization, client);
    c.env.outgoing.once('close', () => {
      client.calls -= 1;
      if (client.calls === 0) underWay.delete(authorization);
    });
    return client;
  }

  function takesReply(client: UnderWay): boolean {
    return client.unreadBytes < maxUnreadBytes.ofToken && unreadBytes < maxUnreadBytes.inAll;
  }

  /** Counts a reply's bytes until it has left or is given up. */
  function holdReply(c: C, client: UnderWay, bytes: number): void {
    // The client has gone, and nothing will be heard of it again.
    if (c.env.outgoing.closed) return;
    client.unreadBytes += bytes;
    unreadBytes += bytes;
    c.env.outgoing.once('close', () => {
      client.unreadBytes -= bytes;
      unreadBytes -= bytes;
    });
  }

  async function reply(
    c: C,
    prepared: Prepared,
    client: UnderWay,
    began: number,
  ): Promise<Response> {
    const { subject } = prepared;
    let { result } = prepared;
    let ready = readyReply(prepared.outcome, clocks.now(), random());
    if (!takesReply(client)) {
      result = 'pace';
      ready = readyFailure({ kind: 'pace' }, clocks.now(), random());
    }
    holdReply(c, client, ready.body.length);
    const released = await store.release(subject, result, () => {
      sendReply(c.env.outgoing, ready, readiness.draining());
    });
    const { agent, connection, call, token } = subject;
    const { cause } = prepared;
    const noted = {
      call,
      connection,
      agent,
      token,
      result,
      ...(cause && { cause: cause.what, errorCode: cause.code }),
    };
    if (released === 'withheld') return refuse(c, 'token-revoked', began, noted);
    note(noted, ready.status, began);
    return RESPONSE_ALREADY_SENT;
  }

  function refuse(c: C, kind: FailureKind, began: number, noted?: Partial<Noted>): Response {
    const ready = readyFailure({ kind }, clocks.now(), random());
    sendReply(c.env.outgoing, ready, readiness.draining() || kind === 'request-too-large');
    note({ ...noted, result: kind }, ready.status, began);
    return RESPONSE_ALREADY_SENT;
  }

  function note(noted: Noted, status: number, began: number): void {
    const milliseconds = Math.round((performance.now() - began) * 10) / 10;
    observer.call({ ...noted, status, milliseconds });
  }
}

function bodyOf(c: C): ReturnType<typeof readBody> {
  return c.req.method === 'POST'
    ? readBody(c.env.incoming, maxBodyBytes)
    : Promise.resolve(succeed(Buffer.alloc(0)));
}

function pathBelow(c: C): string {
  return c.req.path.replace(/^\/c\/[^/]+/, '');
}

function whyNotReady(error: unknown): string {
  if (error instanceof DiskFull) return 'disk full';
  return error instanceof DatabaseLocked ? 'database locked' : 'store unavailable';
}

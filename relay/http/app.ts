import type { Calls, Prepared } from '#relay/calls/answer-call';
import type { CallParts, SellerAnswer } from '#relay/calls/ask-upstream';
import { createGate } from '#relay/http/gate';
import {
  jsonReply,
  parseTarget,
  type ReadyReply,
  readBody,
  readParameters,
  readyReply,
  sendReply,
  type RelayRequest,
  type Route,
  type Routes,
  textReply,
} from '#relay/http/messages';
import { routesAt } from '#core/marketplaces/asking';
import { fail, type Result, succeed } from '#core/result';
import type { Answer } from '#relay/http/server';
import { createTeamRoutes } from '#relay/http/team-routes';
import { createJoinRoutes } from '#relay/join/join-routes';
import type { JoinParts } from '#relay/join/join-sessions';
import { sharedFor } from '#relay/machine/shared';
import { type Store, whyRefused } from '#relay/store/index';
import type { LoggedCall } from '#relay/observe/observer';
import { type Failure, type FailureKind, holdsToken } from '#relay/rules/index';
import { version as program } from '#relay/version';

export interface Readiness {
  /** True from SIGTERM on. */
  readonly draining: () => boolean;
  readonly diskLow: () => boolean;
  /** Called when a write has failed because the disk is full. */
  readonly diskFull: () => void;
}

const maxBodyBytes = 64 * 1024;
/** How long an answer of the database is reused, in milliseconds, so that many readiness requests cause one write. */
const readinessMs = 250;

/**
 * Creates the relay's HTTP interface: marketplace requests below `/c/{connection}`, joining, the relay's description, and its health.
 * @param random returns 0 to 1, for the jitter of `Retry-After`
 */
export function createApp(
  parts: CallParts,
  calls: Calls,
  joining: JoinParts,
  readiness: Readiness,
  random: () => number,
): Answer {
  const { store, observer } = parts;
  const replies = createReplies(parts, readiness.draining, random);
  const { send, refuse } = replies;
  const answerCall = createSellerCalls(store, calls, readiness.diskLow, replies);
  const enter = createGate(calls);
  /** The routes for load balancers bypass the gate, since a busy relay is still ready. */
  const open = createHealthRoutes(store, readiness);
  const gated: Routes = {
    'GET /.well-known/counterfoil-relay': async () =>
      jsonReply({
        counterfoil_relay: {
          version: 1,
          program,
          name: joining.name,
          settings_key: (await store.settingsKey()) ?? null,
          sign_in: joining.signIn === undefined ? ['invite'] : ['openid', 'invite'],
        },
      }),
    ...createJoinRoutes(joining),
    ...createTeamRoutes(joining, calls, refuse),
  };

  return async (incoming, outgoing) => {
    const began = performance.now();
    const target = parseTarget(incoming.url ?? '') ?? { path: '', query: new URLSearchParams() };
    const method = incoming.method === 'HEAD' ? 'GET' : incoming.method;
    const name = `${method ?? ''} ${target.path}`;
    const bare = { incoming, outgoing, began, ...target };
    const routes = Object.hasOwn(open, name) ? open : gated;
    const { authorization } = incoming.headers;
    const client = routes === open ? boundless : await enter(authorization, outgoing);
    if (client === undefined) {
      send(bare, refuse(bare, 'pace'));
      return;
    }
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    const reply = await (route ?? answerCall)({ ...bare, client })
      .catch((error: unknown) => {
        observer.storeFault('call', error);
        if (whyRefused(error) === 'disk full') readiness.diskFull();
        // A reply that has begun cannot be replaced.
        return outgoing.headersSent ? undefined : refuse(bare, 'store-unavailable');
      })
      .finally(client.settled);
    if (reply === undefined || incoming.socket.destroyed) return;
    send(bare, client.takes(reply.body.length) ? reply : refuse(bare, 'pace'));
  };
}

const boundless: RelayRequest['client'] = { takes: () => true, settled: () => undefined };

/** Creates the routes for load balancers. */
function createHealthRoutes(store: Store, { draining, diskLow, diskFull }: Readiness): Routes {
  const ping = sharedFor(readinessMs, () => store.ping());
  return {
    'GET /healthz': () => Promise.resolve(textReply('ok')),
    'GET /readyz': async () => {
      if (draining()) return textReply('draining', 503);
      if (diskLow()) return textReply('disk low', 503);
      return ping().then(
        () => textReply('ready'),
        (error: unknown) => {
          const why = whyRefused(error);
          if (why === 'disk full') diskFull();
          return textReply(why ?? 'store unavailable', 503);
        },
      );
    },
  };
}

type Replies = ReturnType<typeof createReplies>;
type Began = Pick<RelayRequest, 'began'>;

/**
 * Creates the functions that write replies, send them, and report them to the observer.
 * @param draining asks clients to close their connections
 * @param random returns 0 to 1, for the jitter of `Retry-After`
 */
function createReplies(
  { clocks, observer }: Pick<CallParts, 'clocks' | 'observer'>,
  draining: () => boolean,
  random: () => number,
) {
  const write = (outcome: Result<SellerAnswer, Failure>): ReadyReply =>
    readyReply(outcome, clocks.now(), random());

  function send({ outgoing }: Pick<RelayRequest, 'outgoing'>, reply: ReadyReply): void {
    sendReply(outgoing, reply, draining());
  }

  function refuse({ began }: Began, kind: FailureKind, noted?: Partial<LoggedCall>): ReadyReply {
    const ready = write(fail({ kind }));
    note({ ...noted, result: kind, status: ready.status }, began);
    // The rest of a large body is not read.
    return kind === 'request-too-large'
      ? { ...ready, headers: { ...ready.headers, Connection: 'close' } }
      : ready;
  }

  function note(noted: Omit<LoggedCall, 'milliseconds'>, began: number): void {
    const milliseconds = Math.round((performance.now() - began) * 10) / 10;
    observer.call({ ...noted, milliseconds });
  }

  return { write, send, refuse, note };
}

/** Creates the handler of marketplace requests, below `/c/{connection}`. */
function createSellerCalls(
  store: Store,
  calls: Calls,
  diskLow: () => boolean,
  { write, send, refuse, note }: Replies,
): Route {
  return async (request) => {
    const [, connection, path = ''] = /^\/c\/([^/]+)(\/.*)?$/.exec(request.path) ?? [];
    if (connection === undefined) return refuse(request, 'not-a-seller-call');
    if (holdsToken(request.path)) return refuse(request, 'token-misplaced');
    const { incoming, query } = request;
    const { method = '', headers } = incoming;
    const found = routesAt(method, path);
    const body =
      method === 'POST' ? await readBody(incoming, maxBodyBytes) : succeed(Buffer.alloc(0));
    if (!body.ok)
      return body.fault === 'cut-off' ? undefined : refuse(request, 'request-too-large');
    const contentType = 'content-encoding' in headers ? '' : (headers['content-type'] ?? '');
    const names = found.flatMap(({ route }) => route.parameters ?? []);
    const parameters = await readParameters({ query, contentType, body: body.value }, names);
    // A token in an exposed place is refused before anything else, so that its owner learns of it.
    if (!parameters.ok) return refuse(request, parameters.fault);
    // No reply is sent without its audit row, so calls are refused while there is still room for those in progress.
    if (diskLow()) return refuse(request, 'store-unavailable');
    if (incoming.socket.destroyed) return undefined;
    if (found.length === 0) {
      const token = await calls.authorize(headers.authorization);
      return refuse(request, token.ok ? 'not-a-seller-call' : token.fault.kind);
    }
    const prepared = await calls.answer(headers.authorization, {
      connection,
      requests: found.map((one) => {
        const own = one.route.parameters ?? [];
        const values = own.map((name) => parameters.value[names.indexOf(name)] ?? '');
        return { found: one, values: [...one.inPath, ...values] };
      }),
      bulk: headers['counterfoil-work'] === 'bulk',
      refresh: /\bno-cache\b/i.test(headers['cache-control'] ?? ''),
      isGone: () => request.outgoing.destroyed,
    });
    return prepared.ok ? release(request, prepared.value) : refuse(request, prepared.fault.kind);
  };

  /** Sends the reply to a seller call if its token is still valid. */
  async function release(
    request: RelayRequest,
    { subject, outcome, cause, ...prepared }: Prepared,
  ): Promise<ReadyReply | undefined> {
    let { result } = prepared;
    let ready = write(outcome);
    if (!request.client.takes(ready.body.length)) {
      result = 'pace';
      ready = write(fail({ kind: 'pace' }));
    }
    const released = await store
      .release(subject, result, () => {
        if (request.outgoing.destroyed) throw clientGone;
        send(request, ready);
      })
      .catch((error: unknown) => {
        if (error !== clientGone) throw error;
        result = 'not-begun';
      });
    const { agent, connection, call, token } = subject;
    const told = cause && { cause: cause.what, errorCode: cause.code };
    const noted = { call, connection, agent, token, result, ...told };
    if (released === 'withheld') return refuse(request, 'token-revoked', noted);
    note({ ...noted, status: ready.status }, request.began);
    return undefined;
  }
}

const clientGone = new Error('The client has gone.');

import type { Calls, Prepared } from '#relay/calls/answer-call';
import type { CallParts } from '#relay/calls/ask-upstream';
import { createGate } from '#relay/http/gate';
import {
  jsonReply,
  parseTarget,
  type ReadyReply,
  readBody,
  readParameters,
  type RelayRequest,
  type Routes,
  readyFailure,
  readyReply,
  sendReply,
  textReply,
} from '#relay/http/messages';
import { routesAt } from '#core/marketplaces/asking';
import { succeed } from '#core/result';
import type { Answer } from '#relay/http/server';
import { createTeamRoutes } from '#relay/http/team-routes';
import { createJoinRoutes } from '#relay/join/join-routes';
import type { JoinParts } from '#relay/join/join-sessions';
import { sharedFor } from '#relay/machine/shared';
import type { LoggedCall } from '#relay/observe/observer';
import type { FailureKind } from '#relay/rules/index';
import { whyRefused } from '#relay/store/index';
import { version as program } from '#relay/version';

export interface Readiness {
  /** True from SIGTERM on. */
  readonly draining: () => boolean;
  readonly diskLow: () => boolean;
  /** Is called when a write has failed for want of room. */
  readonly diskFull: () => void;
}

type Noted = Omit<LoggedCall, 'status' | 'milliseconds'>;

const maxBodyBytes = 64 * 1024;
/** How long an answer of the database counts, so that many who ask for the readiness write no more than one. */
const readinessMs = 250;

/** Creates the relay's HTTP interface: the requests of marketplaces below `/c/{connection}`, joining, who it is, and whether it is well. */
export function createApp(
  parts: CallParts,
  calls: Calls,
  joining: JoinParts,
  readiness: Readiness,
  /** Returns 0 to 1, for the jitter of `Retry-After`. */
  random: () => number,
): Answer {
  const { store, clocks, observer } = parts;
  const enter = createGate();
  const ping = sharedFor(readinessMs, () => store.ping());

  /** Those that load balancers ask pass by the gate: a relay with much to do is ready still. */
  const open: Routes = {
    'GET /healthz': () => Promise.resolve(textReply('ok')),
    'GET /readyz': async () => {
      if (readiness.draining()) return textReply('draining', 503);
      if (readiness.diskLow()) return textReply('disk low', 503);
      return ping().then(
        () => textReply('ready'),
        (error: unknown) => {
          const why = whyRefused(error);
          if (why === 'disk full') readiness.diskFull();
          return textReply(why ?? 'store unavailable', 503);
        },
      );
    },
  };
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
    const { authorization } = incoming.headers;
    const client = Object.hasOwn(open, name) ? boundless : enter(authorization, outgoing);
    const reply = await answer(name, { ...bare, client })
      .catch((error: unknown) => {
        observer.storeFault('call', error);
        if (whyRefused(error) === 'disk full') readiness.diskFull();
        // A reply that has begun cannot become another one.
        return outgoing.headersSent ? undefined : refuse(bare, 'store-unavailable');
      })
      .finally(client?.settled);
    if (reply === undefined || incoming.socket.destroyed) return;
    const fits = client?.takes(reply.body.length) ?? true;
    send(bare, fits ? reply : refuse(bare, 'pace'));
  };

  function answer(
    name: string,
    request: Omit<RelayRequest, 'client'> & { readonly client: RelayRequest['client'] | undefined },
  ): Promise<ReadyReply | undefined> {
    const { client } = request;
    if (client === undefined) return Promise.resolve(refuse(request, 'pace'));
    const routes = Object.hasOwn(open, name) ? open : gated;
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (route !== undefined) return route({ ...request, client });
    const [, connection, path = ''] = /^\/c\/([^/]+)(\/.*)?$/.exec(request.path) ?? [];
    return connection === undefined
      ? Promise.resolve(refuse(request, 'not-a-seller-call'))
      : answerCall({ ...request, client }, connection, path);
  }

  async function answerCall(
    request: RelayRequest,
    connection: string,
    path: string,
  ): Promise<ReadyReply | undefined> {
    const { incoming } = request;
    const { method = '', headers } = incoming;
    const found = routesAt(method, path);
    const body =
      method === 'POST' ? await readBody(incoming, maxBodyBytes) : succeed(Buffer.alloc(0));
    if (!body.ok)
      return body.fault === 'cut-off' ? undefined : refuse(request, 'request-too-large');
    const source = {
      query: request.query,
      contentType: headers['content-type'] ?? '',
      body: body.value,
    };
    const names = found.flatMap(({ route }) => route.parameters ?? []);
    const parameters = await readParameters(source, names);
    // A token that stands in the open is refused before all else, so that its owner learns of it.
    if (!parameters.ok) return refuse(request, parameters.fault);
    // No reply without its audit: calls end while there is still room for what is under way.
    if (readiness.diskLow()) return refuse(request, 'store-unavailable');
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
  }

  /** Sends the reply to a seller call while its token holds. */
  async function release(
    request: RelayRequest,
    { subject, outcome, cause, ...prepared }: Prepared,
  ): Promise<ReadyReply | undefined> {
    let { result } = prepared;
    let ready = readyReply(outcome, clocks.now(), random());
    if (!request.client.takes(ready.body.length)) {
      result = 'pace';
      ready = readyFailure({ kind: 'pace' }, clocks.now(), random());
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
    note(noted, ready.status, request.began);
    return undefined;
  }

  function send({ outgoing }: Pick<RelayRequest, 'outgoing'>, reply: ReadyReply): void {
    sendReply(outgoing, reply, readiness.draining());
  }

  function refuse(
    { began }: Pick<RelayRequest, 'began'>,
    kind: FailureKind,
    noted?: Partial<Noted>,
  ): ReadyReply {
    const ready = readyFailure({ kind }, clocks.now(), random());
    note({ ...noted, result: kind }, ready.status, began);
    // The rest of a large body is not read.
    return kind === 'request-too-large'
      ? { ...ready, headers: { ...ready.headers, Connection: 'close' } }
      : ready;
  }

  function note(noted: Noted, status: number, began: number): void {
    const milliseconds = Math.round((performance.now() - began) * 10) / 10;
    observer.call({ ...noted, status, milliseconds });
  }
}

const boundless: RelayRequest['client'] = { takes: () => true, settled: () => undefined };
const clientGone = new Error('The client has gone.');

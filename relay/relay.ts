import type { Clocks } from '#relay/machine/clocks';
import { dayMs, delay } from '#core/time/index';
import { createCalls } from '#relay/calls/answer-call';
import type { CallParts } from '#relay/calls/ask-upstream';
import { isPostgres, openStore } from '#relay/store/index';
import { createApp } from '#relay/http/app';
import { sendReply, textReply } from '#relay/http/messages';
import { type Answer, listen } from '#relay/http/server';
import type { SignIn } from '#relay/join/openid';
import type { Keyring } from '#relay/keys/keyring';
import { openVault } from '#relay/keys/vault';
import { lockForServing } from '#relay/machine/serving-lock';
import { roomFor, watchDisk } from '#relay/observe/disk-watch';
import type { Observer } from '#relay/observe/observer';
import { checkRoles } from '#relay/rules/index';
import { createUpstream } from '#relay/upstream/send';
import { addressAt, type Settings } from '#relay/settings';
import { version } from '#relay/version';

const sweepEveryMs = 5_000;

/** Creates the page for Prometheus, on a separate port that agents need not reach. */
export function createMetricsApp(observer: Pick<Observer, 'page' | 'contentType'>): Answer {
  return async ({ url }, outgoing) => {
    const write = async () => textReply(await observer.page(), 200, observer.contentType);
    const page = url === '/metrics' ? write().catch(() => textReply('500', 500)) : undefined;
    sendReply(outgoing, (await page) ?? textReply('404', 404), false);
  };
}

/** How a relay serves. A port of 0 takes any free one. */
export interface RelayOptions extends Omit<Settings, 'keyring' | 'logLevel' | 'openId'> {
  readonly keyring: Keyring;
  readonly observer: Observer;
  /** If absent, agents join only by invites. */
  readonly signIn?: SignIn | undefined;
  readonly clocks?: Clocks;
  readonly random?: () => number;
}

export interface Relay {
  readonly origin: string;
  readonly port: number;
  readonly metricsPort: number;
  /** Reports not ready, lets calls end for 10 s, answers the remaining ones with a failure, and closes the database. */
  readonly stop: () => Promise<void>;
}

const drainMs = 10_000;
/** How long before that time calls that still wait for a seller are answered with a failure, in milliseconds. */
const failureMs = 2_000;

/**
 * Starts the relay on its store.
 * @throws Problem if the keyring or this program does not fit the database
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { observer, database } = options;
  /** Closes all resources, even if the start fails, so that the process ends. */
  await using resources = new AsyncDisposableStack();
  if (!isPostgres(database)) resources.use(lockForServing(database));
  const store = await openStore(database, undefined, options.clocks);
  const { clocks } = store;
  const upstream = createUpstream(clocks.now);
  resources.defer(() => store.close());
  resources.defer(() => {
    upstream.close();
  });
  let draining = false;

  const ended = new AbortController();
  resources.defer(() => {
    ended.abort();
  });
  /** Repeats work until the relay ends. Returns a function that does it at once. */
  function repeat(everyMs: number, during: string, work: () => Promise<void>): () => Promise<void> {
    const run = (): Promise<void> =>
      work().catch((error: unknown) => {
        if (!ended.signal.aborted) observer.storeFault(during, error);
      });
    const timer = setInterval(() => void run(), everyMs);
    resources.defer(() => {
      clearInterval(timer);
    });
    return run;
  }

  const vault = await openVault(store, options.keyring);
  const parts: CallParts = { store, vault, upstream, clocks, observer };
  await checkRoles(store, options.signIn?.roles ?? [], 'RELAY_OIDC_ROLES: ');
  void repeat(dayMs, 'audit', async () => {
    const isInDoubt = await store.auditInDoubt();
    if (isInDoubt) observer.event('audit-drop-refused');
    const rows = isInDoubt ? 0 : await store.dropOldAudit();
    if (rows > 0) observer.event('audit-dropped', { rows });
  })();
  const disk = await watchDisk(async () => {
    const room = await roomFor(store, database, options.databaseRoomBytes);
    observer.database(room.databaseBytes);
    return room.freeBytes;
  }, observer);
  resources.defer(disk.stop);
  repeat(sweepEveryMs, 'cache', async () => {
    while (!ended.signal.aborted && (await store.dropExpiredReplies()) > 0);
  });
  const readiness = { draining: () => draining, diskLow: disk.low, diskFull: disk.full };
  const { host, metricsHost = host, metricsPort, name, signIn, random = Math.random } = options;
  let origin = options.publicOrigin ?? '';
  const joining = { store, clocks, observer, name, signIn, origin: () => origin };
  const app = createApp(parts, createCalls(parts), joining, readiness, random);
  const main = await listen(app, { host, port: options.port });
  resources.defer(async () => {
    await main.drain(0);
  });
  origin ||= addressAt(host, main.port);
  const side = await listen(createMetricsApp(observer), { host: metricsHost, port: metricsPort });
  resources.defer(async () => {
    await side.drain(0);
  });
  observer.event('started', { version, port: main.port, metricsPort: side.port });

  async function stop(): Promise<void> {
    draining = true;
    observer.event('draining');
    await delay(options.noticeMs);
    const late = setTimeout(() => {
      upstream.giveUp();
    }, drainMs - failureMs);
    const cut = await main.drain(drainMs);
    clearTimeout(late);
    // A call whose client has gone still has to be recorded.
    upstream.giveUp();
    await Promise.race([main.settled(), delay(failureMs, ended.signal)]);
    await opened.disposeAsync();
    observer.event('stopped', { cut });
  }

  const opened = resources.move();
  let stopping: Promise<void> | undefined;
  return {
    origin: addressAt(host, main.port),
    port: main.port,
    metricsPort: side.port,
    // The terminal and the parent process may each send a signal.
    stop: () => (stopping ??= stop()),
  };
}

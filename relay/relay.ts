import { delay } from '#core/time/delay';
import { dayMs } from '#core/time/units';
import { createCalls } from '#relay/calls/answer-call';
import type { CallParts } from '#relay/calls/ask-upstream';
import { openStore, type Store } from '#relay/store/index';
import { createApp } from '#relay/http/app';
import { sendReply, textReply } from '#relay/http/messages';
import { type Answer, listen } from '#relay/http/server';
import type { SignIn } from '#relay/join/sign-in';
import type { Keyring } from '#relay/keys/keyring';
import { openVault } from '#relay/keys/vault';
import { createAuditLines, withAuditLines } from '#relay/observe/audit-lines';
import { roomFor, watchDisk } from '#relay/observe/disk-watch';
import { createObserver, type Observer, type RelayLog } from '#relay/observe/observer';
import { checkRoles } from '#relay/rules/index';
import { createUpstream } from '#relay/upstream/send';
import { version } from '#relay/version';

const sweepEveryMs = 60_000;

/** Removes expired replies from the cache every minute, whoever asks meanwhile. Returns what ends it. */
function sweepReplies({ store, observer }: Pick<CallParts, 'store' | 'observer'>): () => void {
  const ended = new AbortController();
  async function dropAll(): Promise<void> {
    while (!ended.signal.aborted && (await store.dropExpiredReplies()) > 0);
  }
  const sweep = (): Promise<void> =>
    dropAll().catch((error: unknown) => {
      observer.storeFault('cache', error);
    });
  const timer = setInterval(() => void sweep(), sweepEveryMs);
  return () => {
    ended.abort();
    clearInterval(timer);
  };
}

/** Drops the months of the audit that are not kept, now and each day. Returns what ends it. */
function dropOldAudit(store: Store, observer: Observer): () => void {
  let ended = false;
  const drop = (): Promise<void> =>
    store.dropOldAudit().then(
      (rows) => {
        if (rows > 0) observer.event('audit-dropped', { rows });
      },
      (error: unknown) => {
        if (!ended) observer.storeFault('audit', error);
      },
    );
  void drop();
  const timer = setInterval(() => void drop(), dayMs);
  return () => {
    ended = true;
    clearInterval(timer);
  };
}

/** Creates the page for Prometheus, on a port of its own that agents need not reach. */
function createMetricsApp(observer: Observer): Answer {
  return async ({ url }, outgoing) => {
    const found = url === '/metrics';
    const page = found
      ? textReply(await observer.page(), 200, observer.contentType)
      : textReply('404', 404);
    sendReply(outgoing, page, false);
  };
}

export interface RelayOptions {
  /** Shown to agents who join. */
  readonly name: string;
  readonly host: string;
  /** 0 takes any free port, here and below. */
  readonly port: number;
  readonly metricsPort: number;
  /** The file of the embedded database, or the address of one in PostgreSQL with the runner's role. */
  readonly database: string;
  readonly keyring: Keyring;
  readonly log: RelayLog;
  /** Where the audit's rows go as JSON lines as well. */
  readonly auditLines?: 'stdout' | URL | undefined;
  /** How large a database in PostgreSQL may become, for the disk alarm; without it there is none. */
  readonly databaseRoomBytes?: number | undefined;
  /** How long the readiness is red before the relay stops listening, so that a load balancer sees it first. */
  readonly noticeMs: number;
  /** The relay's address as browsers see it; without it, the one that it listens at. */
  readonly publicOrigin?: string | undefined;
  /** Without it, agents join by invites alone. */
  readonly signIn?: SignIn | undefined;
  readonly clocks?: Store['clocks'];
  readonly random?: () => number;
}

/** Tells where a relay serves, and stops it. */
export interface Relay {
  readonly origin: string;
  readonly port: number;
  readonly metricsPort: number;
  /** Turns the readiness red, lets live calls end for 10 s, of which it answers the last in words, and closes the database. */
  readonly stop: () => Promise<void>;
}

const drainMs = 10_000;
/** How long what was given up may take to be answered in words. */
const lastWordsMs = 2_000;

/**
 * Starts the relay on its store.
 * @throws MasterKeyProblem when the keyring does not fit the database, NewerSchema or SchemaProblem when this program does not
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { log } = options;
  const opened = await openStore(options.database, 'serve', options.clocks);
  const lines = options.auditLines && createAuditLines(options.auditLines);
  const store = lines === undefined ? opened : withAuditLines(opened, lines);
  const { clocks } = store;
  const observer = createObserver(log);
  const upstream = createUpstream(clocks.now);
  /** Closes what is open, also when the start fails, so that the process ends. */
  const resources = new AsyncDisposableStack();
  resources.defer(() => lines?.close());
  resources.defer(() => store.close());
  resources.defer(() => {
    upstream.close();
  });
  let draining = false;

  async function freeBytes(): Promise<number | undefined> {
    const room = await roomFor(store, options.database, options.databaseRoomBytes);
    observer.database(room.databaseBytes);
    return room.freeBytes;
  }

  async function serve(): Promise<Relay> {
    const vault = await openVault(store, options.keyring);
    const parts: CallParts = {
      store,
      vault,
      upstream,
      clocks,
      observer,
    };
    await checkRoles(store, options.signIn?.roles ?? [], 'RELAY_OIDC_ROLES: ');
    resources.defer(dropOldAudit(store, observer));
    const disk = await watchDisk(freeBytes, observer);
    resources.defer(disk.stop);
    const endSweeps = sweepReplies(parts);
    resources.defer(endSweeps);
    const readiness = { draining: () => draining, diskLow: disk.low, diskFull: disk.full };
    const { host, name, signIn } = options;
    let origin = options.publicOrigin ?? '';
    const joining = { store, clocks, observer, name, signIn, origin: () => origin };
    const app = createApp(
      parts,
      createCalls(parts),
      joining,
      readiness,
      options.random ?? Math.random,
    );
    const main = await listen(app, { host, port: options.port });
    resources.defer(async () => {
      await main.drain(0);
    });
    origin ||= `http://${host}:${String(main.port)}`;
    const side = await listen(createMetricsApp(observer), { host, port: options.metricsPort });
    resources.defer(async () => {
      await side.drain(0);
    });
    log.event('started', { version, port: main.port, metricsPort: side.port });

    async function stop(): Promise<void> {
      draining = true;
      log.event('draining');
      await delay(options.noticeMs);
      const late = setTimeout(() => {
        upstream.giveUp();
      }, drainMs - lastWordsMs);
      const cut = await main.drain(drainMs);
      clearTimeout(late);
      await resources.disposeAsync();
      log.event('stopped', { cut });
    }

    let stopping: Promise<void> | undefined;
    return {
      origin: `http://${host}:${String(main.port)}`,
      port: main.port,
      metricsPort: side.port,
      // A terminal and whoever started the relay may send a signal each.
      stop: () => (stopping ??= stop()),
    };
  }

  try {
    return await serve();
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

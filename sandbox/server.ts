import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { type RunningAuthority, startAuthority } from '#sandbox/authority/server';
import { openDatabase } from '#sandbox/database';
import { createFaultQueue } from '#sandbox/fault-queue';
import { loopbackOnly } from '#sandbox/gate';
import { listen, type Listening } from '#sandbox/listen';
import type { MarketplaceBase } from '#sandbox/marketplaces/emulation';
import {
  type AllTokens,
  createMarketplaces,
  createTokens,
} from '#sandbox/marketplaces/marketplaces';
import { createMedia } from '#sandbox/media/routes';
import { frameworkPage } from '#sandbox/pages/layout';
import { createPages } from '#sandbox/pages/routes';
import { createControlApi } from '#sandbox/seller/control-api';
import { type Base, deployments } from '#sandbox/seller/deployments';
import { type FaultCommand, injectFaults } from '#sandbox/seller/faults';
import { createRequestLog, logging, type SandboxEnvironment } from '#sandbox/seller/request-log';
import { createSellerApi } from '#sandbox/seller/seller-api';
import { openSellerStore } from '#sandbox/seller/seller-store';

export interface SandboxOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** A file, which is created and seeded if missing, or `:memory:`. */
  readonly db: string;
  /** Epoch milliseconds; the machine's clock by default. */
  readonly now?: () => number;
}

/** Runs at an origin of which base addresses are this and a `Base`. Its database is closed with it. */
export interface Sandbox extends Listening {
  /** For `/control/…`, as a bearer token; new at every start. */
  readonly controlToken: string;
  /** The API key of each base address; random for each database. */
  readonly keys: Readonly<Record<Base, string>>;
  /** The tokens of each emulated marketplace; new at every start. */
  readonly tokens: AllTokens;
  /** Returns the token of a kind. Throws if the marketplace has no such kind. */
  readonly token: (base: MarketplaceBase, kind: string) => string;
  /** Stays open until `close`; the license authority has its tables in the same file. */
  readonly database: DatabaseSync;
  /** Shows a license authority on the page at `/`, and has tickets link to its sample files. */
  readonly show: (authority: RunningAuthority) => void;
}

/**
 * Starts the seller API at all its base addresses, with its pages and control API, on 127.0.0.1.
 *
 * Rejects with `PortInUse` if the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const now = options.now ?? Date.now;
  const database = openDatabase(options.db);
  const store = openSellerStore(database);
  const log = createRequestLog();
  const faults = createFaultQueue<FaultCommand>();
  const tokens = createTokens();
  const controlToken = randomBytes(20).toString('hex');
  let authority: RunningAuthority | undefined;

  const app = new Hono<SandboxEnvironment>({ strict: false });
  app.use(loopbackOnly);
  app.use(bodyLimit({ maxSize: 1_048_576 }));
  app.use(logging(log, now));
  app.route('/control', createControlApi({ token: controlToken, faults, log, store, now }));
  for (const deployment of deployments) {
    app.use(`${deployment.base}/api/*`, injectFaults(deployment.base, faults));
    app.route(deployment.base, createSellerApi(deployment, store, now));
  }
  app.route('/', createMarketplaces(tokens, faults, now));
  app.route('/', createMedia(store));
  app.route('/', createPages({ store, tokens, controlToken, authority: () => authority, now }));
  app.notFound((c) => c.html(frameworkPage(404), 404));

  const listening = await listen({
    fetch: app.fetch,
    port: options.port,
    release: () => {
      database.close();
    },
  });
  return {
    ...listening,
    controlToken,
    keys: store.apiKeys(),
    tokens,
    token: (base, kind) => {
      const token = tokens[base][kind];
      if (token === undefined) throw new Error(`${base} has no token of the kind ${kind}`);
      return token;
    },
    database,
    show: (shown) => {
      authority = shown;
    },
  };
}

export interface WholeSandbox {
  readonly seller: Sandbox;
  readonly authority: RunningAuthority;
  /** May be called again, for example by a second signal. */
  readonly close: () => Promise<void>;
}

/**
 * Starts seller API and license authority over one database, each at its own port, with one page at the seller's `/`
 * for both.
 *
 * If either port is taken, rejects with `PortInUse` and leaves nothing running.
 * @param options.db a file, or `:memory:`, of which each of the two has its own
 */
export async function startWholeSandbox(options: {
  readonly port: number;
  readonly authorityPort: number;
  readonly db: string;
}): Promise<WholeSandbox> {
  const { port, authorityPort, db } = options;
  const seller = await startSandbox({ port, db });
  try {
    const authority = await startAuthority({
      port: authorityPort,
      db,
      sellerOrigin: seller.origin,
    });
    seller.show(authority);
    const close = async (): Promise<void> => {
      await Promise.all([seller.close(), authority.close()]);
    };
    let closing: Promise<void> | undefined;
    return { seller, authority, close: () => (closing ??= close()) };
  } catch (error) {
    await seller.close();
    throw error;
  }
}

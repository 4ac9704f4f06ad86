import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { authoritySection } from '#sandbox/authority/section';
import { type RunningAuthority, startAuthority } from '#sandbox/authority/server';
import { openDatabase } from '#sandbox/database';
import { listen, type Listening } from '#sandbox/listen';
import {
  type AllTokens,
  createMarketplaces,
  createTokens,
} from '#sandbox/marketplaces/marketplaces';
import { createMedia } from '#sandbox/media/routes';
import { frameworkPage, type Section } from '#sandbox/pages/layout';
import { createPages } from '#sandbox/pages/routes';
import { createControlApi } from '#sandbox/seller/control-api';
import { type Base, deployments } from '#sandbox/seller/deployments';
import { createPendingFaults, injectFaults } from '#sandbox/seller/faults';
import { createRequestLog, logging, type SandboxEnvironment } from '#sandbox/seller/request-log';
import { createSellerApi } from '#sandbox/seller/seller-api';
import { openSellerStore } from '#sandbox/seller/seller-store';

/**
 * Answers only requests that name this server by its own loopback address, so that a page elsewhere cannot reach it
 * through a name of its own (DNS rebinding).
 *
 * @param port read at every request, since it may be known only once the server listens
 */
const ownHostOnly =
  (port: () => number): MiddlewareHandler<SandboxEnvironment> =>
  async (c, next) => {
    if (!ownHosts(port()).includes(c.req.header('host') ?? '')) {
      return c.text('This server answers to 127.0.0.1 and localhost only.', 421);
    }
    await next();
    return undefined;
  };

/** Answers requests that come from no page at all or from a page of this server. */
const ownOriginOnly =
  (port: () => number): MiddlewareHandler<SandboxEnvironment> =>
  async (c, next) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && !ownHosts(port()).some((host) => origin === `http://${host}`)) {
      return c.json({ status: 'error', msg: 'Not from another origin' }, 403);
    }
    await next();
    return undefined;
  };

function ownHosts(port: number): readonly string[] {
  return ['127.0.0.1', 'localhost'].map((name) => (port === 80 ? name : `${name}:${String(port)}`));
}

export interface SandboxOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** A file, made and seeded where it is missing, or `:memory:`. */
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
  /** Stays open until `close`; the license authority has its tables in the same file. */
  readonly database: DatabaseSync;
  /** Adds a section to the page at `/`. */
  readonly addSection: (section: Section) => void;
  /** Sets the address below which tickets link to the files their customers attached. */
  readonly attachFrom: (samples: string) => void;
}

/**
 * Starts the seller API at all its base addresses, with its pages and control API, on 127.0.0.1.
 *
 * Rejects with `PortInUse` when the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const now = options.now ?? Date.now;
  const database = openDatabase(options.db);
  const store = openSellerStore(database);
  const log = createRequestLog();
  const faults = createPendingFaults();
  const tokens = createTokens();
  const controlToken = randomBytes(20).toString('hex');
  const sections: Section[] = [];
  let port = options.port;
  let samples: string | undefined;

  const app = new Hono<SandboxEnvironment>({ strict: false });
  app.use(ownHostOnly(() => port));
  app.use(bodyLimit({ maxSize: 1_048_576 }));
  app.use(logging(log, now));
  app.use(
    '/control/*',
    ownOriginOnly(() => port),
  );
  app.route('/control', createControlApi({ token: controlToken, faults, log, store, now }));
  for (const deployment of deployments) {
    app.use(`${deployment.base}/api/*`, injectFaults(deployment.base, faults));
    app.route(deployment.base, createSellerApi(deployment, store, now));
  }
  app.route('/', createMarketplaces(tokens, faults, now));
  app.route('/', createMedia(store));
  app.route(
    '/',
    createPages({ store, tokens, sections, controlToken, samples: () => samples, now }),
  );
  app.notFound((c) => c.html(frameworkPage(404), 404));

  const listening = await listen({
    fetch: app.fetch,
    port,
    release: () => {
      database.close();
    },
  });
  port = listening.port;
  return {
    ...listening,
    controlToken,
    keys: store.apiKeys(),
    tokens,
    database,
    addSection: (section) => {
      sections.push(section);
    },
    attachFrom: (address) => {
      samples = address;
    },
  };
}

export interface WholeSandbox {
  readonly seller: Sandbox;
  readonly authority: RunningAuthority;
  /** May be called again, as by a second signal. */
  readonly close: () => Promise<void>;
}

/**
 * Starts seller API and license authority over one database, each at its own port, with one page at the seller's `/` for both.
 *
 * Rejects with `PortInUse`, and leaves nothing running, when either port is taken.
 * @param options.db a file; of `:memory:` each of the two has its own
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
    seller.addSection(authoritySection(authority));
    seller.attachFrom(`${authority.origin}/samples/`);
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

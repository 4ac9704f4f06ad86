import type { DatabaseSync } from 'node:sqlite';

import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';

import { controlRoutes } from '#sandbox/authority/control-api';
import type { InjectedFault } from '#sandbox/authority/faults';
import { createFaultQueue } from '#sandbox/fault-queue';
import { loopbackOnly } from '#sandbox/gate';
import { type AuthorityKeys, fingerprintOf, openKeys, toPem } from '#sandbox/authority/keys';
import { type Ledger, openLedger } from '#sandbox/authority/ledger';
import { lifeRoutes } from '#sandbox/authority/life';
import { licenseRoutes } from '#sandbox/authority/routes';
import { openSettings, type SettingsStore } from '#sandbox/authority/settings';
import { createAuthorityTables } from '#sandbox/authority/records';
import { openDatabase } from '#sandbox/database';
import { listen, type Listening } from '#sandbox/listen';
import { openApiDocument } from '#sandbox/openapi/document';
import { sampleRoutes } from '#sandbox/samples/files';

export interface Authority {
  readonly app: Hono<{ Bindings: Partial<HttpBindings> }>;
  readonly keys: AuthorityKeys;
  readonly settings: SettingsStore;
  readonly ledger: Ledger;
  /** The authority's own clock, epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * Creates the authority on an open database, without listening. Its keys and tokens are created at the database's first
 * use.
 * @param options.now the real time, epoch milliseconds; the control API moves the authority's clock against it
 * @param options.sellerOrigin where the other half of the sandbox answers, for the description of both and for links
 */
export function createAuthority(options: {
  database: DatabaseSync;
  now?: (() => number) | undefined;
  sellerOrigin?: string | undefined;
}): Authority {
  const { database, now = Date.now, sellerOrigin = 'http://127.0.0.1:8787' } = options;
  createAuthorityTables(database);
  const settings = openSettings(database);
  const clock = (): number => now() + settings.clockOffset();
  const keys = openKeys(database, clock());
  const ledger = openLedger(database, keys, settings, clock);
  const parts = { keys, settings, ledger, faults: createFaultQueue<InjectedFault>(), clock };

  const app = new Hono<{ Bindings: Partial<HttpBindings> }>();
  app.use(loopbackOnly);
  app.route('/', licenseRoutes(parts));
  app.route('/', controlRoutes(parts, now));
  app.route('/', sampleRoutes(parts));
  app.route(
    '/',
    lifeRoutes(parts, (path, init) => app.request(path, init), now, sellerOrigin),
  );
  app.get('/openapi.json', (c) => {
    const seller = [`${sellerOrigin}/demo`, `${sellerOrigin}/market`];
    const described = openApiDocument({ seller, authority: [new URL(c.req.url).origin] });
    // The JSON is indented, since people read it in a browser.
    return c.body(JSON.stringify(described, null, 2), 200, { 'Content-Type': 'application/json' });
  });
  app.get('/', (c) => c.redirect('/openapi.json'));
  app.notFound((c) => c.json({ status: 'error', msg: 'No such endpoint.' }, 404));
  app.onError((_error, c) => c.json({ status: 'error', msg: 'The authority failed.' }, 500));
  return { app, keys, settings, ledger, clock };
}

/** Runs at an origin that is the spec's {authority_url}. Its database is closed with it. */
export interface RunningAuthority extends Listening {
  readonly controlToken: string;
  readonly tokens: { readonly marketplace: string; readonly administrator: string };
  readonly publicKey: {
    readonly id: string;
    readonly pem: string;
    /** SHA-256 of the raw key, 64 hex digits. */
    readonly fingerprint: string;
  };
  readonly authority: Authority;
}

/**
 * Starts the authority on 127.0.0.1. Rejects with `PortInUse` if the port is taken.
 * @param options.port 0 takes a free one
 * @param options.db path of the database file, or `:memory:`
 */
export async function startAuthority(options: {
  port: number;
  db: string;
  now?: (() => number) | undefined;
  sellerOrigin?: string | undefined;
}): Promise<RunningAuthority> {
  const database = openDatabase(options.db);
  const authority = createAuthority({ ...options, database });
  const listening = await listen({
    fetch: authority.app.fetch,
    port: options.port,
    release: () => {
      database.close();
    },
  });
  const { publicKey, id } = authority.keys.current();
  const { control, ...tokens } = authority.settings.tokens;
  return {
    ...listening,
    controlToken: control,
    tokens,
    publicKey: { id, pem: toPem(publicKey), fingerprint: fingerprintOf(publicKey) },
    authority,
  };
}

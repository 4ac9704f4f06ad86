import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import { Hono } from 'hono';

import { alternate, type Measurement } from '#bench/measurement';
import { createAuthority } from '#sandbox/authority/server';

const batch = 200;

/** Measures first activations in a row on one core; neither side uses the network. */
export const activations: Measurement = {
  name: `authority, ${String(batch)} activations`,
  limit: 'bare Hono, one insert, one signature',
  goal: {},
  measure: () => {
    const bare = bareAuthority();
    const { app, ledger } = createAuthority({ database: new DatabaseSync(':memory:') });
    return alternate(
      () =>
        timePosts(
          (body) => bare.request('http://127.0.0.1/', post(body)),
          requests(() => ''),
        ),
      () =>
        timePosts(
          (body) => app.request('http://127.0.0.1/api/license/v1/activate', post(body)),
          requests(() => ledger.issue({ product_slug: 'aurora-theme' }).license),
        ),
      { rounds: 11 },
    );
  },
};

function requests(license: () => string): string[] {
  return Array.from({ length: batch }, () =>
    JSON.stringify({
      license: license(),
      domain: 'shop.example.com',
      product_slug: 'aurora-theme',
      installation_id: randomUUID(),
    }),
  );
}

async function timePosts(
  send: (body: string) => Response | Promise<Response>,
  bodies: readonly string[],
): Promise<number> {
  const from = performance.now();
  for (const body of bodies) {
    const reply = await send(body);
    if (reply.status !== 200) throw new Error(`The authority answered ${String(reply.status)}.`);
    await reply.json();
  }
  return performance.now() - from;
}

function post(body: string): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
}

function bareAuthority(): Hono {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE activation (body TEXT NOT NULL) STRICT');
  const insert = database.prepare('INSERT INTO activation VALUES (?)');
  const { privateKey } = generateKeyPairSync('ed25519');
  const app = new Hono();
  app.post('/', async (c) => {
    const body = JSON.stringify(await c.req.json());
    insert.run(body);
    const signature = sign(null, Buffer.from(body), privateKey).toString('base64url');
    return c.json({ status: 'success', signature });
  });
  return app;
}

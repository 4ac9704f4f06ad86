import { webcrypto, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import { createMemoryVault } from '#adapters/storage/page/memory-vault';
import { type Installation, createInstallation } from '#core/installation/installation';
import type { LicensingApi } from '#core/installation/ports';
import { chooseEngine } from '#core/license/signature/ed25519';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import { fingerprintOf, rawOf } from '#sandbox/authority/keys';
import { createAuthority } from '#sandbox/authority/server';
import { alternate, type Measurement, type Samples } from '#bench/measurement';
import { Hono } from 'hono';

const domain = 'shop.example.com';
const productSlug = 'aurora-theme';

/** Measures a program that has just started, within the validation period: license and certificate are verified. */
export const permitCold: Measurement = {
  name: 'permit, cold',
  limit: 'one bare Ed25519 verify',
  goal: { ratio: 2.4 },
  measure: () => measurePermit({ calls: 100, fresh: true }),
};

/** Measures a running program within the validation period: the verified documents are cached, and no request is sent. */
export const permitWarm: Measurement = {
  name: 'permit, warm',
  limit: 'one bare Ed25519 verify',
  goal: { ratio: 0.05 },
  measure: () => measurePermit({ calls: 10_000, fresh: false }),
};

/** Returns milliseconds for each hundred calls. */
async function measurePermit({
  calls,
  fresh,
}: {
  calls: number;
  fresh: boolean;
}): Promise<Samples> {
  const setup = await createPermitSetup();
  const warm = setup.open();
  const bare = async (): Promise<number> => {
    const from = performance.now();
    for (let call = 0; call < 100; call += 1) await setup.bareVerify();
    return performance.now() - from;
  };
  const ours = async (): Promise<number> => {
    const installations = Array.from({ length: calls }, () => (fresh ? setup.open() : warm));
    const from = performance.now();
    for (const installation of installations) {
      if (!(await installation.permit(setup.now)).allowed) throw new Error('It was not permitted.');
    }
    return ((performance.now() - from) * 100) / calls;
  };
  const samples = await alternate(bare, ours, { rounds: 15, warmUp: 25 });
  if (setup.asked() !== 1) throw new Error('The authority was asked within the validation period.');
  return samples;
}

async function createPermitSetup(): Promise<{
  now: number;
  open: () => Installation;
  bareVerify: () => Promise<boolean>;
  asked: () => number;
}> {
  const now = Date.now();
  const { keys, ledger, app } = createAuthority({ database: new DatabaseSync(':memory:') });
  const { publicKey } = keys.current();
  const pinned: PinnedKey = {
    id: 'bench',
    label: 'Bench',
    raw: rawOf(publicKey).toString('hex'),
    fingerprint: fingerprintOf(publicKey),
    revoked: false,
    kind: 'test',
  };
  let asked = 0;
  const ask: LicensingApi['activate'] = async (request) => {
    asked += 1;
    const reply = await app.request('http://127.0.0.1/api/license/v1/activate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        license: request.license,
        domain: request.domain,
        product_slug: request.productSlug,
        installation_id: request.installationId,
      }),
    });
    const body = new Uint8Array(await reply.arrayBuffer());
    return { ok: true, value: { status: reply.status, contentType: 'application/json', body } };
  };
  const vault = createMemoryVault();
  const engine = await chooseEngine();
  const open = (): Installation =>
    createInstallation({
      authority: { activate: ask, validate: ask },
      vault,
      keys: [pinned],
      domain,
      productSlug,
      engine,
    });
  const { license } = ledger.issue({ product_slug: productSlug });
  const activated = await open().activate(license, now);
  if (!activated.ok) throw new Error(activated.fault.kind);

  const [payload = '', signature = ''] = license.split('.');
  const raw = rawOf(publicKey);
  const key = await webcrypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  const [message, signed] = [payload, signature].map((part) => Buffer.from(part, 'base64url'));
  const bareVerify = (): Promise<boolean> =>
    webcrypto.subtle.verify('Ed25519', key, signed ?? raw, message ?? raw);
  return { now, open, bareVerify, asked: () => asked };
}

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

import { type Context, Hono } from 'hono';

import {
  createInstallation,
  createMemoryVault,
  type Installation,
  type LicensingApi,
  type Permit,
} from '#core/installation/index';
import { parsePublicKey, type PinnedKey } from '#core/keys/index';
import { type Standing, standingAt } from '#core/license/index';
import { succeed } from '#core/result';
import { dayMs, hourMs } from '#core/time/index';
import { type LifeEvent, renderLife, type ShownLife } from '#sandbox/authority/life-page';
import { toPem } from '#sandbox/authority/keys';
import type { Parts } from '#sandbox/authority/routes';

/** One license that is taken through its life, with the installation that uses it. */
interface Life extends ShownLife {
  readonly license: string;
  readonly installation: Installation;
  revoked: boolean;
  permit?: Permit;
  /** The latest moment that its clock has shown, epoch milliseconds. */
  latestSeen: number;
  readonly log: LifeEvent[];
}

const domain = 'life.example.com';
const productSlug = 'sample-product';

/**
 * Serves `/life`, where a developer can take a license through its states, with the authority's own clock and core's
 * implementation of the buyer's side. There is one life at a time, which ends with the server.
 * @param ask sends a request of the licensing API to this server
 */
export function lifeRoutes(
  { keys, settings, ledger, faults, clock }: Parts,
  ask: (path: string, init: RequestInit) => Response | Promise<Response>,
  realNow: () => number,
): Hono {
  let life: Life | undefined;

  const send =
    (endpoint: 'activate' | 'validate'): LicensingApi['activate'] =>
    async ({ license, installationId, ...request }) => {
      const reply = await ask(`/api/license/v1/${endpoint}`, {
        method: 'POST',
        headers: { host: 'localhost', 'content-type': 'application/json' },
        body: JSON.stringify({
          license,
          domain: request.domain,
          product_slug: request.productSlug,
          installation_id: installationId,
        }),
      });
      return succeed({
        status: reply.status,
        contentType: reply.headers.get('content-type') ?? '',
        body: new Uint8Array(await reply.arrayBuffer()),
      });
    };

  const standingOf = ({ permit, latestSeen }: Life): Standing =>
    standingAt({ now: clock(), latestSeen }, permit?.certificate, permit?.lastContact);

  function note(told: Life, text: string): void {
    told.latestSeen = Math.max(told.latestSeen, clock());
    told.log.unshift({ at: clock(), text, standing: standingOf(told) });
  }

  function begin(): void {
    settings.setAvailable(true);
    settings.setClockOffset(0);
    faults.clear();
    const { licenseId, license } = ledger.sample({ product_slug: productSlug, domain });
    const installation = createInstallation({
      authority: { activate: send('activate'), validate: send('validate') },
      vault: createMemoryVault(),
      keys: keys.all().flatMap(({ publicKey }) => pinned(toPem(publicKey))),
      domain,
      productSlug,
    });
    life = { licenseId, license, installation, revoked: false, latestSeen: clock(), log: [] };
    note(life, 'License issued');
  }

  function moveClock(told: Life, at: number, text: string): void {
    settings.setClockOffset(at - realNow());
    note(told, text);
  }

  async function act(told: Life, name: string): Promise<void> {
    const { installation, permit } = told;
    const certificate = permit?.certificate;
    const acts: Readonly<Record<string, () => void | Promise<void>>> = {
      async activate() {
        const result = await installation.activate(told.license, clock());
        if (result.ok) told.permit = result.value;
        note(told, result.ok ? 'Activated' : `Activation failed: ${result.fault.kind}`);
      },
      async use() {
        const found = await installation.permit(clock());
        told.permit = found;
        const why = found.refusal?.msg ?? found.fault?.kind;
        const end = why === undefined ? '' : ` (${why})`;
        note(told, `Used: ${found.allowed ? 'permitted' : 'not permitted'}${end}`);
      },
      hour() {
        moveClock(told, clock() + hourMs, 'An hour passed');
      },
      day() {
        moveClock(told, clock() + dayMs, 'A day passed');
      },
      back() {
        moveClock(told, clock() - dayMs, 'The clock was turned back by a day');
      },
      due() {
        if (certificate) moveClock(told, certificate.nextValidationAt, 'Validation became due');
      },
      end() {
        if (certificate) moveClock(told, certificate.graceUntil, 'The grace period ended');
      },
      availability() {
        settings.setAvailable(!settings.available());
        note(told, settings.available() ? 'The server is back' : 'The server is away');
      },
      revocation() {
        if (told.revoked) ledger.unrevoke(told.licenseId);
        else ledger.revoke(told.licenseId, 'from the page', 'control');
        told.revoked = !told.revoked;
        note(told, told.revoked ? 'License revoked' : 'Revocation undone');
      },
      refuse() {
        faults.add({ kind: 'refuse', times: 1, endpoint: 'any', delayMs: 0 });
        note(told, 'The next request will be refused');
      },
      fault() {
        faults.add({ kind: 'error-500', times: 1, endpoint: 'any', delayMs: 0 });
        note(told, 'The next request will fail');
      },
    };
    await (Object.hasOwn(acts, name) ? acts[name]?.() : undefined);
  }

  const page = (c: Context): Response | Promise<Response> =>
    c.html(
      renderLife({
        domain,
        life,
        standing: life && standingOf(life),
        now: clock(),
        isAvailable: settings.available(),
      }),
    );
  return new Hono().get('/life', page).post('/life', async (c) => {
    if (c.req.header('Origin') !== `http://${c.req.header('Host') ?? ''}`)
      return c.text('Not from this page.', 403);
    const { act: name } = await c.req.parseBody();
    if (name === 'issue') begin();
    else if (life !== undefined && typeof name === 'string') await act(life, name);
    return c.redirect('/life', 303);
  });
}

function pinned(pem: string): PinnedKey[] {
  const key = parsePublicKey(pem);
  if (!key.ok) return [];
  const { raw, fingerprint } = key.value;
  return [{ id: fingerprint, label: '', raw, fingerprint, revoked: false, kind: 'test' }];
}

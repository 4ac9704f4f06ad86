import { type Context, Hono } from 'hono';

import {
  type ActivationFault,
  createInstallation,
  createMemoryVault,
  type Installation,
  type LicensingApi,
  type Permit,
} from '#core/installation/index';
import { parsePublicKey, type PinnedKey } from '#core/keys/index';
import { type Standing, standingAt } from '#core/license/index';
import { fail, succeed } from '#core/result';
import { dayMs, hourMs, trustedMoment } from '#core/time/index';
import {
  endOfGrace,
  endOfWait,
  type LifeEvent,
  renderLife,
  type ShownLife,
} from '#sandbox/authority/life-page';
import { toPem } from '#sandbox/authority/keys';
import type { Parts } from '#sandbox/authority/routes';

/** One license that is taken through its life, with the installation that uses it. */
interface Life extends ShownLife {
  readonly license: string;
  readonly installation: Installation;
  revoked: boolean;
  permit?: Permit;
  askedAt?: number;
  /** The latest moment that the program has seen, epoch milliseconds; what happens between two uses it does not see. */
  latestSeen: number;
  /** How many requests the program has sent. */
  questions: number;
  readonly log: LifeEvent[];
}

const domain = 'life.example.com';
const productSlug = 'sample-product';

/**
 * Serves `/life`, where a developer can take a license through its states, with the authority's own clock and core's
 * implementation of the buyer's side. There is one life at a time, which ends with the server.
 * @param ask sends a request of the licensing API to this server
 * @param home address of the sandbox's page, to which this one leads back
 */
export function lifeRoutes(
  { keys, settings, ledger, faults, clock }: Parts,
  ask: (path: string, init: RequestInit) => Response | Promise<Response>,
  realNow: () => number,
  home: string,
): Hono {
  let life: Life | undefined;

  const send =
    (endpoint: 'activate' | 'validate'): LicensingApi['activate'] =>
    async ({ license, installationId, ...request }) => {
      if (life !== undefined) {
        life.askedAt = clock();
        life.questions += 1;
      }
      if (!settings.available()) return fail({ kind: 'unreachable' });
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

  /** Puts an event into the log. One that repeats the last one is counted there. */
  function note(told: Life, text: string): void {
    const standing = standingOf(told);
    const [last] = told.log;
    const isRepeated = last?.text === text && last.standing === standing;
    if (isRepeated) told.log.shift();
    told.log.unshift({ at: clock(), text, standing, count: isRepeated ? last.count + 1 : 1 });
  }

  /** Takes over what the program knows; a certificate that has just come sets its clock right. */
  function see(told: Life, permit: Permit, wasAsked: boolean): void {
    const isCurrent = wasAsked && permit.lastContact?.outcome === 'validated';
    told.latestSeen = isCurrent ? clock() : Math.max(told.latestSeen, clock());
    told.permit = permit;
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
    life = {
      licenseId,
      license,
      installation,
      revoked: false,
      latestSeen: clock(),
      questions: 0,
      log: [],
    };
    note(life, 'License issued');
  }

  function pass(told: Life, length: number, text: string): void {
    settings.setClockOffset(settings.clockOffset() + length);
    note(told, text);
  }

  /** Moves the clock to a moment that lies ahead; there is no way back to one that has passed. */
  function moveOn(told: Life, at: number | undefined, text: string): void {
    if (
      at === undefined ||
      at <= trustedMoment({ now: clock(), latestSeen: told.latestSeen }).moment
    )
      return;
    settings.setClockOffset(at - realNow());
    note(told, text);
  }

  const nextAnswer = (): string => faults.list()[0]?.kind ?? 'right';

  function answerNext(told: Life, answer: 'right' | 'refuse' | 'error-500', text: string): void {
    if (answer === nextAnswer()) return;
    faults.clear();
    if (answer !== 'right') faults.add({ kind: answer, times: 1, endpoint: 'any', delayMs: 0 });
    note(told, text);
  }

  function setAvailable(told: Life, isAvailable: boolean, text: string): void {
    if (isAvailable === settings.available()) return;
    settings.setAvailable(isAvailable);
    note(told, text);
  }

  async function act(told: Life, name: string): Promise<void> {
    const { installation, permit } = told;
    const certificate = permit?.certificate;
    const acts: Readonly<Record<string, () => void | Promise<void>>> = {
      async activate() {
        const result = await installation.activate(told.license, clock());
        if (result.ok) see(told, result.value, true);
        note(
          told,
          result.ok
            ? 'Activation succeeded: the server sent a certificate'
            : `Activation failed: ${reasonOf(result.fault)}`,
        );
      },
      async use() {
        const { questions } = told;
        const found = await installation.permit(clock());
        const wasAsked = told.questions > questions;
        see(told, found, wasAsked);
        const inGrace = found.standing === 'grace' ? ' in grace' : '';
        const verdict = found.allowed ? `permitted${inGrace}` : 'not permitted';
        note(told, `Used, ${verdict}: ${reasonFor(found, wasAsked)}`);
      },
      hour() {
        pass(told, hourMs, 'An hour passed');
      },
      day() {
        pass(told, dayMs, 'A day passed');
      },
      back() {
        pass(told, -dayMs, 'The clock was turned back by a day');
      },
      retry() {
        const end = endOfWait(clock(), told);
        if (end !== undefined) pass(told, end - clock(), 'The wait was over');
      },
      due() {
        moveOn(told, certificate?.nextValidationAt, 'The clock reached the next validation');
      },
      end() {
        moveOn(told, endOfGrace(permit), 'The clock reached the end of grace');
      },
      available() {
        setAvailable(told, true, 'The server answers again');
      },
      away() {
        setAvailable(told, false, 'The server went away');
      },
      right() {
        answerNext(told, 'right', 'The next answer will be right');
      },
      refuse() {
        answerNext(told, 'refuse', 'The next answer will be a refusal');
      },
      'error-500'() {
        answerNext(told, 'error-500', 'The next answer will be an error 500');
      },
      valid() {
        if (!told.revoked) return;
        told.revoked = false;
        ledger.unrevoke(told.licenseId);
        note(told, 'The revocation was undone');
      },
      revoked() {
        if (told.revoked) return;
        told.revoked = true;
        ledger.revoke(told.licenseId, 'refunded', 'control');
        note(told, 'The license was revoked');
      },
    };
    await (Object.hasOwn(acts, name) ? acts[name]?.() : undefined);
  }

  const page = (c: Context): Response | Promise<Response> =>
    c.html(
      renderLife({
        home,
        domain,
        life,
        standing: life && standingOf(life),
        now: clock(),
        isAvailable: settings.available(),
        nextAnswer: nextAnswer(),
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

/** Says why a use was permitted or not, and whether the server was asked. */
function reasonFor(found: Permit, wasAsked: boolean): string {
  const { certificate, fault, refusal, allowed, clockTurnedBack } = found;
  if (certificate === undefined) return 'the program has no certificate';
  const losesGrace = refusal === undefined && !allowed && clockTurnedBack;
  const also = losesGrace ? '; no grace, as the clock was turned back' : '';
  if (!wasAsked)
    return fault || refusal ? `it waits before it asks again${also}` : 'its certificate is enough';
  if (refusal === undefined)
    return fault ? `${reasonOf(fault)}${also}` : 'the server sent a new certificate';
  return fault
    ? `${reasonOf(fault)}; it had refused before`
    : `the server refused: “${refusal.msg}”`;
}

/** Puts a fault into words. Only some can come about on this page; the others keep their names. */
function reasonOf(fault: ActivationFault): string {
  if (fault.kind === 'refused') return `“${fault.msg}”`;
  if (fault.kind === 'unreachable') return 'the server did not answer';
  if (fault.kind === 'older-certificate')
    return 'the certificate that came is older than the present one';
  return 'status' in fault
    ? `the server answered with an error ${String(fault.status)}`
    : fault.kind;
}

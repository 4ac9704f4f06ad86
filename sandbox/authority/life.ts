import { type Context, Hono } from 'hono';
import { html } from 'hono/html';

import { createInstallation, type Installation } from '#core/installation/installation';
import { createMemoryVault, type LicensingApi } from '#core/installation/ports';
import type { Permit } from '#core/installation/permit';
import { parsePublicKey, type PinnedKey } from '#core/keys/index';
import { type Standing, standingAt } from '#core/license/index';
import { succeed } from '#core/result';
import { dayMs, hourMs, minuteMs } from '#core/time/units';
import { toPem } from '#sandbox/authority/keys';
import type { Parts } from '#sandbox/authority/routes';
import type { Html } from '#sandbox/pages/layout';

/** One license that is taken through its life, with the installation that uses it. */
interface Life {
  readonly licenseId: string;
  readonly license: string;
  readonly installation: Installation;
  revoked: boolean;
  permit?: Permit;
  /** The latest moment that its clock has shown, epoch milliseconds. */
  latestSeen: number;
  /** The latest first. */
  readonly log: { readonly at: number; readonly text: string; readonly standing: Standing }[];
}

const domain = 'life.example.com';
const productSlug = 'sample-product';

const words: Readonly<Record<Standing, string>> = {
  'not-activated': 'Not activated',
  activated: 'Activated',
  'validation-due': 'Validation due',
  grace: 'Grace',
  denied: 'Denied',
};

/**
 * Serves `/life`, on which whoever integrates an installation walks a license through its states: with the authority's own clock,
 * and the buyer's side as core has it. There is one life at a time; it ends with the server.
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
    c.html(render(life, life && standingOf(life), clock(), settings.available()));
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

function written(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function render(
  life: Life | undefined,
  standing: Standing | undefined,
  now: number,
  available: boolean,
): Html {
  const next = life === undefined ? 'issue' : standing === 'not-activated' ? 'activate' : 'use';
  const button = (act: string, label: string): Html =>
    html`<button name="act" value="${act}" class="${act === next ? 'primary' : ''}">
      ${label}
    </button>`;
  const certificate = life?.permit?.certificate;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Life of a license</title>
        <style>
          :root {
            color-scheme: light dark;
            --surface: light-dark(#fff, #1e1e29);
            --line: light-dark(#dddde6, #383847);
            --muted: light-dark(#57576b, #b0b0c2);
            --accent: light-dark(#4036c0, #aab2ff);
          }
          body {
            max-width: 60rem;
            margin: 0 auto;
            padding: 1.5rem 1rem 4rem;
            background: light-dark(#fafafc, #15151d);
            color: light-dark(#1d1d2b, #ededf4);
            font: 0.9375rem/1.5 system-ui;
          }
          h1,
          h2,
          h3,
          p {
            margin: 0 0 0.5rem;
            line-height: 1.3;
          }
          h1 {
            font-size: 1.5rem;
          }
          h2 {
            font-size: 1.25rem;
          }
          h3 {
            font-size: inherit;
          }
          .buttons {
            display: flex;
            flex-wrap: wrap;
            gap: 0.5rem;
            margin-block-end: 1rem;
          }
          .card > .meta {
            margin-block-end: 1rem;
          }
          .card > :last-child {
            margin-block-end: 0;
          }
          [data-standing='activated'] h2 {
            color: light-dark(#0b6b3a, #7fd6a3);
          }
          [data-standing='denied'] h2 {
            color: light-dark(#b3261e, #ff9f98);
          }
          :is([data-standing='validation-due'], [data-standing='grace']) h2 {
            color: light-dark(#8a4b00, #f5bd6b);
          }
          .card {
            margin: 1rem 0;
            padding: 1rem 1.25rem;
            border: 1px solid var(--line);
            border-radius: 10px;
            background: var(--surface);
          }
          button {
            padding: 0.3rem 0.8rem;
            border: 1px solid var(--line);
            border-radius: 6px;
            background: none;
            color: var(--accent);
            font: inherit;
          }
          button:hover {
            border-color: var(--accent);
          }
          .primary {
            background: var(--accent);
            color: var(--surface);
          }
          svg {
            width: 100%;
            height: 2rem;
            color: var(--muted);
          }
          svg .now,
          tr.now td {
            color: var(--accent);
          }
          table {
            border-collapse: collapse;
          }
          td {
            padding: 0.15rem 1.5rem 0.15rem 0;
            vertical-align: top;
          }
          td:is(:first-child, :nth-child(3)),
          .meta {
            color: var(--muted);
          }
          @media (width < 40rem) {
            table,
            tbody {
              display: block;
            }
            tr {
              display: flex;
              flex-wrap: wrap;
              gap: 0 1rem;
              padding-block: 0.4rem;
              border-block-start: 1px solid var(--line);
            }
            tr:first-child {
              border: 0;
            }
            td {
              padding: 0;
            }
          }
        </style>
      </head>
      <body>
        <main data-standing="${standing ?? ''}">
          <h1>Life of a license</h1>
          <p>
            A sample license, an installation at ${domain} that uses it, and this server with its
            clock. The buttons are what a buyer’s program, time and the world do; how the license
            stands, its times and what happened are shown below them.
          </p>
          <form method="post">
            <p class="buttons">
              ${button('issue', life === undefined ? 'Issue a license' : 'Begin again')}
            </p>
            ${
              life === undefined || standing === undefined
                ? ''
                : html`<div class="card">
                    <h2 role="status">${words[standing]}</h2>
                    <p class="meta">
                      The clock says <time>${written(now)}</time>; the server is
                      ${available ? 'there' : 'away'}; license ${life.licenseId}.
                    </p>
                    <h3>The buyer’s program</h3>
                    ${
                      life.permit?.fault &&
                      html`<p>It waits after a failure before it asks again: let an hour pass.</p>`
                    }
                    <p class="buttons">
                      ${button('activate', 'Activate')} ${button('use', 'Use the product')}
                    </p>
                    <h3>Time</h3>
                    <p class="buttons">
                      ${button('hour', 'An hour on')}${button('day', 'A day on')}
                      ${certificate && button('due', 'To the next validation')}
                      ${certificate && button('end', 'To the end of grace')}
                      ${button('back', 'A day back')}
                    </p>
                    <h3>The server</h3>
                    <p class="buttons">
                      ${button('availability', available ? 'Take it away' : 'Bring it back')}
                      ${button('revocation', life.revoked ? 'Undo the revocation' : 'Revoke')}
                      ${button('refuse', 'Refuse the next request')}
                      ${button('fault', 'Fail the next request')}
                    </p>
                  </div>`
            }
          </form>
          ${
            certificate &&
            timeline([
              ...(certificate.issuedAt === undefined
                ? []
                : [{ name: 'issued', at: certificate.issuedAt }]),
              { name: 'validation due', at: certificate.nextValidationAt },
              { name: 'grace ends', at: certificate.graceUntil },
              { name: 'now', at: now },
            ])
          }
          ${
            life &&
            html`<section class="card">
              <h3>What happened</h3>
              <table>
                ${life.log.map(
                  ({ at, text, standing: then }) =>
                    html`<tr>
                      <td><time>${written(at)}</time></td>
                      <td>${text}</td>
                      <td>${words[then]}</td>
                    </tr>`,
                )}
              </table>
            </section>`
          }
        </main>
      </body>
    </html>`;
}

/** Draws moments as ticks on a line, and lists them below it in the same order. */
function timeline(moments: readonly { readonly name: string; readonly at: number }[]): Html {
  const sorted = moments.toSorted((one, other) => one.at - other.at);
  const first = sorted[0]?.at ?? 0;
  const length = Math.max((sorted.at(-1)?.at ?? 0) - first, minuteMs);
  return html`<section class="card">
    <h3>Times</h3>
    <svg viewBox="0 0 1000 32" preserveAspectRatio="none" aria-hidden="true">
      <path d="M0 16H1000" stroke="currentColor" vector-effect="non-scaling-stroke" />
      ${sorted.map(({ name, at }) => {
        const x = Math.round(2 + ((at - first) / length) * 996);
        return html`<path
          class="${name}"
          d="M${x} 4V28"
          stroke="currentColor"
          stroke-width="2"
          vector-effect="non-scaling-stroke"
        />`;
      })}
    </svg>
    <table>
      ${sorted.map(
        ({ name, at }) =>
          html`<tr class="${name}">
            <td><time>${written(at)}</time></td>
            <td>${name}</td>
          </tr>`,
      )}
    </table>
  </section>`;
}

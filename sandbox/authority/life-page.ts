import { html } from 'hono/html';

import type { Permit } from '#core/installation/index';
import type { Standing, VerifiedCertificate } from '#core/license/index';
import { minuteMs } from '#core/time/index';
import type { Html } from '#sandbox/pages/layout';

/** The view of a license that goes through its life. */
export interface ShownLife {
  readonly licenseId: string;
  readonly revoked: boolean;
  readonly permit?: Permit;
  /** Newest first. */
  readonly log: readonly LifeEvent[];
}

export interface LifeEvent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
  /** The standing of the installation after it. */
  readonly standing: Standing;
}

interface LifeState {
  readonly domain: string;
  /** Undefined until a license was issued. */
  readonly life: ShownLife | undefined;
  readonly standing: Standing | undefined;
  /** The time of the authority's clock, epoch milliseconds. */
  readonly now: number;
  readonly isAvailable: boolean;
}

const words: Readonly<Record<Standing, string>> = {
  'not-activated': 'Not activated',
  activated: 'Activated',
  'validation-due': 'Validation due',
  grace: 'Grace',
  denied: 'Denied',
};

/** Renders the page on which a license is taken through its life. */
export function renderLife(state: LifeState): Html {
  const { domain, life, standing, now } = state;
  const certificate = life?.permit?.certificate;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Life of a license</title>
        ${style}
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
              ${button('issue', life === undefined ? 'Issue a license' : 'Begin again', life === undefined)}
            </p>
            ${life && standing && controls(state, life, standing)}
          </form>
          ${certificate && timeline(momentsOf(certificate, now))} ${life && history(life)}
        </main>
      </body>
    </html>`;
}

function controls({ now, isAvailable }: LifeState, life: ShownLife, standing: Standing): Html {
  const certificate = life.permit?.certificate;
  const isNew = standing === 'not-activated';
  return html`<div class="card">
    <h2 role="status">${words[standing]}</h2>
    <p class="meta">
      The clock says <time>${written(now)}</time>; the server is ${isAvailable ? 'there' : 'away'};
      license ${life.licenseId}.
    </p>
    <h3>The buyer’s program</h3>
    ${
      life.permit?.fault &&
      html`<p>It waits after a failure before it asks again: let an hour pass.</p>`
    }
    <p class="buttons">
      ${button('activate', 'Activate', isNew)} ${button('use', 'Use the product', !isNew)}
    </p>
    <h3>Time</h3>
    <p class="buttons">
      ${button('hour', 'An hour on')}${button('day', 'A day on')}
      ${certificate && button('due', 'To the next validation')}
      ${certificate && button('end', 'To the end of grace')} ${button('back', 'A day back')}
    </p>
    <h3>The server</h3>
    <p class="buttons">
      ${button('availability', isAvailable ? 'Take it away' : 'Bring it back')}
      ${button('revocation', life.revoked ? 'Undo the revocation' : 'Revoke')}
      ${button('refuse', 'Refuse the next request')} ${button('fault', 'Fail the next request')}
    </p>
  </div>`;
}

/** @param isNext whether it is the next step in the life of a license */
function button(act: string, label: string, isNext = false): Html {
  return html`<button name="act" value="${act}" class="${isNext ? 'primary' : ''}">
    ${label}
  </button>`;
}

function history({ log }: ShownLife): Html {
  return html`<section class="card">
    <h3>What happened</h3>
    <table>
      ${log.map(
        ({ at, text, standing: then }) =>
          html`<tr>
            <td><time>${written(at)}</time></td>
            <td>${text}</td>
            <td>${words[then]}</td>
          </tr>`,
      )}
    </table>
  </section>`;
}

function momentsOf(certificate: VerifiedCertificate, now: number): Moment[] {
  const { issuedAt, nextValidationAt, graceUntil } = certificate;
  return [
    ...(issuedAt === undefined ? [] : [{ name: 'issued', at: issuedAt }]),
    { name: 'validation due', at: nextValidationAt },
    { name: 'grace ends', at: graceUntil },
    { name: 'now', at: now },
  ];
}

interface Moment {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Draws moments as ticks on a line, and lists them below it in the same order. */
function timeline(moments: readonly Moment[]): Html {
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

function written(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const style = html`<style>
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
    td:nth-child(2):not(:last-child) {
      flex-basis: 100%;
      order: 1;
    }
    td:nth-child(3) {
      margin-inline-start: auto;
    }
  }
</style>`;

import { html, raw } from 'hono/html';

import type { Permit } from '#core/installation/index';
import type { Standing } from '#core/license/index';
import { minuteMs, trustedMoment } from '#core/time/index';
import { script, style } from '#sandbox/authority/life-assets';
import type { Html } from '#sandbox/pages/layout';

/** The view of a license that goes through its life. */
export interface ShownLife {
  readonly licenseId: string;
  readonly revoked: boolean;
  readonly permit?: Permit;
  /** The latest moment that the program has seen, epoch milliseconds. */
  readonly latestSeen: number;
  /** When the program last asked the server, epoch milliseconds. */
  readonly askedAt?: number;
  /** Newest first. */
  readonly log: readonly LifeEvent[];
}

export interface LifeEvent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
  /** The standing of the installation after it. */
  readonly standing: Standing;
  /** How often it happened in a row. */
  readonly count: number;
}

interface LifeState {
  /** Address of the sandbox's page. */
  readonly home: string;
  readonly domain: string;
  /** Undefined until a license was issued. */
  readonly life: ShownLife | undefined;
  readonly standing: Standing | undefined;
  /** The time of the authority's clock, epoch milliseconds. */
  readonly now: number;
  readonly isAvailable: boolean;
  /** `right`, or the kind of fault that the server answers the next request with. */
  readonly nextAnswer: string;
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
  const { home, domain, life, standing } = state;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Life of a license</title>
        <link rel="icon" href="data:," />
        ${style}
        <script type="module">
          ${raw(script)};
        </script>
      </head>
      <body>
        <p class="home"><a href="${home}">Counterfoil sandbox</a></p>
        <h1>Life of a license</h1>
        <p>
          A sample license, an installation at ${domain} that uses it, and this server with its
          clock. Press what a buyer’s program, time and the world do, and see how the license
          stands.
        </p>
        <p class="news" role="status"></p>
        <main data-standing="${standing ?? ''}">
          <form method="post">
            <p class="buttons">
              ${button('issue', life === undefined ? 'Issue a license' : 'Begin again', life === undefined ? 'primary' : '')}
            </p>
            ${life && standing && controls(state, life, standing)}
          </form>
          ${life && times(state, life)} ${life && history(life)}
        </main>
      </body>
    </html>`;
}

function controls(state: LifeState, life: ShownLife, standing: Standing): Html {
  const { now, isAvailable, nextAnswer } = state;
  const certificate = life.permit?.certificate;
  const isNew = certificate === undefined;
  const waitsUntil = endOfWait(now, life);
  const isWaiting = waitsUntil !== undefined;
  const passed = trustedMoment({ now, latestSeen: life.latestSeen }).moment;
  const ahead = (moment: number | undefined): 'off' | '' =>
    moment === undefined || moment <= passed ? 'off' : '';
  return html`<section class="card controls">
    <h2>${words[standing]}</h2>
    <p class="latest">${life.log[0] && happened(life.log[0])}</p>
    <p class="meta">License ${life.licenseId}</p>
    <h3>The buyer’s program</h3>
    <p class="meta hint" data-until="${String(waitsUntil ?? '')}">${programHint(state, life)}</p>
    <p class="buttons">
      ${button('activate', 'Activate', isNew ? 'primary' : '')}
      ${button('use', 'Use the product', isNew || isWaiting ? '' : 'primary')}
    </p>
    <h3>Time</h3>
    <p class="meta">
      The clock says <time class="clock" data-now="${String(now)}">${toTheSecond(now)}</time> UTC.
    </p>
    <p class="buttons">
      ${button('hour', 'An hour on')} ${button('day', 'A day on')} ${button('back', 'A day back')}
      ${button('retry', 'On to when it asks again', isWaiting ? 'primary' : 'off')}
      ${button('due', 'On to the next validation', ahead(certificate?.nextValidationAt))}
      ${button('end', 'On to the end of grace', ahead(endOfGrace(life.permit)))}
    </p>
    <h3>The world</h3>
    ${choice('Server', [
      ['available', 'Answers', isAvailable],
      ['away', 'Is away', !isAvailable],
    ])}
    ${choice('Its next answer', [
      ['right', 'Right', nextAnswer === 'right'],
      ['refuse', 'A refusal', nextAnswer === 'refuse'],
      ['error-500', 'An error 500', nextAnswer === 'error-500'],
    ])}
    ${choice('License', [
      ['valid', 'Valid', !life.revoked],
      ['revoked', 'Revoked', life.revoked],
    ])}
  </section>`;
}

/** Says what the program would do if its product were used now. */
function programHint({ now }: LifeState, life: ShownLife): string {
  const { permit, latestSeen, log } = life;
  const certificate = permit?.certificate;
  if (permit === undefined || certificate === undefined)
    return 'It has no certificate yet: it asks for one when it is activated.';
  const { moment, turnedBack } = trustedMoment({ now, latestSeen });
  if (permit.standing === 'activated' && moment < certificate.nextValidationAt)
    return `Its next validation is on ${written(certificate.nextValidationAt)}; until then its certificate is enough.`;
  const waitsUntil = endOfWait(now, life);
  const next =
    waitsUntil === undefined
      ? 'asks the server at the next use.'
      : `asks again from ${toTheSecond(waitsUntil).slice(isSameDay(now, waitsUntil) ? 11 : 0)} UTC on.`;
  if (turnedBack && refusedAt(permit) === undefined)
    return `It goes by the later time that it has seen: no grace. It ${next}`;
  if (waitsUntil !== undefined)
    return `It ${permit.fault === undefined ? 'was refused' : 'asked in vain'}, and ${next}`;
  const wasAhead = log.some(({ at }) => trustedMoment({ now, latestSeen: at }).turnedBack);
  return `${wasAhead && latestSeen <= now ? 'It did not run while the clock was ahead. ' : ''}It ${next}`;
}

function isSameDay(one: number, other: number): boolean {
  return toTheSecond(one).slice(0, 10) === toTheSecond(other).slice(0, 10);
}

/** Returns until when the program does not ask again, epoch milliseconds; undefined if it may ask now. */
export function endOfWait(now: number, { permit, askedAt = 0 }: ShownLife): number | undefined {
  const { retryAt = 0 } = permit ?? {};
  return now < retryAt && now >= askedAt ? Math.ceil(retryAt) : undefined;
}

/** @param kind `primary`: the next step in the life of a license; `off`: not possible now */
function button(act: string, label: string, kind: 'primary' | 'off' | '' = ''): Html {
  return html`<button
    name="act"
    value="${act}"
    class="${kind}"
    aria-disabled="${String(kind === 'off')}"
  >
    ${label}
  </button>`;
}

/** Renders buttons of which one is pressed. */
function choice(
  name: string,
  options: readonly (readonly [act: string, label: string, isChosen: boolean])[],
): Html {
  return html`<p class="choice" role="group" aria-label="${name}">
    <span class="meta">${name}</span>
    <span class="options">
      ${options.map(
        ([act, label, isChosen]) =>
          html`<button name="act" value="${act}" aria-pressed="${String(isChosen)}">
            ${label}
          </button>`,
      )}
    </span>
  </p>`;
}

/** Returns when the grace period ends, epoch milliseconds. After a refusal that came before, there is none. */
export function endOfGrace(permit: Permit | undefined): number | undefined {
  const graceUntil = permit?.certificate?.graceUntil;
  return (refusedAt(permit) ?? Infinity) >= (graceUntil ?? 0) ? graceUntil : undefined;
}

/** Returns when the server refused, epoch milliseconds, if that was its last answer. */
function refusedAt(permit: Permit | undefined): number | undefined {
  return permit?.lastContact?.outcome === 'refused' ? permit.lastContact.at : undefined;
}

function happened({ text, count }: LifeEvent): string {
  return count === 1 ? text : `${text} (${String(count)} times)`;
}

function history({ log }: ShownLife): Html {
  return html`<section class="card log">
    <h3>What happened</h3>
    <table>
      <thead>
        <tr>
          <th>UTC</th>
          <th>Event</th>
          <th>Standing</th>
        </tr>
      </thead>
      <tbody>
        ${log.map(
          (event) =>
            html`<tr>
              <td><time>${toTheSecond(event.at)}</time></td>
              <td>${happened(event)}</td>
              <td class="${event.standing}">${words[event.standing]}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

interface Moment {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Draws the license's moments from top to bottom, each with its name, and with the time that lies between them. */
function times({ now }: LifeState, { permit, latestSeen }: ShownLife): Html {
  const certificate = permit?.certificate;
  if (certificate === undefined)
    return html`<section class="card times">
      <h3>Times</h3>
      <p class="meta">The certificate brings them. There is none yet.</p>
    </section>`;
  const graceEnd = endOfGrace(permit);
  const moments = [
    { name: 'certificate issued', at: certificate.issuedAt },
    { name: 'validation due', at: certificate.nextValidationAt },
    { name: 'grace ends', at: graceEnd },
    {
      name: graceEnd === undefined ? 'last refused (no grace)' : 'last refused',
      at: refusedAt(permit),
    },
    {
      name: 'last seen by the program',
      at: trustedMoment({ now, latestSeen }).turnedBack ? latestSeen : undefined,
    },
    { name: 'now', at: now },
  ].flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at }]));
  return html`<section class="card times">
    <h3>Times</h3>
    <ol>
      ${together(moments).map((moment, index, all) => {
        const before = all[index - 1];
        return html`${before && html`<li class="between">${lengthBetween(before.at, moment.at)}</li>`}
          <li class="${moment.names.includes('now') ? 'now' : moment.at < now ? 'past' : 'ahead'}">
            <span>${moment.names.join(', ')}</span> <time>${written(moment.at)}</time>
          </li>`;
      })}
    </ol>
  </section>`;
}

/** Sorts moments, and puts those together that are less than a minute apart. */
function together(moments: readonly Moment[]): { at: number; names: string[] }[] {
  const places: { at: number; names: string[] }[] = [];
  for (const { name, at } of moments.toSorted((one, other) => one.at - other.at)) {
    const last = places.at(-1);
    if (last !== undefined && at - last.at < minuteMs) last.names.push(name);
    else places.push({ at, names: [name] });
  }
  return places;
}

/** Tells the time between two moments exactly, and from a day on to the hour: `6 days, 23 hours`. */
function lengthBetween(from: number, to: number): string {
  const minutes = Math.round((to - from) / minuteMs);
  const hours = minutes < 24 * 60 ? Math.floor(minutes / 60) : Math.round(minutes / 60);
  const parts: readonly (readonly [unit: string, count: number])[] = [
    ['day', Math.floor(hours / 24)],
    ['hour', hours % 24],
    ['minute', hours < 24 ? minutes % 60 : 0],
  ];
  return parts
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => inUnit(unit, count))
    .join(', ');
}

function inUnit(unit: string, count: number): string {
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

function written(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The page's script writes the clock in the same way. */
function toTheSecond(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

import { Hono } from 'hono';
import { html } from 'hono/html';
import { secureHeaders } from 'hono/secure-headers';

import type { RunningAuthority } from '#sandbox/authority/server';
import type { SandboxEnvironment } from '#sandbox/seller/request-log';
import { indexPage } from '#sandbox/pages/index-page';
import {
  messageCard,
  renderDeskPage,
  ticketPage,
  appPage,
  appScript,
  shapesPage,
} from '#sandbox/pages/help-desk';
import { dayPage, dayScript } from '#sandbox/pages/day-desk';
import type { AllTokens } from '#sandbox/marketplaces/marketplaces';
import { type Html, layout } from '#sandbox/pages/layout';
import { dayTickets } from '#sandbox/seed/day';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type Message, type Ticket, tickets } from '#sandbox/seed/tickets';
import type { SellerStore } from '#sandbox/seller/seller-store';

/** Renders a ticket as in web mail: each mail in its own frame, each line in its own block, and quotations indented. */
function mailPage(ticket: Ticket): Html {
  return layout(
    `${String(ticket.id)} ${ticket.subject}`,
    html`<nav aria-label="Help desk"><a href="/desk">All tickets</a></nav>
      <main>
        <h1 dir="auto">${ticket.subject}</h1>
        ${ticket.messages.map(
          (message, index) =>
            html`<section aria-label="Mail ${String(index + 1)}">
              <p class="meta">${message.from === 'agent' ? 'Support' : ticket.customer}</p>
              ${index === 0 ? mailBody(message) : mailFrame(message)}
            </section>`,
        )}
      </main>`,
  );
}

async function mailFrame(message: Message): Promise<Awaited<Html>> {
  const inner = await html`<!doctype html>
    <meta charset="utf-8" />
    <title>Mail</title>
    <link rel="stylesheet" href="/sandbox.css" />
    ${mailBody(message)}`;
  return html`<iframe
    title="Mail"
    width="100%"
    height="220"
    srcdoc="${inner.toString()}"
  ></iframe>`;
}

function mailBody({ text, code }: Message): Html {
  return html`${text.split('\n').map((line) => html`<div dir="auto">${line === '' ? html`<br />` : line}</div>`)}
  ${code === undefined ? '' : html`<pre>${code}</pre>`}`;
}

const demo = sampleCodes('/demo');
const threadCodes = [demo.supported, demo.lapsed, demo.noSupport, demo.unknown];

/** Renders a long thread: `count` messages, with a code in every fiftieth. */
function threadPage(count: number, now: number): Html {
  return layout(
    `A thread of ${String(count)} messages`,
    html`<main data-desk>
      <h1>A thread of ${String(count)} messages</h1>
      ${Array.from({ length: count }, (_, index) => messageCard(messageAt(index, count), 'Ruairí', now))}
    </main>`,
  );
}

function messageAt(index: number, count: number): Message {
  const code =
    index % 50 === 10 ? threadCodes[Math.floor(index / 50) % threadCodes.length] : undefined;
  const text =
    code === undefined
      ? `Attempt ${String(index + 1)}: the same as before, on version 2.4.${String(index % 10)}.\n\nRegards`
      : `Again, my code: ${code}\n\nRegards`;
  return { from: index % 3 === 1 ? 'agent' : 'customer', hoursAgo: count - index, text };
}

/** Serves the pages for people: `/`, the help desk, and the demo page of every item. */
export function createPages(parts: {
  readonly store: SellerStore;
  readonly tokens: AllTokens;
  /** The control API's token; the buttons of the page at `/` use it. */
  readonly controlToken: string;
  /** The license authority, while one runs: tickets link to its sample files. */
  readonly authority: () => RunningAuthority | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}): Hono<SandboxEnvironment> {
  const { store, tokens, controlToken, authority, now } = parts;
  const pages = new Hono<SandboxEnvironment>({ strict: false });

  pages.get('/sandbox.css', (c) => c.body(style, 200, { 'content-type': 'text/css' }));
  pages.get('/sandbox.js', (c) => c.body(script, 200, { 'content-type': 'text/javascript' }));

  pages.get('/', policy, (c) => {
    const url = new URL(c.req.url);
    const keys = store.apiKeys();
    return c.html(indexPage({ keys, tokens, controlToken, authority: authority(), url }));
  });

  pages.get('/desk', policy, (c) => c.html(renderDeskPage(tickets)));
  pages.get('/desk/tickets/:id{\\d+}', policy, (c) => {
    const all: readonly Ticket[] = [...tickets, ...dayTickets];
    const ticket = all.find(({ id }) => String(id) === c.req.param('id'));
    return ticket === undefined
      ? c.notFound()
      : c.html(ticketPage(ticket, now(), authority() !== undefined));
  });
  // From the desk's own origin, as real desks serve what customers attach.
  pages.get('/desk/files/:name', (c) => {
    const from = authority()?.origin;
    return from === undefined
      ? c.notFound()
      : fetch(`${from}/samples/${encodeURIComponent(c.req.param('name'))}`);
  });
  pages.get('/desk/app', (c) => c.redirect('/desk/app/1041'));
  pages.get('/desk/app/:id{\\d+}', policy, (c) => c.html(appPage()));
  pages.get('/desk/app.js', (c) => c.body(appScript, 200, { 'content-type': 'text/javascript' }));
  pages.get('/desk/tickets.json', (c) => c.json(tickets));
  pages.get('/desk/day', (c) => c.redirect('/desk/day/2001'));
  pages.get('/desk/day/:id{\\d+}', policy, (c) => c.html(dayPage()));
  pages.get('/desk/day.js', (c) => c.body(dayScript, 200, { 'content-type': 'text/javascript' }));
  pages.get('/desk/day.json', (c) => c.json(dayTickets));
  pages.get('/desk/mail/:id{\\d+}', policy, (c) => {
    const ticket = tickets.find(({ id }) => String(id) === c.req.param('id'));
    return ticket === undefined ? c.notFound() : c.html(mailPage(ticket));
  });
  pages.get('/desk/shapes', policy, (c) => c.html(shapesPage()));
  pages.get('/desk/thread/:count{\\d{1,5}}', policy, (c) =>
    c.html(threadPage(Number(c.req.param('count')), now())),
  );

  pages.get('/preview/:account/:item{\\d{1,15}}', policy, (c) => {
    const item = store.item(c.req.param('account'), Number(c.req.param('item')));
    if (item === undefined) return c.notFound();
    const body = html`<main>
      <h1 dir="auto">${item.name}</h1>
      <p>The demo of an item in the sandbox.</p>
    </main>`;
    return c.html(layout(item.name, body));
  });
  return pages;
}

/** These pages show the keys, so nothing else may frame them or run in them. */
const policy = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    connectSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    mediaSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  strictTransportSecurity: false,
  referrerPolicy: 'no-referrer',
  xFrameOptions: 'DENY',
});

/** Styles the sandbox's own pages. */
const style = `:root {
  color-scheme: light dark;
  --bg: light-dark(#fafafc, #15151d);
  --surface: light-dark(#fff, #1e1e29);
  --line: light-dark(#dddde6, #383847);
  --ink: light-dark(#1d1d2b, #ededf4);
  --muted: light-dark(#57576b, #b0b0c2);
  --accent: light-dark(#4036c0, #aab2ff);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--bg); color: var(--ink); font: 0.9375rem/1.5 ui-sans-serif, system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.5rem; }
h2 { font-size: 1.125rem; margin: 0 0 0.5rem; }
h3 { font-size: 0.9375rem; margin: 1rem 0 0.25rem; }
@media (min-width: 40rem) { header > nav { position: sticky; top: 0; } .copyable code { min-width: 22rem; } }
header:has(nav) { display: contents; }
header:has(nav) > nav { background: var(--bg); padding-block: 0.5rem; border-block-end: 1px solid var(--line); margin-block-end: 1rem; }
section { scroll-margin-top: 3rem; }
details { border-block-start: 1px solid var(--line); padding-block: 0.5rem; }
details[open] { padding-block-end: 1rem; }
summary { font-weight: 700; cursor: pointer; width: fit-content; }
details > :nth-child(2) { margin-block-start: 0.5rem; }
details ul { margin-block-end: 0; padding-inline-start: 1.25rem; }
p { margin: 0 0 0.75rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; margin: 0; padding: 0; }
section, .card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(8rem, 16rem) 1fr; gap: 0.375rem 1rem; margin: 0; align-items: baseline; }
dt { color: var(--muted); }
dd { margin: 0; min-width: 0; }
code, pre { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: 0.875em; }
pre { white-space: pre-wrap; margin: 0 0 0.75rem; }
.copyable { display: inline-flex; gap: 0.5rem; align-items: baseline; }
.copyable code { user-select: all; overflow-wrap: anywhere; white-space: pre-wrap; }
button { flex: none; white-space: nowrap; font: inherit; font-size: 0.8125rem; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); color: var(--accent); cursor: pointer; }
table { width: 100%; border-collapse: collapse; }
table.card { overflow-wrap: break-word; }
iframe { border: 1px solid var(--line); border-radius: 6px; }
th, td { text-align: start; padding: 0.5rem 0.75rem; border-block-end: 1px solid var(--line); vertical-align: top; }
td:first-child, th { white-space: nowrap; }
th { color: var(--muted); font-weight: 700; }
blockquote { margin: 0 0 0.75rem; padding-inline-start: 0.75rem; border-inline-start: 3px solid var(--line); color: var(--muted); }
.card > :last-child { margin-block-end: 0; }
button:hover { border-color: var(--accent); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.buttons button, [data-clear-faults] { padding: 0.25rem 0.75rem; }
select { font: inherit; padding: 0.25rem 0.5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); color: var(--ink); }
@media (min-width: 50rem) {
  #root main > nav { float: inline-start; width: 16rem; border: 0; }
  #root main > nav li { width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  #root nav ~ :not(main) { margin-inline-start: 18rem; }
}
#root nav { padding-block-end: 0.75rem; border-block-end: 1px solid var(--line); margin-block-end: 1rem; }
nav [aria-current] { color: var(--ink); font-weight: 700; text-decoration: none; }
[data-composer] :is(label, .label) { display: block; color: var(--muted); font-size: 0.875rem; margin: 0 0 0.25rem; }
[data-composer] textarea { width: 100%; min-height: 5lh; field-sizing: content; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); color: var(--ink); font: inherit; margin: 0 0 0.75rem; }
[contenteditable] { padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); margin: 0; }
.meta { color: var(--muted); font-size: 0.875rem; }
.mails { list-style: none; margin: 0; padding: 0; }
.mails li { display: flex; gap: 0.25rem; }
.mails a { flex: none; }
.tight { line-height: 1; }
.untouchable span { pointer-events: none; }
nav + main, nav ~ main { display: block; margin-block-start: 1rem; }
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; }
  dt { margin-block-start: 0.5rem; }
  tr { display: grid; padding: 0.5rem 0.75rem; border-block-end: 1px solid var(--line); }
  #root nav ul { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap; mask-image: linear-gradient(to right, black calc(100% - 2rem), transparent); }
  tr:has(th), table.card tr:has(th) { display: none; }
  td { padding: 0; border: 0; }
  td:first-child { white-space: normal; }
  td:is(:first-child, :nth-child(n + 3)) { color: var(--muted); }
  table.card tr { grid-template-columns: auto minmax(0, 1fr); column-gap: 0.5rem; align-items: baseline; }
  table.card td:nth-child(n + 3) { grid-column: 1 / -1; font-size: 0.875rem; }
  .mails li { flex-wrap: wrap; }
  .mails a { flex: initial; }
}
`;

/** Makes the buttons work that copy a value or inject a fault. */
const script = `document.addEventListener('click', async (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  if (button.dataset.copy !== undefined) {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    return;
  }
  const faults = button.closest('[data-control-token]');
  if (!faults) return;
  const base = faults.querySelector('select').value;
  const status = faults.querySelector('[role=status]');
  const fault = button.dataset.inject;
  const done = await fetch('/control/faults', {
    method: fault ? 'POST' : 'DELETE',
    headers: { authorization: 'Bearer ' + faults.dataset.controlToken },
    ...(fault && { body: JSON.stringify({ base, fault }) }),
  }).then(({ ok }) => ok, () => false);
  if (!done) status.textContent = 'The sandbox did not take it. Was it started anew? Then reload this page.';
  else if (fault) status.textContent = 'Next answer of ' + base + ': ' + button.textContent + '.';
  else status.textContent = 'No fault waits. Every answer is right.';
});
`;

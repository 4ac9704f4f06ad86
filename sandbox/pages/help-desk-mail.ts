import { html } from 'hono/html';

import type { Html } from '#sandbox/pages/html';
import { layout } from '#sandbox/pages/layout';
import type { Message, Ticket } from '#sandbox/seed/ticket';

/**
 * Renders a ticket as web mail shows it: each mail in a frame of its own, each of its lines in a block of its own, what is
 * quoted indented.
 */
export function mailPage(ticket: Ticket): Html {
  return layout(
    `${String(ticket.id)} ${ticket.subject}`,
    html`<nav aria-label="Help desk"><a href="/desk">All tickets</a></nav>
      <main>
        <h1 dir="auto">${ticket.subject}</h1>
        ${ticket.messages.map(
          (message, index) =>
            html`<section aria-label="Mail ${String(index + 1)}">
              <p class="meta">${message.from === 'agent' ? 'Support' : ticket.customer}</p>
              ${index === 0 ? body(message) : frame(message)}
            </section>`,
        )}
      </main>`,
  );
}

async function frame(message: Message): Promise<Awaited<Html>> {
  const inner = await html`<!doctype html>
    <meta charset="utf-8" />
    <title>Mail</title>
    <link rel="stylesheet" href="/sandbox.css" />
    ${body(message)}`;
  return html`<iframe
    title="Mail"
    width="100%"
    height="220"
    srcdoc="${inner.toString()}"
  ></iframe>`;
}

function body({ text, code }: Message): Html {
  return html`${text.split('\n').map((line) => html`<div dir="auto">${line === '' ? html`<br />` : line}</div>`)}
  ${code === undefined ? '' : html`<pre>${code}</pre>`}`;
}

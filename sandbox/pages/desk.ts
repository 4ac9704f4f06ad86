import { html } from 'hono/html';

import type { Html } from '#sandbox/pages/html';
import { layout } from '#sandbox/pages/layout';
import type { Message, Ticket } from '#sandbox/seed/ticket';

/** The help desk's queue. */
export function deskPage(tickets: readonly Ticket[]): Html {
  return layout(
    'Help desk',
    html`<main>
      <h1>Help desk</h1>
      <p>A sample queue: tickets with purchase codes in every shape.</p>
      <table class="card">
        <thead>
          <tr>
            <th scope="col">Ticket</th>
            <th scope="col">Subject</th>
            <th scope="col">Customer</th>
            <th scope="col">What is in it</th>
          </tr>
        </thead>
        <tbody>
          ${tickets.map(
            ({ id, subject, customer, holds }) =>
              html`<tr>
                <td>${String(id)}</td>
                <td dir="auto"><a href="/desk/tickets/${String(id)}">${subject}</a></td>
                <td dir="auto">${customer}</td>
                <td>${holds}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </main>`,
  );
}

/** @param now epoch milliseconds */
export function ticketPage(ticket: Ticket, now: number): Html {
  return layout(
    `${String(ticket.id)} ${ticket.subject}`,
    html`<nav aria-label="Help desk"><a href="/desk">All tickets</a></nav>
      <main data-ticket="${String(ticket.id)}">
        <h1 dir="auto">${ticket.subject}</h1>
        <p class="meta">Ticket ${String(ticket.id)}, from <bdi>${ticket.customer}</bdi></p>
        ${ticket.messages.map((message) => messageCard(message, ticket.customer, now))}
      </main>`,
  );
}

function messageCard(message: Message, customer: string, now: number): Html {
  const sent = new Date(now - message.hoursAgo * 3_600_000).toISOString();
  return html`<article class="card">
    <p class="meta">
      <bdi>${message.from === 'agent' ? 'Support' : customer}</bdi>,
      <time datetime="${sent}">${sent.slice(0, 16).replace('T', ' ')} UTC</time>
    </p>
    ${message.text.split('\n\n').map(paragraph)}
    ${message.code === undefined ? '' : html`<pre><code>${message.code}</code></pre>`}
  </article>`;
}

function paragraph(text: string): Html {
  return html`${quoteRuns(text.split('\n')).map(({ lines, depth }) =>
    nested(html`<p dir="auto">${broken(lines)}</p>`, depth),
  )}`;
}

interface Run {
  readonly depth: number;
  readonly lines: string[];
}

/** Neighbouring lines of the same depth of quotation. */
function quoteRuns(lines: readonly string[]): readonly Run[] {
  const runs: Run[] = [];
  for (const line of lines) {
    const marks = /^>*/.exec(line)?.[0].length ?? 0;
    const rest = line.slice(marks).trimStart();
    const last = runs.at(-1);
    if (last?.depth === marks) last.lines.push(rest);
    else runs.push({ depth: marks, lines: [rest] });
  }
  return runs;
}

function nested(inner: Html, depth: number): Html {
  return depth === 0 ? inner : nested(html`<blockquote>${inner}</blockquote>`, depth - 1);
}

function broken(lines: readonly string[]): readonly Html[] {
  return lines.map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`));
}

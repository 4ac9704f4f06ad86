import { html } from 'hono/html';

import { type Html, layout } from '#sandbox/pages/layout';
import type { Message, Ticket } from '#sandbox/seed/shape';

/** Renders the help desk's queue. */
export function renderDeskPage(tickets: readonly Ticket[]): Html {
  return layout(
    'Help desk',
    html`<main>
      <h1>Help desk</h1>
      <p>A sample queue: tickets with purchase codes in every shape.</p>
      <p>
        The same tickets in pages of other kinds:
        <a href="/desk/app">an app that renders itself anew</a>,
        <a href="/desk/mail/1046">mail with quoted text</a>,
        <a href="/desk/shapes">codes among other words</a>,
        <a href="/desk/thread/3000">a very long thread</a>.
      </p>
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

/**
 * Renders a ticket as a server writes it, all at once.
 * @param now epoch milliseconds
 * @param hasFiles whether attached files can be had; not where no license authority runs
 */
export function ticketPage(ticket: Ticket, now: number, hasFiles: boolean): Html {
  return layout(
    `${String(ticket.id)} ${ticket.subject}`,
    html`<nav aria-label="Help desk"><a href="/desk">All tickets</a></nav>
      <main data-desk data-ticket="${String(ticket.id)}">
        <h1 dir="auto">${ticket.subject}</h1>
        <p class="meta">Ticket ${String(ticket.id)}, from <bdi>${ticket.customer}</bdi></p>
        ${ticket.messages.map((message) => messageCard(message, ticket.customer, now))}
        ${hasFiles ? attachments(ticket) : ''} ${composer()}
      </main>`,
  );
}

function attachments({ attached = [] }: Ticket): Html {
  return html`<ul aria-label="Attachments">
    ${attached.map((name) => html`<li><a href="/desk/files/${name}" download>${name}</a></li>`)}
  </ul>`;
}

/** Renders the field where the agent writes; codes in it are the agent's own. */
function composer(): Html {
  return html`<div class="card" data-composer>
    <label for="reply">Reply</label>
    <textarea id="reply" rows="3" cols="60"></textarea>
    <p contenteditable="true" role="textbox" aria-label="Internal note">Note:</p>
  </div>`;
}

export function messageCard(message: Message, customer: string, now: number): Html {
  const sent = new Date(now - message.hoursAgo * 3_600_000).toISOString();
  return html`<article class="card" data-message>
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

/** Groups neighbouring lines of the same depth of quotation. */
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

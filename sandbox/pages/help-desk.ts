import { html } from 'hono/html';

import { type Html, layout } from '#sandbox/pages/layout';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import type { Message, Ticket } from '#sandbox/seed/tickets';

export function renderDeskPage(tickets: readonly Ticket[]): Html {
  return layout(
    'Help desk',
    html`<main>
      <h1>Help desk</h1>
      <p>A sample queue: tickets with purchase codes in every shape.</p>
      <p>
        The same tickets in pages of other kinds:
        <a href="/desk/app">an app that renders itself anew</a>,
        <a href="/desk/day/2001">a day of forty tickets in one page</a>,
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
 * @param hasFiles whether attached files are available, which needs a running license authority
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
    <span class="label" aria-hidden="true">Internal note</span>
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

/** Renders the top of a help desk that its script draws. */
export function onePage(what: string): Html {
  return html`<nav aria-label="Help desk"><a href="/desk">All tickets</a></nav>
    <p class="meta">${what}</p>
    <div id="root"></div>`;
}

/** Renders a single-page help desk: its script draws everything, and redraws it whenever something changes. */
export function appPage(): Html {
  return layout(
    'Help desk',
    onePage('An app that draws itself anew whenever something changes.'),
    '/desk/app.js',
  );
}

/**
 * Draws as view libraries do: nodes are discarded and created again from a state. One message is in an open shadow
 * root. `drawAgain` on the window lets a test have its way.
 */
export const appScript = `const root = document.querySelector('#root');
const tickets = await (await fetch('/desk/tickets.json')).json();
let draws = 0;
const reply = element('textarea', { id: 'reply', rows: 3 });
const composer = element('div', { className: 'card' }, element('label', { htmlFor: 'reply' }, 'Reply'), reply);
composer.dataset.composer = '';

const spacing = new CSSStyleSheet();
spacing.replaceSync('p { margin: 0 0 0.75rem } p:last-child { margin: 0 }');
class TicketMessage extends HTMLElement {
  set text(text) {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [spacing];
    shadow.replaceChildren(...paragraphs(text));
  }
}
customElements.define('ticket-message', TicketMessage);

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
function paragraphs(text) {
  return text.split('\\n\\n').map((lines) => {
    const paragraph = element('p', { dir: 'auto' });
    lines.split('\\n').forEach((line, index) => {
      if (index > 0) paragraph.append(element('br'));
      paragraph.append(line);
    });
    return paragraph;
  });
}
function message({ from, text, code }, index, ticket) {
  const shadowed = element('ticket-message');
  const body = index === 1 ? [shadowed] : paragraphs(text);
  if (index === 1) shadowed.text = text;
  return element('article', { className: 'card' },
    element('p', { className: 'meta' }, from === 'agent' ? 'Support' : ticket.customer), ...body,
    ...(code === undefined ? [] : [element('pre', {}, code)]));
}
function draw() {
  draws += 1;
  const id = Number(location.pathname.split('/').at(-1));
  const ticket = tickets.find((one) => one.id === id);
  const links = tickets.map((one) => {
    const link = element('a', { href: '/desk/app/' + one.id }, one.id + ' ' + one.subject);
    if (one === ticket) link.ariaCurrent = 'page';
    link.addEventListener('click', (event) => {
      event.preventDefault();
      history.pushState({}, '', link.href);
      reply.value = '';
      draw();
    });
    return element('li', {}, link);
  });
  const list = element('ul', {}, ...links);
  root.replaceChildren(element('main', {},
    element('nav', { ariaLabel: 'Tickets' }, list),
    element('p', { className: 'meta', id: 'draws' }, draws === 1 ? 'Drawn once' : 'Drawn ' + draws + ' times'),
    ...(ticket === undefined ? [element('h1', {}, 'Help desk')] : [
      element('h1', {}, ticket.subject),
      ...ticket.messages.map((one, index) => message(one, index, ticket)),
      composer,
    ])));
  list.scrollLeft = list.querySelector('[aria-current]')?.offsetLeft - list.offsetLeft;
}
window.drawAgain = draw;
addEventListener('popstate', draw);
draw();
`;

const demo = sampleCodes('/demo');
const market = sampleCodes('/market');

/** The shapes in which help desks and mails show a code among other words, each as a separate mail. */
export const codeShapes: readonly (readonly [name: string, mail: Html])[] = [
  [
    'A table with a next column',
    html`<table>
      <tr>
        <td>1</td>
        <td>${demo.supported}</td>
        <td>the old shop, on the server in Oslo, since the spring before last</td>
      </tr>
      <tr>
        <td>2</td>
        <td>${demo.lapsed}</td>
        <td>the new shop</td>
      </tr>
    </table>`,
  ],
  [
    'Words after an element',
    html`<p><b>${demo.supported}</b> is the code of the first site.</p>
      <p>
        <a href="/desk">${demo.lapsed}</a> is the code of the second site, which is the one that no
        longer shows any invoice, as far as I can see.
      </p>
      <p><code>${demo.noSupport}</code> is the third, thanks.</p>
      <p><font>${demo.extended}</font> <i>and</i> this one too.</p>`,
  ],
  [
    'A mail from right to left',
    html`<div dir="rtl">
      <p>مرحباً، رمز الشراء هو ${market.rightToLeft} والموقع يعمل على الخادم الجديد.</p>
      <p>${demo.supported} هذا هو الرمز الثاني والموقع يعمل على الخادم القديم منذ العام الماضي.</p>
    </div>`,
  ],
  [
    'Long running text',
    html`<p>
      We moved the site in spring and since then nothing works as before, although the code
      ${demo.supported} was entered again, and the other one, ${demo.lapsed}, as well; the log says
      that the license could not be read, and the page with the invoices stays empty for everybody
      but the administrator, who sees those of the last year only.
    </p>`,
  ],
  [
    'A list of mails whose parts are displayed as blocks',
    html`<ul class="mails">
      <li><span>342 B</span><a href="/desk">${demo.supported}</a><span>yesterday</span></li>
      <li><span>17 kB</span><a href="/desk">${demo.lapsed}</a><span>on Monday</span></li>
    </ul>`,
  ],
  [
    'Tight lines, and words that a pointer does not reach',
    html`<pre class="tight">
Key of the old site, as it was sent:
${demo.supported} (since 2019)
${demo.lapsed}
Key of the new site follows tomorrow, when the invoice is paid.</pre>
      <p class="untouchable">${demo.noSupport} <span>is what the invoice says</span></p>`,
  ],
];

export function shapesPage(): Html {
  return layout(
    'Codes among other words',
    html`<main data-desk>
      <h1>Codes among other words</h1>
      ${codeShapes.map(
        ([name, mail]) =>
          html`<article class="card" data-message aria-label="${name}">
            <p class="meta">${name}</p>
            ${mail}
          </article>`,
      )}
    </main>`,
  );
}

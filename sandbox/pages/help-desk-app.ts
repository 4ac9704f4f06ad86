import { html } from 'hono/html';

import type { Html } from '#sandbox/pages/layout';

/** Renders a help desk of the single-page kind: everything is drawn by its script, and drawn anew whenever something changes. */
export function appPage(): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Help desk</title>
        <link rel="stylesheet" href="/sandbox.css" />
        <link rel="icon" href="data:," />
        <script src="/desk/app.js" type="module"></script>
      </head>
      <body>
        <div id="root"></div>
      </body>
    </html>`;
}

/**
 * Draws as view libraries do: a state, and nodes that are thrown away and made again from it. One message stands in an open
 * shadow root. `drawAgain` on the window lets a test have its way.
 */
export const appScript = `const root = document.querySelector('#root');
const tickets = await (await fetch('/desk/tickets.json')).json();
let draws = 0;

class TicketMessage extends HTMLElement {
  set text(text) {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
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
    link.addEventListener('click', (event) => {
      event.preventDefault();
      history.pushState({}, '', link.href);
      draw();
    });
    return element('li', {}, link);
  });
  root.replaceChildren(element('main', {},
    element('nav', { ariaLabel: 'Tickets' }, element('ul', {}, ...links)),
    element('p', { className: 'meta', id: 'draws' }, 'Drawn ' + draws + ' times'),
    ...(ticket === undefined ? [] : [
      element('h1', {}, ticket.subject),
      ...ticket.messages.map((one, index) => message(one, index, ticket)),
    ])));
}
window.drawAgain = draw;
addEventListener('popstate', draw);
draw();
`;

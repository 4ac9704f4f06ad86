import { onePage } from '#sandbox/pages/help-desk';
import { type Html, layout } from '#sandbox/pages/layout';

/** Renders a help desk of one page on which a day's tickets are answered, one after the other. */
export function dayPage(): Html {
  return layout('Day', onePage('A day of forty tickets, answered in one page.'), '/desk/day.js');
}

/**
 * Shows a ticket as desks of one page do: the address changes at once, and what is drawn follows when it has loaded.
 * Until then tickets with an odd number leave the one before in sight, the others show that they load. The reply field
 * is one element for all tickets, emptied when another is drawn. `drawn` on the window names the ticket that is in
 * sight.
 */
export const dayScript = `const root = document.querySelector('#root');
const tickets = await (await fetch('/desk/day.json')).json();
const main = document.createElement('main');
main.dataset.desk = '';
const heading = document.createElement('h1');
const messages = document.createElement('div');
const files = document.createElement('ul');
const composer = document.createElement('div');
composer.className = 'card';
composer.dataset.composer = '';
const label = Object.assign(document.createElement('label'), { htmlFor: 'reply', textContent: 'Reply' });
const reply = Object.assign(document.createElement('textarea'), { id: 'reply', rows: 4 });
composer.append(label, reply);
const nav = document.createElement('nav');
const list = document.createElement('ul');
nav.append(list);
main.append(heading, messages, files, composer);
root.append(nav, main);
for (const { id } of tickets) {
  const link = Object.assign(document.createElement('a'), { href: '/desk/day/' + id, textContent: id });
  link.addEventListener('click', (event) => {
    event.preventDefault();
    history.pushState({}, '', link.href);
    show();
  });
  const item = document.createElement('li');
  item.append(link);
  list.append(item);
}
const idOf = () => Number(location.pathname.split('/').at(-1));
function mark(id) {
  for (const link of list.querySelectorAll('a')) link.ariaCurrent = Number(link.textContent) === id ? 'page' : null;
}
let timer;
function show() {
  clearTimeout(timer);
  const id = idOf();
  mark(id);
  if (id % 2 === 0) messages.replaceChildren('Loading');
  timer = setTimeout(draw, (id * 271) % 1300, id);
}
function draw(id) {
  const ticket = tickets.find((one) => one.id === id);
  reply.value = '';
  heading.textContent = ticket?.subject ?? 'Queue';
  document.title = '(' + id + ') ' + heading.textContent;
  messages.replaceChildren(...(ticket?.messages ?? []).map(({ text }) => {
    const article = document.createElement('article');
    article.className = 'card';
    article.dataset.message = '';
    article.append(...text.split('\\n').map((line) => Object.assign(document.createElement('p'), { textContent: line })));
    return article;
  }));
  files.replaceChildren(...(ticket?.attached ?? []).map((name) => {
    const link = Object.assign(document.createElement('a'), { href: '/desk/files/' + name, textContent: name });
    link.setAttribute('download', '');
    const item = document.createElement('li');
    item.append(link);
    return item;
  }));
  window.drawn = id;
}
addEventListener('popstate', show);
mark(idOf());
draw(idOf());
`;

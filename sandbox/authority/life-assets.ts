import { html } from 'hono/html';

/** Presses a button without leaving the page, so that the focus and the place in it stay, and lets the clock run. */
export const script = `
let last = Promise.resolve();
const news = document.querySelector('.news');
const main = () => document.querySelector('main');
let renderedAt = Date.now();
setInterval(() => {
  const clock = document.querySelector('.clock');
  if (clock === null) return;
  const now = new Date(Number(clock.dataset.now) + Date.now() - renderedAt);
  clock.textContent = now.toISOString().slice(0, 19).replace('T', ' ');
  const hint = document.querySelector('.hint');
  if (!hint?.dataset.until || now.getTime() < Number(hint.dataset.until)) return;
  // The wait is over: the server says what the program does now.
  hint.dataset.until = '';
  last = last.then(async () => show(await fetch('/life'))).catch(() => undefined);
}, 1000);
document.addEventListener('submit', (event) => {
  event.preventDefault();
  const { value, ariaDisabled } = event.submitter;
  if (ariaDisabled !== 'true') last = last.then(() => press(value));
});
// A button that is replaced while it is held down is not pressed.
let released = Promise.resolve();
document.addEventListener('pointerdown', () => {
  released = new Promise((resolve) => {
    for (const end of ['pointerup', 'pointercancel'])
      document.addEventListener(end, () => setTimeout(resolve), { once: true });
  });
});
async function press(act) {
  const pending = [
    setTimeout(() => (main().ariaBusy = 'true'), 300),
    setTimeout(tell, 3000, 'waiting', 'The sandbox has not answered yet.'),
  ];
  try {
    const reply = await fetch('/life', { method: 'POST', body: new URLSearchParams({ act }) });
    if (!reply.ok) return tell('failed', 'The sandbox answered with an error ' + reply.status + '.');
    const before = document.querySelector('.log tbody tr:first-child')?.textContent;
    if (!(await show(reply, act)))
      return tell('failed', 'What answered is not this page. Load it again.');
    const row = document.querySelector('.log tbody tr:first-child');
    if (row === null)
      return tell('failed', 'The sandbox was started anew, and this life has ended. Issue a license.');
    const [, event, standing] = row.children;
    const isNew = row.textContent !== before;
    tell('', standing.textContent + '. ' + (isNew ? event.textContent : 'Nothing changed.'));
  } catch {
    tell('failed', 'The sandbox does not answer. Was it ended? Start it, then press again.');
  } finally {
    for (const one of pending) clearTimeout(one);
    main().ariaBusy = null;
  }
}
// Shows the page of a reply, and keeps the focus. Tells whether it is this page.
async function show(reply, act) {
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  const next = page.querySelector('button[value="issue"]')?.closest('main');
  if (next == null) return false;
  await released;
  const focused = document.activeElement?.value ?? act;
  main().replaceWith(next);
  renderedAt = Date.now();
  if (focused === undefined) return true;
  (
    document.querySelector('button[value="' + focused + '"]') ??
    document.querySelector('button[value="issue"]')
  ).focus({ preventScroll: true });
  return true;
}
// A notice stands in the half of the window that the pressed button is not in.
function tell(kind, text) {
  const { top } = (document.activeElement ?? main()).getBoundingClientRect();
  news.className = 'news ' + kind + (top > innerHeight / 2 ? ' above' : '');
  news.textContent = text;
}
`;

export const style = html`<style>
  :root {
    color-scheme: light dark;
    --surface: light-dark(#fff, #1e1e29);
    --line: light-dark(#dddde6, #383847);
    --muted: light-dark(#57576b, #b0b0c2);
    --accent: light-dark(#4036c0, #aab2ff);
    --bad: light-dark(#b3261e, #ff9f98);
  }
  body {
    max-width: 78rem;
    margin: 0 auto;
    padding: 1.5rem 1rem 4rem;
    background: light-dark(#fafafc, #15151d);
    color: light-dark(#1d1d2b, #ededf4);
    font: 0.9375rem/1.5 system-ui;
  }
  h1,
  h2,
  h3,
  p,
  ol {
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
    margin-block-start: 1.25rem;
    font-size: inherit;
  }
  .card > h3:first-child {
    margin-block-start: 0;
  }
  .card > :last-child {
    margin-block-end: 0;
  }
  .meta {
    color: var(--muted);
  }
  :is(.hint, .latest) {
    min-height: 2lh;
  }
  /* It speaks to those who do not see the page, and to all once the server is slow or gone. */
  .news:not(.waiting, .failed) {
    position: absolute;
    clip-path: inset(50%);
  }
  :is(.waiting, .failed) {
    position: fixed;
    z-index: 3;
    inset-block-end: 0.5rem;
    inset-inline: max(1rem, 50vw - 39rem);
    padding: 0.5rem 0.75rem;
    border: 1px solid;
    border-radius: 6px;
    background: var(--surface);
  }
  .failed {
    color: var(--bad);
  }
  .above {
    inset-block: 0.5rem auto;
  }
  .home {
    margin: 0;
  }
  a {
    color: var(--accent);
  }
  [aria-busy='true'] {
    opacity: 0.6;
    cursor: progress;
  }
  .buttons,
  .choice {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .choice {
    align-items: center;
  }
  .choice > .meta {
    flex: 0 0 8rem;
  }
  .options {
    display: flex;
    white-space: nowrap;
  }
  :is([data-standing='activated'] h2, td.activated) {
    color: light-dark(#0b6b3a, #7fd6a3);
  }
  :is([data-standing='denied'] h2, td.denied) {
    color: var(--bad);
  }
  :is([data-standing='validation-due'] h2, [data-standing='grace'] h2, .validation-due, .grace) {
    color: light-dark(#8a4b00, #f5bd6b);
  }
  .card {
    margin-block-end: 1rem;
    padding: 1rem 1.25rem;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--surface);
  }
  form > .buttons {
    margin-block-end: 1rem;
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
  button:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  button.off {
    border-color: var(--line);
    color: var(--muted);
    opacity: 0.7;
  }
  .primary {
    background: var(--accent);
    color: var(--surface);
  }
  /* What is set is quieter than the next step. */
  [aria-pressed='true'] {
    background: color-mix(in srgb, var(--accent) 12%, var(--surface));
    box-shadow: inset 0 -3px var(--accent);
  }
  .options button {
    border-radius: 0;
    margin-inline-start: -1px;
  }
  .options button:focus-visible {
    z-index: 1;
  }
  .options button:first-child {
    border-start-start-radius: 6px;
    border-end-start-radius: 6px;
  }
  .options button:last-child {
    border-start-end-radius: 6px;
    border-end-end-radius: 6px;
  }
  ol {
    padding: 0;
    list-style: none;
  }
  li {
    position: relative;
    display: flex;
    flex-wrap: wrap;
    gap: 0 1rem;
    padding-inline-start: 1.5rem;
  }
  li time,
  li.between {
    color: var(--muted);
  }
  li.between {
    padding-block: 0.5rem;
    font-size: 0.8125rem;
  }
  /* The line from one moment to the next, and a dot at each. */
  li:not(:last-child)::after {
    position: absolute;
    inset-block: 0.625rem -0.625rem;
    inset-inline-start: 5px;
    border-inline-start: 2px solid var(--line);
    content: '';
  }
  li:not(.between)::before {
    position: absolute;
    z-index: 1;
    inset-block-start: 0.25rem;
    inset-inline-start: 0;
    box-sizing: border-box;
    width: 12px;
    height: 12px;
    border: 2px solid var(--muted);
    border-radius: 50%;
    background: var(--surface);
    content: '';
  }
  li.past::before {
    background: var(--muted);
  }
  li.now::before {
    border-color: var(--accent);
    background: var(--accent);
  }
  li.now > :first-child {
    color: var(--accent);
    font-weight: 700;
  }
  time {
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    table-layout: fixed;
  }
  th {
    color: var(--muted);
    font-weight: 400;
    text-align: start;
  }
  th:first-child {
    width: 9.75rem;
  }
  th:last-child {
    width: 7rem;
  }
  :is(th, td) {
    padding: 0.15rem 1rem 0.15rem 0;
    vertical-align: top;
  }
  td:is(:first-child, .not-activated) {
    color: var(--muted);
    white-space: nowrap;
  }
  :is(th, td):last-child {
    padding-inline-end: 0;
  }
  @media (forced-colors: active) {
    [aria-pressed='true'],
    li:is(.past, .now)::before {
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
  }
  @media (width >= 60rem) {
    main {
      display: grid;
      grid-template: auto auto 1fr / 31rem minmax(0, 1fr);
      gap: 0 1rem;
    }
    form {
      display: contents;
    }
    form > .buttons {
      grid-column: 1 / -1;
    }
    .controls {
      grid-row: 2 / span 2;
      align-self: start;
    }
  }
  @media (width < 60rem) {
    html {
      scroll-padding-block-start: 3rem;
    }
    /* The standing stays in sight while the world below it is changed. */
    .controls > h2 {
      position: sticky;
      z-index: 2;
      inset-block-start: 0;
      padding-block: 0.25rem;
      background: var(--surface);
    }
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
    thead {
      display: none;
    }
    td {
      padding: 0;
    }
    .log h3::after {
      content: ' (UTC)';
    }
    button {
      min-height: 2.5rem;
    }
    td:nth-child(2) {
      flex-basis: 100%;
      order: 1;
    }
    td:nth-child(3) {
      margin-inline-start: auto;
    }
    .card {
      padding-inline: 1rem;
    }
    :is(.hint, .latest) {
      min-height: 3lh;
    }
    .choice > .meta {
      flex-basis: 100%;
    }
  }
</style>`;

/** Styles the sandbox's own pages. */
export const style = `:root {
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
p { margin: 0 0 0.75rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; margin: 0 0 1rem; padding: 0; }
section, .card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(8rem, 16rem) 1fr; gap: 0.25rem 1rem; margin: 0; }
dt { color: var(--muted); }
dd { margin: 0; min-width: 0; }
code, pre { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: 0.875em; }
pre { white-space: pre-wrap; margin: 0 0 0.75rem; }
.copyable { display: inline-flex; gap: 0.5rem; align-items: baseline; }
.copyable code { user-select: all; overflow-wrap: anywhere; white-space: pre-wrap; }
button { font: inherit; font-size: 0.8125rem; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); color: var(--accent); cursor: pointer; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: start; padding: 0.5rem 0.75rem; border-block-end: 1px solid var(--line); vertical-align: top; }
td:first-child, th { white-space: nowrap; }
th { color: var(--muted); font-weight: 550; }
blockquote { margin: 0 0 0.75rem; padding-inline-start: 0.75rem; border-inline-start: 3px solid var(--line); color: var(--muted); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.buttons button, [data-clear-faults] { padding: 0.25rem 0.75rem; }
select { font: inherit; padding: 0.25rem 0.5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); color: var(--ink); }
[data-composer] label { display: block; color: var(--muted); font-size: 0.875rem; margin: 0 0 0.25rem; }
[data-composer] textarea { width: 100%; min-height: 5lh; field-sizing: content; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); color: var(--ink); font: inherit; margin: 0 0 0.75rem; }
.meta { color: var(--muted); font-size: 0.875rem; }
.mails { list-style: none; margin: 0; padding: 0; }
.mails li { display: flex; gap: 0.25rem; }
.mails a { flex: none; }
.tight { line-height: 1; }
.untouchable span { pointer-events: none; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-block-start: 0.5rem; } }
`;

/** Makes the buttons work that copy a value or inject a fault. */
export const script = `document.addEventListener('click', async (event) => {
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

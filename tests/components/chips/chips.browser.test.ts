import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';

import { showChips, type ChipsHandle } from '#components/chips/chips';
import type { TicketScriptSettings } from '#messaging/topics/ticket';
import { addShadowRoot, code, showPage } from '#tests/components/chips/ticket-page';
import { type Chip, findCodePositions } from '#core/chips/index';

const chip = (label: string, answered = false): Chip => ({
  tone: 'plain',
  icon: '',
  label,
  answered,
});
const settings: TicketScriptSettings = {
  automatic: false,
  patterns: [],
  origin: location.origin,
  blank: chip('Check'),
  busy: chip('Checking'),
};
const codes = Array.from(
  { length: 100 },
  (_, index) => code.slice(0, -4) + (0x1000 + index).toString(16),
);

let chips: ChipsHandle | undefined;
/** The closed root, which the test alone gets hold of. */
let root: ShadowRoot | undefined;

function show(changes: Partial<TicketScriptSettings> = {}): void {
  Object.assign(globalThis, { counterfoilFinder: findCodePositions });
  const attach = vi.spyOn(Element.prototype, 'attachShadow');
  chips = showChips({ ...settings, ...changes }, () => Promise.resolve(undefined));
  root = attach.mock.results[0]?.value as ShadowRoot;
  attach.mockRestore();
}

/** The names of the chips that are shown. */
function names(): string[] {
  const buttons = [...(root?.querySelectorAll('button') ?? [])];
  return buttons.filter(({ hidden }) => !hidden).map((one) => one.getAttribute('aria-label') ?? '');
}

/** Lists the members of a prototype and of those that it inherits from. */
function membersOf(prototype: object | null): string[] {
  if (prototype === null) return [];
  return [
    ...Object.keys(prototype),
    ...membersOf(Object.getPrototypeOf(prototype) as object | null),
  ];
}

beforeEach(() => page.viewport(1000, 600));
afterEach(() => {
  chips?.end();
  document.body.replaceChildren();
  scrollTo(0, 0);
});

test('a message with a hundred codes shows a chip beside each of those in view', async () => {
  showPage(`<p style="font:16px/24px sans-serif">${codes.join('<br>')}</p>`);
  show();
  await expect.poll(names).toContain(`Check: ${codes[0] ?? ''}`);
  expect(names()).not.toContain(`Check: ${codes.at(-1) ?? ''}`);
  scrollTo(0, document.documentElement.scrollHeight);
  await expect.poll(names).toContain(`Check: ${codes.at(-1) ?? ''}`);
  expect(names()).not.toContain(`Check: ${codes[0] ?? ''}`);
  expect(names().length).toBeLessThan(30);
});

test('where codes are checked without a click, no chip asks for one first; if that fails, each does', async () => {
  showPage(`<p>${codes.slice(0, 3).join('<br>')}</p>`);
  const labels = new Set<string>();
  show({ automatic: true });
  // A chip is named before it is seen.
  new MutationObserver(() => {
    for (const name of names()) labels.add(name);
  }).observe(root ?? document, { subtree: true, attributes: true, childList: true });
  await expect.poll(() => names().join()).toMatch(/^Check: [^,]*,Check: [^,]*,Check: [^,]*$/u);
  const firstOf = (each: string): string | undefined =>
    [...labels].find((name) => name.endsWith(each));
  expect(codes.slice(0, 3).map(firstOf)).toEqual(
    codes.slice(0, 3).map((each) => `Checking: ${each}`),
  );
});

test('a verdict is gone as soon as another code stands in its place', async () => {
  const [text] = showPage(`<p>${code}</p>`);
  show();
  await expect.poll(names).toEqual([`Check: ${code}`]);
  chips?.checked(code, chip('Supported', true));
  expect(names()).toEqual([`Supported: ${code}`]);
  const other = codes[0] ?? '';
  if (text !== undefined) text.data = other;
  // The mutation is told in a microtask, and no layout comes before that.
  await Promise.resolve();
  expect(names()).toEqual([]);
  await expect.poll(names).toEqual([`Check: ${other}`]);
});

test('a form whose fields bear the names of an element’s members neither stops nor stalls the script', async () => {
  const members = membersOf(HTMLFormElement.prototype);
  expect(members).toEqual(expect.arrayContaining(['parentNode', 'contains', 'childNodes']));
  const fields = members.map((name) => `<input type="hidden" name="${name}">`).join('');
  showPage(`<p>${code}</p><form>${codes[0] ?? ''}${fields}<p>${codes[1] ?? ''}</p></form>`);
  show();
  const shown = [code, codes[0], codes[1]].map((one) => `Check: ${one ?? ''}`);
  await expect.poll(names).toEqual(shown);
  chips?.focusCode(1);
  expect(chips?.stepState()).toEqual({ count: 3, at: 1 });
});

test('a code that stands in a shadow root without an element around it has a chip', async () => {
  showPage('<p>Ticket</p>');
  addShadowRoot(document.body, code);
  show();
  await expect.poll(names).toEqual([`Check: ${code}`]);
});

test('a page that becomes another one is read by the notes that fit it then', async () => {
  const [list, message, other] = [codes[1] ?? '', codes[2] ?? '', codes[3] ?? ''];
  showPage(`<p>${list}</p>`);
  show();
  await expect.poll(names).toEqual([`Check: ${list}`]);
  // The markup of the sandbox's desk, of which messages alone count.
  document.body.innerHTML = `<main data-desk><p>${other}</p><article><p data-message>${message}</p></article></main>`;
  await expect.poll(names).toEqual([`Check: ${message}`]);
});

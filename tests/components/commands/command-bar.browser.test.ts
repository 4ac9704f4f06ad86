import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import SidebarPage from '#components/ui/SidebarPage.vue';
import PanelPage from '#components/ticket/PanelPage.vue';
import { createCatalogue } from '#components/i18n';
import type { Command } from '#core/commands/commands';
import desk from '#locales/en/desk.json';
import ticket from '#locales/en/ticket.json';
import { type Commands, commandsPort } from '#stores/commands/ports';
import { mounting, type PageHarness } from '#tests/components/mounted';
import { besideTicket } from '#tests/components/ticket/ticket-page';
import { code, connection, otherCode } from '#tests/stores/check/samples';

const license = `eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ.${'A'.repeat(86)}`;
const places: readonly Command[] = [
  { kind: 'page', title: 'History', detail: 'Desk', href: 'desk.html#/history' },
  { kind: 'page', title: 'License verifier', detail: '', href: 'verifier.html' },
  { kind: 'reply', title: 'Not found', detail: '', href: 'desk.html#/reply/not-found' },
  { kind: 'code', title: '8678…dece', detail: '', href: 'desk.html#/x', codeId: code },
];

/** Binds places that only note where they lead. */
function noting(done: string[], listed = Promise.resolve(places)): () => Promise<Commands> {
  const note = (what: string) => (about: unknown) => {
    done.push(`${what} ${typeof about === 'string' ? about : 'files'}`);
    return Promise.resolve();
  };
  return () =>
    Promise.resolve({
      t: createCatalogue('en-US', { ...desk, ...ticket }).t,
      list: () => listed,
      patterns: () => Promise.resolve([]),
      codeIdOf: (text) => Promise.resolve(text),
      openPage: note('go'),
      check: note('check'),
      inspect: note('inspect'),
    });
}

const field = page.getByRole('combobox', { name: 'Find or go to' });
const options = (): string[] =>
  page
    .getByRole('option')
    .elements()
    .map((option) => option.textContent.trim().replaceAll(/\s+/gu, ' '));
const button = page.getByRole('button', { name: 'Elsewhere' });

/** Shows a page with a button that has the focus; returns what was chosen. */
async function opened(
  preferences: object = {},
  listed = Promise.resolve(places),
): Promise<string[]> {
  const done: string[] = [];
  const Page = defineComponent(
    () => () =>
      h(SidebarPage, { title: 'Desk', label: 'Sections', page: 'desk' }, () =>
        h('button', { type: 'button' }, 'Elsewhere'),
      ),
  );
  mounting(Page, {
    preferences,
    script: { 'connections.list': () => [connection()] },
    ports: (app) => app.provide(commandsPort, noting(done, listed)),
  });
  await expect.element(page.getByRole('button', { name: 'Find or go to' })).toBeVisible();
  button.element().focus();
  return done;
}

test('by keyboard: it opens, is gone through, goes there, and gives the focus back', async () => {
  const done = await opened();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveFocus();
  await expect.poll(options).toEqual(['History Desk', 'License verifier', '8678…dece']);
  const selected = (): string | undefined => {
    const id = field.element().getAttribute('aria-activedescendant') ?? '';
    const option = document.getElementById(id);
    expect(option?.getAttribute('aria-selected')).toBe('true');
    return option?.querySelector('bdi')?.textContent;
  };
  expect(selected()).toBe('History');
  const kinds = page.getByRole('group').elements();
  expect(kinds.map((kind) => kind.getAttribute('aria-label'))).toEqual(['Pages', 'History']);
  await userEvent.keyboard('{ArrowDown}');
  expect(selected()).toBe('License verifier');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  expect(selected()).toBe('8678…dece');
  await userEvent.keyboard('not f{Enter}');
  expect(done).toEqual(['go desk.html#/reply/not-found']);
  await expect.element(field).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveValue('');
  await userEvent.keyboard('nothing of it');
  await expect.element(page.getByText('Nothing matches this search.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(field).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

test('no entry is cut at the lower edge of a long list', async () => {
  await page.viewport(1280, 620);
  const many = Array.from({ length: 12 }, (_, at): Command => ({
    kind: 'page',
    title: `Page ${String(at)}`,
    detail: '',
    href: `page-${String(at)}.html`,
  }));
  await opened({}, Promise.resolve(many));
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.poll(() => options().length).toBe(12);
  const list = page.getByRole('listbox').element();
  expect(list.scrollHeight).toBeGreaterThan(list.clientHeight);
  const { bottom } = list.getBoundingClientRect();
  const cut = page
    .getByRole('option')
    .elements()
    .map((option) => option.getBoundingClientRect())
    .filter((option) => option.top < bottom - 1 && option.bottom > bottom + 1);
  expect(cut).toHaveLength(0);
});

test.each([
  ['a code', code, [`Check 1 code ${code}`, '8678…dece'], `check ${code}`],
  [
    'several codes on lines of their own',
    `Codes:\r\n${code}\r\n${otherCode}`,
    [`Check 2 codes ${code}, ${otherCode}`],
    `check ${code}\n${otherCode}`,
  ],
  ['a license', license, ['Inspect license License verifier'], `inspect ${license}`],
])('%s that is pasted is the first choice', async (_what, text, choices, chosen) => {
  const done = await opened();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveFocus();
  paste(text);
  await expect.poll(options).toEqual(choices);
  await userEvent.keyboard('{Enter}');
  expect(done).toEqual([chosen]);
});

test('Enter that is pressed before the places have been read waits for them', async () => {
  const reading = Promise.withResolvers<readonly Command[]>();
  const done = await opened({}, reading.promise);
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('not f{Enter}');
  expect(done).toEqual([]);
  reading.resolve(places);
  await expect.poll(() => done).toEqual(['go desk.html#/reply/not-found']);
  await expect.element(field).not.toBeInTheDocument();
});

test('a file that is pasted goes to the verifier', async () => {
  const done = await opened();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveFocus();
  await expect.poll(options).not.toEqual([]);
  paste(new File([license], 'license.lic'));
  expect(done).toEqual(['inspect files']);
  await expect.element(button).toHaveFocus();
});

test('by mouse: the button opens it, a press on a place goes there, one beside it closes it', async () => {
  const done = await opened();
  await page.getByRole('button', { name: 'Find or go to' }).click();
  await page.getByRole('option', { name: 'License verifier' }).click();
  expect(done).toEqual(['go verifier.html']);
  await page.getByRole('button', { name: 'Find or go to' }).click();
  await expect.element(field).toBeVisible();
  document.querySelector('dialog')?.click();
  await expect.element(field).not.toBeInTheDocument();
});

test('the keys do nothing where shortcuts are switched off', async () => {
  await opened({ shortcuts: false });
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(button).toHaveFocus();
  await expect.element(field).not.toBeInTheDocument();
});

test('in the panel a code is checked in its place', async () => {
  const done: string[] = [];
  const harness: PageHarness = besideTicket(PanelPage, 'follow', {
    ports: (app) => app.provide(commandsPort, noting(done)),
  });
  await expect.poll(() => document.querySelector('dialog')).not.toBeNull();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard(code);
  await expect.poll(options).toContain(`Check 1 code ${code}`);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => harness.bodies('check')).toMatchObject([{ code }]);
  await expect.element(page.getByRole('textbox', { name: 'Purchase code' })).toHaveFocus();
  expect(done).toEqual([]);
});

/** Pastes into what has the focus. */
function paste(what: string | File): void {
  const clipboardData = new DataTransfer();
  if (typeof what === 'string') clipboardData.setData('text/plain', what);
  else clipboardData.items.add(what);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  const target = document.activeElement as HTMLInputElement;
  if (target.dispatchEvent(event) && typeof what === 'string') {
    target.value = what;
    target.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
}

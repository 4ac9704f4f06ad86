import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import PanelPage from '#components/ticket/PanelPage.vue';
import { drag } from '#tests/components/drag';
import { besideTicket, origin } from '#tests/components/ticket/ticket-page';
import { code, otherCode, thirdCode } from '#tests/stores/check/samples';

const field = page.getByRole('textbox', { name: 'Purchase code' });
const allowed = { origin, automatic: false, permitted: true };

beforeEach(async () => {
  await page.viewport(400, 800);
});

describe('the hint', () => {
  const hint = () => page.getByRole('status').filter({ hasText: /Select a code|Following/ });

  test('names the shortcut where one is set', async () => {
    besideTicket(PanelPage, 'follow', { keys: 'Alt+Shift+C' });
    await expect.element(hint()).toHaveTextContent('Select a code on a page and press Alt+Shift+C');
  });

  test('names none before there is a connection', async () => {
    besideTicket(PanelPage, 'follow', {
      keys: 'Alt+Shift+K',
      script: { 'connections.list': () => [] },
    });
    await expect.element(page.getByText('Connect your marketplace')).toBeVisible();
    expect(document.querySelector('.panel-hint')).toBeNull();
  });

  test('names the menu where no shortcut is set', async () => {
    besideTicket(PanelPage, 'follow');
    await expect.element(hint()).toHaveTextContent('Select a code on a page and right-click it.');
  });

  test('names the site that the panel follows', async () => {
    besideTicket(PanelPage, 'follow', { page: {}, sites: [allowed], keys: 'Alt+Shift+C' });
    await expect.element(hint().filter({ hasText: 'Following desk.test' })).toBeVisible();
  });

  test('names no site that the browser does not permit', async () => {
    besideTicket(PanelPage, 'follow', {
      page: {},
      sites: [{ ...allowed, permitted: false }],
      keys: 'Alt+Shift+C',
    });
    await expect.element(hint().filter({ hasText: 'Select a code' })).toBeVisible();
    await expect.element(page.getByText(/Following/)).not.toBeInTheDocument();
  });
});

test('a file that is dropped anywhere goes to the verifier', async () => {
  const harness = besideTicket(PanelPage, 'follow');
  await expect.element(field).toBeVisible();
  const file = new File(['{}'], 'state.json');
  expect(drag('dragover', document.body, file)).toBe(true);
  await expect.element(page.getByText('Drop to verify')).toBeVisible();
  expect(drag('drop', field.element(), file)).toBe(true);
  await expect.poll(() => harness.inspected).toEqual(['state.json']);
  await expect.element(page.getByText('Drop to verify')).not.toBeInTheDocument();
});

test('a code of the ticket in front is in the field, and a code that is sent replaces it', async () => {
  const harness = besideTicket(PanelPage, 'follow', {
    page: { selection: code },
    sites: [allowed],
  });
  await expect.element(field).toHaveValue(code);
  harness.send(otherCode);
  await expect.element(field).toHaveValue(otherCode);
  await expect.poll(() => harness.bodies('check').map((body) => body.code)).toContain(otherCode);
});

/** Shows a ticket's answer, and then that of another code with the first one listed below it. */
async function withTwoChecked(): Promise<{
  harness: ReturnType<typeof besideTicket>;
  list: ReturnType<typeof page.getByRole>;
}> {
  const harness = besideTicket(PanelPage, 'follow', {
    page: { text: code },
    sites: [{ ...allowed, automatic: true }],
  });
  await expect.element(page.getByRole('article')).toBeVisible();
  await field.fill(otherCode);
  await userEvent.keyboard('{Enter}');
  const list = page.getByRole('heading', { name: 'Recently checked' });
  await expect.element(list).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Copy reply' })).toBeEnabled();
  return { harness, list };
}

test('while another ticket is read, nothing of the last answer is shown, and what stands below it stays', async () => {
  const { harness, list } = await withTwoChecked();
  const { top } = list.element().getBoundingClientRect();
  const { promise, resolve } = Promise.withResolvers<{ text: string }>();
  harness.turnTo(`${origin}/2`, promise);
  await expect.element(page.getByText('Reading the ticket…')).toBeVisible();
  expect(page.getByRole('article').elements()).toEqual([]);
  expect(list.element().getBoundingClientRect().top).toBe(top);
  // Its heading is not known yet, and its address is shown only if it has none.
  const name = (): string | undefined =>
    document.querySelector('[data-ticket] > bdi')?.textContent.trim();
  expect(name()).toBe('');
  resolve({ text: thirdCode });
  await expect.element(page.getByRole('article')).toBeVisible();
  expect(list.element().getBoundingClientRect().top).toBe(top);
  expect(name()).toBe('desk.test/2');
});

test('the card of a ticket without a code takes the place of the last answer; what is below moves once, with it, and leaves no gap', async () => {
  const { harness, list } = await withTwoChecked();
  const { promise, resolve } = Promise.withResolvers<{ text: string }>();
  harness.turnTo(`${origin}/2`, promise);
  await expect.element(page.getByText('Reading the ticket…')).toBeVisible();
  const tops = new Set<number>();
  let goesOn = true;
  const look = (): void => {
    if (!goesOn) return;
    tops.add(Math.round(list.element().getBoundingClientRect().top));
    requestAnimationFrame(look);
  };
  look();
  // As long as a page that a script draws is read at least; the card's script loads meanwhile.
  await new Promise((read) => setTimeout(read, 1500));
  resolve({ text: 'Do you offer discounts?' });
  await expect.poll(() => document.querySelector('[data-no-code] [data-enter]')).not.toBeNull();
  await new Promise((settled) => setTimeout(settled, 300));
  goesOn = false;
  expect([...tops]).toHaveLength(2);
  const place = list.element().getBoundingClientRect().top;
  const card = document.querySelector('[data-no-code]')?.getBoundingClientRect();
  const below = list.element().closest('section')?.getBoundingClientRect();
  expect((below?.top ?? 0) - (card?.bottom ?? 0)).toBeLessThan(16);
  harness.turnTo(`${origin}/3`, Promise.withResolvers<{ text: string }>().promise);
  await expect.element(page.getByText('Reading the ticket…')).toBeVisible();
  expect(Math.abs(list.element().getBoundingClientRect().top - place)).toBeLessThan(1);
});

test('codes that were checked before are listed, and one press or the arrow keys open them', async () => {
  const outside = besideTicket(PanelPage, 'follow');
  const before = page.getByRole('heading', { name: 'Recently checked' });
  await field.fill(code);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('article')).toBeVisible();
  await expect.element(before).not.toBeInTheDocument();
  await field.fill(otherCode);
  await userEvent.keyboard('{Enter}');
  await expect.element(before).toBeVisible();
  const row = page.getByRole('button', { name: /8678…dece/u });
  await expect.element(row).toBeVisible();
  expect(row.element().textContent).toMatch(/^\s*Supported\suntil\sMar/);
  expect(document.querySelectorAll('[data-verdict]')).toHaveLength(1);
  const asked = outside.bodies('check').length;
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue(code);
  await expect.element(field).toHaveFocus();
  await expect.element(page.getByRole('button', { name: /1111…5555/u })).toBeVisible();
  expect(document.querySelectorAll('[data-verdict]')).toHaveLength(1);
  expect(outside.bodies('check')).toHaveLength(asked);
});

test('in several codes the arrow keys lead from line to line, and to the codes checked before from the last one', async () => {
  besideTicket(PanelPage, 'follow');
  await field.fill(code);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('article')).toBeVisible();
  await field.fill(`${otherCode}\n${thirdCode}`);
  const row = page.getByRole('button', { name: /8678…dece/u });
  await expect.element(row).toBeVisible();
  const area = field.element() as HTMLTextAreaElement;
  area.setSelectionRange(0, 0);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(field).toHaveFocus();
  expect(area.selectionStart).toBe(otherCode.length + 1);
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row).toHaveFocus();
});

test('a ticket without a code has a reply that asks for it, and Enter does what its button says', async () => {
  const harness = besideTicket(PanelPage, 'follow', {
    page: { text: 'Do you offer discounts?' },
    sites: [{ origin, automatic: false, permitted: true }],
  });
  await expect.poll(() => document.querySelector('[data-no-code] [data-enter]')).not.toBeNull();
  await expect.element(page.getByRole('textbox', { name: 'Purchase code' })).toHaveFocus();
  await expect.poll(() => document.querySelector('dialog')).not.toBeNull();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => harness.copied[0]).toContain('purchase code');
});

test.each([
  ['none was found', [], []],
  ['one was found', [`${origin}/files/license.lic`], ['ticket.inspect']],
])(
  'the attached file is offered to be verified only where there is one: %s',
  async (_what, attached, asked) => {
    const harness = besideTicket(PanelPage, 'follow', {
      page: { text: 'It says that my license is denied.', attached },
      sites: [{ origin, automatic: false, permitted: true }],
      script: { 'ticket.inspect': () => null },
    });
    const history = page.getByRole('link', { name: 'Search the history' });
    await expect.element(history).toBeVisible();
    const verify = page.getByRole('button', { name: 'Verify the attached file' });
    expect(verify.elements()).toHaveLength(attached.length);
    if (attached.length > 0) await verify.click();
    expect(harness.events.filter((topic) => topic === 'ticket.inspect')).toEqual(asked);
  },
);

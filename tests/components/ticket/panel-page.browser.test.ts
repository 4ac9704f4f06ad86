import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import PanelPage from '#components/ticket/PanelPage.vue';
import { besideTicket, origin } from '#tests/components/ticket/ticket-page';
import { code, otherCode } from '#tests/stores/check/samples';

const field = page.getByRole('textbox', { name: 'Purchase code' });
const allowed = { origin, automatic: false, permitted: true };

beforeEach(async () => {
  await page.viewport(400, 800);
});

describe('the hint', () => {
  const hint = () => page.getByRole('status').filter({ hasText: /On other pages|Following/ });

  test('names the shortcut where one is set', async () => {
    besideTicket(PanelPage, 'follow', { keys: 'Alt+Shift+C' });
    await expect
      .element(hint())
      .toHaveTextContent('On other pages, select a code and press Alt+Shift+C');
  });

  test('names the menu where no shortcut is set', async () => {
    besideTicket(PanelPage, 'follow');
    await expect
      .element(hint())
      .toHaveTextContent('On other pages, select a code and right-click it.');
  });

  test('names the site that the panel follows', async () => {
    besideTicket(PanelPage, 'follow', { page: {}, sites: [allowed], keys: 'Alt+Shift+C' });
    await expect.element(hint().filter({ hasText: 'Following desk.test:' })).toBeVisible();
  });

  test('names no site that the browser does not permit', async () => {
    besideTicket(PanelPage, 'follow', {
      page: {},
      sites: [{ ...allowed, permitted: false }],
      keys: 'Alt+Shift+C',
    });
    await expect.element(hint().filter({ hasText: 'On other pages' })).toBeVisible();
    await expect.element(page.getByText(/Following/)).not.toBeInTheDocument();
  });
});

test('a code of the ticket in front is in the field, and a code that is sent replaces it', async () => {
  const outside = besideTicket(PanelPage, 'follow', {
    page: { selection: code },
    sites: [allowed],
  });
  await expect.element(field).toHaveValue(code);
  outside.send(otherCode);
  await expect.element(field).toHaveValue(otherCode);
  await expect.poll(() => outside.bodies('check').map((body) => body.code)).toContain(otherCode);
});

test('codes that were checked before are listed, each folded to its verdict', async () => {
  besideTicket(PanelPage, 'follow');
  const before = page.getByRole('heading', { name: 'Before' });
  await field.fill(code);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('article')).toBeVisible();
  await expect.element(before).not.toBeInTheDocument();
  await field.fill(otherCode);
  await userEvent.keyboard('{Enter}');
  await expect.element(before).toBeVisible();
  await expect.element(page.getByRole('heading', { level: 3, name: code })).toBeVisible();
  const entry = document.querySelector<HTMLElement>('.panel-entry');
  expect(entry?.querySelector('[data-verdict]')?.getAttribute('data-verdict')).toBe('supported');
  expect(entry?.querySelector('dl')).toBeNull();
  await page.getByRole('button', { name: 'Details' }).last().click();
  await expect.poll(() => entry?.querySelector('dl')).not.toBeNull();
});

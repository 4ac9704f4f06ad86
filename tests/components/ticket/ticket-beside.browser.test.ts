import { h } from 'vue';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import CheckPanel from '#components/check/CheckPanel.vue';
import TicketBeside from '#components/ticket/TicketBeside.vue';
import { succeed } from '#core/result';
import { besideTicket, origin } from '#tests/components/ticket/ticket-page';
import { code, otherCode } from '#tests/stores/check/samples';

const popup = () => h(CheckPanel, {}, () => h(TicketBeside));
const field = page.getByRole('textbox', { name: 'Purchase code' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const license = `eyJhbGciOiJFZERTQSJ9.${'a'.repeat(60)}.${'b'.repeat(86)}`;

beforeEach(async () => {
  await page.viewport(384, 600);
});

describe('a text that was filled in', () => {
  test('is selected, so that the next paste replaces it', async () => {
    besideTicket(popup, 'open', { page: { selection: code } });
    await expect.element(field).toHaveValue(code);
    await expect.element(field).toHaveFocus();
    await expect.poll(() => window.getSelection()?.toString()).toBe(code);
    await userEvent.keyboard('{Delete}');
    await expect.element(field).toHaveValue('');
  });

  test('is not selected while the focus is elsewhere', async () => {
    const harness = besideTicket(popup, 'follow', { page: {} });
    const settings = page.getByRole('link', { name: 'Settings' });
    await expect.element(field).toHaveFocus();
    (settings.element() as HTMLElement).focus();
    harness.send(otherCode);
    await expect.element(field).toHaveValue(otherCode);
    await expect.element(settings).toHaveFocus();
  });
});

test('a license leads to the verifier, with its whole text', async () => {
  const harness = besideTicket(popup, 'open', { page: { selection: license } });
  await button('Inspect license').click();
  expect(harness.inspected).toEqual([license]);
  expect(harness.events).not.toContain('check');
});

test('a code offers no license to inspect', async () => {
  besideTicket(popup, 'open', { page: { selection: code } });
  await expect.element(field).toHaveValue(code);
  await expect.element(button('Inspect license')).not.toBeInTheDocument();
});

describe('a license on the page', () => {
  const offer = page.getByText('There is a license on this page.');

  test('is offered, with nothing selected and an empty field', async () => {
    const harness = besideTicket(popup, 'open', { page: { text: `Hello, ${license} is mine.` } });
    await expect.element(offer).toBeVisible();
    await expect.element(field).toHaveValue('');
    await button('Inspect license').click();
    expect(harness.inspected).toEqual([license]);
    expect(harness.events).not.toContain('check');
  });

  test('is not offered beside a code, nor once something is typed', async () => {
    besideTicket(popup, 'open', { page: { text: `${license} for ${code}` } });
    await expect.element(field).toHaveValue(code);
    await expect.element(offer).not.toBeInTheDocument();

    besideTicket(popup, 'open', { page: { text: license } });
    await expect.element(offer).toBeVisible();
    await field.fill(otherCode);
    await expect.element(offer).not.toBeInTheDocument();
  });
});

describe('the offer of a site', () => {
  const show = button('Show verdicts on this site');
  const automatic = page.getByLabelText('Look codes up as they come into view');

  test('asks for the access of that site alone, then lets it be changed and stopped', async () => {
    const harness = besideTicket(popup, 'open', { page: {} });
    await expect.element(show).toHaveAccessibleDescription(/beside each code on desk\.test/);
    await show.click();
    await expect.element(page.getByText('Verdicts are shown on desk.test')).toBeVisible();
    expect(harness.events).toContain(`access to ${origin}`);
    // Its button is gone.
    await expect.element(automatic).toHaveFocus();

    await expect.element(automatic).not.toBeChecked();
    await automatic.click();
    await expect.element(automatic).toBeChecked();
    expect(harness.bodies('sites.set-automatic')).toEqual([{ origin, on: true }]);

    await button('Stop on this site').click();
    await expect.element(show).toHaveFocus();
    expect(harness.bodies('sites.remove')).toEqual([{ origin }]);
  });

  test('tells that the browser refused, and the site is not kept', async () => {
    const harness = besideTicket(popup, 'open', { page: {}, granted: false });
    await show.click();
    await expect.element(page.getByText(/The browser did not allow it/)).toBeVisible();
    await expect.element(show).toBeVisible();
    expect(harness.bodies('sites.remove')).toEqual([{ origin }]);
  });

  test('is not made for a page that no script may enter', async () => {
    besideTicket(popup, 'open', { page: { origin: 'chrome://settings', selection: code } });
    await expect.element(field).toHaveValue(code);
    await expect.element(show).not.toBeInTheDocument();
  });
});

describe('before a first check', () => {
  const locked = { mode: 'passphrase', locked: true, lockAfterMinutes: 15 } as const;

  test('keys that are locked are said to be so, and can be unlocked', async () => {
    besideTicket(popup, 'open', {
      script: {
        'secrets.state': () => locked,
        'secrets.unlock': () => succeed({ ...locked, locked: false }),
      },
    });
    await page.getByLabelText('Passphrase').fill('correct horse');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => document.querySelector('[data-locked]')).toBeNull();
  });

  test('a code that is entered with no connection waits for the first one, and that is said', async () => {
    const harness = besideTicket(popup, 'open', { script: { 'connections.list': () => [] } });
    await field.fill(code);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => harness.waiting).toEqual([code]);
    await expect.element(page.getByText(/^Your code waits here/u)).toBeVisible();
    expect(harness.events).not.toContain('check');
  });
});

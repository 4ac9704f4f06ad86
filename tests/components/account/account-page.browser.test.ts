import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import AccountPage from '#components/account/AccountPage.vue';
import type { Account, Fault } from '#core/marketplaces/index';
import { fail, type Result, succeed } from '#core/result';
import { useConnections } from '#stores/connections/connections';
import { mounting } from '#tests/components/mounted';
import { account, connection, now } from '#tests/stores/check/samples';

const Page = defineComponent(() => {
  void useConnections().load();
  return () => h(AccountPage, { route: { section: 'account' } });
});

test('the account stays under a fault that may pass, and goes where its key is refused', async () => {
  let answer: Result<Account, Fault> = succeed(account);
  mounting(Page, {
    script: { 'connections.list': () => [connection()], 'connections.test': () => answer },
  });
  const name = page.getByText(account.username, { exact: true });
  const refresh = page.getByRole('button', { name: 'Refresh' });
  await expect.element(name).toBeVisible();

  const before = name.element().getBoundingClientRect().top;
  answer = fail({ kind: 'unreachable' });
  await refresh.click();
  const told = page.getByText('Market could not be reached');
  await expect.element(told).toBeVisible();
  await expect.element(name).toBeVisible();
  // The reason is in the line above the account, which has not moved, and Refresh is the only button that asks again.
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  expect(name.element().getBoundingClientRect().top).toBe(before);
  expect(told.element().getBoundingClientRect().bottom).toBeLessThan(before);

  await userEvent.keyboard('{Enter}');
  await expect.element(refresh).toHaveFocus();

  answer = fail({ kind: 'refused', about: 'key', msg: 'Invalid key' });
  await refresh.click();
  await expect.element(name).not.toBeInTheDocument();
});

test('nothing on the page moves when the account cannot be asked again', async () => {
  await page.viewport(360, 740);
  let answer: Result<Account, Fault> = succeed(account);
  mounting(Page, {
    script: {
      'connections.list': () => [connection({ keyWorkedAt: now })],
      'connections.test': () => answer,
    },
  });
  const card = () => document.querySelector('.account-card')?.getBoundingClientRect().top;
  await expect.poll(card).toBeGreaterThan(0);
  const before = card();
  answer = fail({ kind: 'rate-limited', by: 'server', retryAt: now + 600_000 });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect
    .poll(() => page.getByRole('status').element().textContent)
    .toContain('Market asks us to wait');
  expect(card()).toBe(before);
});

test('a rate limit is told of in the line above the account, with its countdown, and in no card', async () => {
  await page.viewport(1280, 800);
  let answer: Result<Account, Fault> = succeed(account);
  mounting(Page, {
    script: { 'connections.list': () => [connection()], 'connections.test': () => answer },
  });
  await expect.element(page.getByText(account.username, { exact: true })).toBeVisible();
  answer = fail({ kind: 'rate-limited', by: 'server', retryAt: now + 5000 });
  await page.getByRole('button', { name: 'Refresh' }).click();
  const status = page.getByRole('status');
  await expect
    .poll(() => status.element().textContent)
    .toMatch(/Market asks us to wait\s*Asking again in \d\ss/u);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  expect(page.getByRole('timer').elements()).toHaveLength(1);
  const top = document.querySelector('.account-card')?.getBoundingClientRect().top;
  expect(status.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(top ?? 0);
});

test('a rate limit counts down, is asked about again at its end, and three times at most', async () => {
  const busy = (): Result<Account, Fault> =>
    fail({ kind: 'rate-limited', by: 'server', retryAt: now + 400 });
  let answer = busy;
  const { events } = mounting(Page, {
    script: { 'connections.list': () => [connection()], 'connections.test': () => answer() },
  });
  const asked = (): number => events.filter((event) => event === 'connections.test').length;
  await expect.element(page.getByRole('timer')).toHaveTextContent('Asking again in 1 s');
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  await expect.poll(asked).toBe(4);
  const again = page.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  await expect.element(page.getByRole('timer')).not.toBeInTheDocument();

  await again.click();
  await expect.element(page.getByRole('timer')).toBeVisible();
  answer = () => succeed(account);
  await expect.element(page.getByText(account.username, { exact: true })).toBeVisible();
  expect(asked()).toBe(6);
});

test.each([360, 800, 1020, 1280])(
  'at %i px no fault with an account, however long its reason, moves that account',
  async (width) => {
    await page.viewport(width, 800);
    let answer: Result<Account, Fault> = succeed(account);
    mounting(Page, {
      script: { 'connections.list': () => [connection()], 'connections.test': () => answer },
    });
    const card = () => document.querySelector('.account-card')?.getBoundingClientRect().top;
    await expect.poll(card).toBeGreaterThan(0);
    const before = card();
    const told = document.getElementsByClassName('account-state');
    for (const fault of [
      { kind: 'unreachable' },
      { kind: 'server-error', status: 500 },
      { kind: 'timeout', afterMs: 10_000 },
    ] as const) {
      answer = fail(fault);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect.poll(() => told[0]?.querySelector('[data-tone="warn"]')).not.toBeNull();
      expect([fault.kind, card()]).toEqual([fault.kind, before]);
    }
    await page.viewport(1280, 800);
  },
);

test('what is known of the account is beside the connection, where there is room, and takes no line', async () => {
  await page.viewport(1280, 800);
  mounting(Page, {
    script: {
      'connections.list': () => [connection({ keyWorkedAt: now })],
      'connections.test': () => succeed(account),
    },
  });
  await expect.element(page.getByText(account.username, { exact: true })).toBeVisible();
  const chosen = page.getByRole('combobox').element().getBoundingClientRect();
  const told = page.getByRole('status').element().getBoundingClientRect();
  expect(told.top).toBeLessThan(chosen.bottom);
  expect(told.left).toBeGreaterThan(chosen.right);
  const card = document.querySelector('.account-card')?.getBoundingClientRect();
  expect((card?.top ?? Infinity) - chosen.bottom).toBeLessThan(24);
});

test.each([{ revision: 2 }, { keyWorkedAt: now + 3_600_000 }])(
  'a fault is asked about again once another page has saved %o of its connection',
  async (mended) => {
    let answer: Result<Account, Fault> = fail({ kind: 'refused', about: 'key', msg: 'no' });
    let stored = connection();
    const { events } = mounting(Page, {
      script: { 'connections.list': () => [stored], 'connections.test': () => answer },
    });
    await expect.element(page.getByRole('alert')).toBeVisible();
    const asked = (): number => events.filter((event) => event === 'connections.test').length;
    expect(asked()).toBe(1);
    answer = succeed(account);
    stored = connection(mended);
    await useConnections().load();
    await expect.element(page.getByText(account.username, { exact: true })).toBeVisible();
    expect(asked()).toBe(2);
  },
);

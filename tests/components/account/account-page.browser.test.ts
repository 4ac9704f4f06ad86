import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import AccountPage from '#components/account/AccountPage.vue';
import type { Account, Fault } from '#core/marketplaces/index';
import { fail, type Result, succeed } from '#core/result';
import { useConnections } from '#stores/connections/connections';
import { mounting } from '#tests/components/mounted';
import { account, connection } from '#tests/stores/check/samples';

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

  answer = fail({ kind: 'unreachable' });
  await refresh.click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(name).toBeVisible();

  answer = fail({ kind: 'refused', about: 'key', msg: 'Invalid key' });
  await refresh.click();
  await expect.element(name).not.toBeInTheDocument();
});

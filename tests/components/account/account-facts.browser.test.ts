import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import AccountFacts from '#components/account/AccountFacts.vue';
import type { Account } from '#core/marketplaces/index';
import { useConnections } from '#stores/connections/connections';
import { mounting } from '#tests/components/mounted';
import { connection } from '#tests/stores/check/samples';

/** An account as a relay's role leaves it: without balance, e-mail and profile. */
const redacted: Account = {
  username: 'fenwick',
  email: '',
  currency: 'USD',
  name: { first: 'Ada', last: 'Fenwick', full: 'Ada Fenwick' },
  profile: { heading: '', description: '', socialLinks: [] },
};

const { id } = connection();
const factsOf = (account: Account) =>
  defineComponent({
    setup() {
      void useConnections().load();
      return () => h(AccountFacts, { account, connectionId: id, open: true });
    },
  });
const Facts = factsOf(redacted);

test('what a relay leaves out of an account is said not to be shared, and is never zero', async () => {
  mounting(Facts, {
    script: { 'connections.list': () => [{ ...connection(), throughRelay: true }] },
  });
  await expect.element(page.getByText(/^Balance, Email,? and Profile:/)).toBeVisible();
  expect(document.body.textContent).not.toContain('0');
});

test.each([
  ['USD', '$1,204.50 USD'],
  ['CAD', 'CA$1,204.50'],
  ['credits', '1,204.5 credits'],
])('a balance names its currency once: %s', async (currency, words) => {
  mounting(factsOf({ ...redacted, currency, balance: 1204.5 }), {
    script: { 'connections.list': () => [connection()] },
  });
  await expect.element(page.getByText('Balance')).toBeVisible();
  const shown = document.querySelector<HTMLElement>('dt + dd:has(bdi)')?.innerText;
  expect(shown?.replaceAll(/\s+/gu, ' ')).toBe(words);
});

test('what a seller leaves out is not there', async () => {
  mounting(Facts, { script: { 'connections.list': () => [connection()] } });
  await expect.element(page.getByText('fenwick', { exact: true })).toBeVisible();
  expect(document.body.textContent).not.toContain('Not shared');
  expect(document.body.textContent).not.toContain('Balance');
});

test('a line of a long e-mail address ends after its @', async () => {
  await page.viewport(360, 740);
  const email = 'accounts.and.licenses@northmark.example';
  mounting(factsOf({ ...redacted, email }), {
    script: { 'connections.list': () => [connection()] },
  });
  await expect.element(page.getByText(email)).toBeVisible();
  const text = document.createRange();
  const parts = [...page.getByText(email).element().childNodes].filter(
    (node) => node instanceof Text && node.data !== '',
  );
  const lines = parts.map((part) => {
    text.selectNodeContents(part);
    return text.getClientRects().length;
  });
  expect(lines).toEqual([1, 1]);
});

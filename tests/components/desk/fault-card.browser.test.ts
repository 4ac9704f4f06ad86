import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';

import FaultCard from '#components/desk/FaultCard.vue';
import type { Fault } from '#core/marketplaces/index';
import type { StorageFull } from '#core/storage/index';
import { useConnections } from '#stores/connections/connections';
import { mounting } from '#tests/components/mounted';
import { connection, now } from '#tests/stores/check/samples';

/** Shows the card of a fault; returns what happens on the page. */
function showing(fault: Fault | StorageFull): readonly string[] {
  const retries: string[] = [];
  const Page = defineComponent(() => {
    void useConnections().load();
    const onRetry = (): number => retries.push('retry');
    return () => h(FaultCard, { fault, connectionId: 'market', onRetry });
  });
  mounting(Page, { script: { 'connections.list': () => [connection()] } });
  return retries;
}

test('a fault names its connection, and is asked about again', async () => {
  const retries = showing({ kind: 'unreachable' });
  const card = page.getByRole('alert');
  await expect.element(card).toMatchTextContent(/Market could not be reached/);
  await expect.element(card).toHaveAttribute('data-fault', 'unreachable');
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(retries).toEqual(['retry']);
});

test('once access is allowed, it is asked again', async () => {
  const retries = showing({ kind: 'not-permitted', origin: 'https://market.test' });
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Market/);
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect.poll(() => retries).toEqual(['retry']);
});

test('a full disk has its sentence and no step', async () => {
  showing({ kind: 'storage-full' });
  const card = page.getByRole('alert');
  await expect.element(card).toMatchTextContent(/disk is full/);
  await expect.element(card).toHaveAttribute('data-fault', 'storage-full');
  expect(card.getByRole('button').elements()).toEqual([]);
});

test('before the moment of a fault, its card says when to try again', async () => {
  const retryAt = now + 3_600_000;
  showing({ kind: 'rate-limited', by: 'server', retryAt });
  const card = page.getByRole('alert');
  await expect.element(card).toMatchTextContent(/Try again in 60 minutes/);
  await expect.element(card.getByRole('button', { name: 'Try again' })).toBeVisible();
});

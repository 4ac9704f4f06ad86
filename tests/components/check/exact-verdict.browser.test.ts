import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import CheckPanel from '#components/check/CheckPanel.vue';
import type { Purchase } from '#core/marketplaces/index';
import type { ReplySettings } from '#core/reply-templates/index';
import { copyPort } from '#stores/ports';
import { mounting } from '#tests/components/mounted';
import { code, connection, genuine, purchase } from '#tests/stores/check/samples';

const untold: Partial<Purchase> = {
  supportUnknown: true,
  buyer: { name: 'Jo Marlin', email: 'buyer@harbour.example' },
  uses: { count: 2, limit: 5 },
};
const card = () => document.querySelector<HTMLElement>('[data-verdict]');

async function show(changes: Partial<Purchase>, replies?: ReplySettings): Promise<string[]> {
  const copied: string[] = [];
  mounting(CheckPanel, {
    ...(replies !== undefined && { replies }),
    script: {
      'connections.list': () => [connection()],
      check: (asked) => genuine(asked, { ...withoutSupport(), ...changes }),
    },
    ports: (app) => {
      app.provide(copyPort, (text) => {
        copied.push(text);
        return Promise.resolve(true);
      });
    },
  });
  await page.getByRole('textbox', { name: 'Purchase code' }).fill(code);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => card()?.getAttribute('aria-busy')).toBe(null);
  return copied;
}

function withoutSupport(): Purchase {
  const { supportedUntil: _, ...rest } = purchase();
  return rest;
}

beforeEach(async () => {
  await page.viewport(384, 600);
});

describe('a marketplace that tells no support period', () => {
  test('its purchase is genuine, with its buyer and its uses, and nothing about support', async () => {
    await show(untold);
    expect(card()?.dataset).toMatchObject({ verdict: 'no-support', because: 'untold' });
    await expect
      .element(page.getByText('This marketplace does not report a support period'))
      .toBeVisible();
    await expect.element(page.getByText('Jo Marlin, buyer@harbour.example')).toBeVisible();
    await expect.element(page.getByText('2 of 5, 3 left')).toBeVisible();
  });

  test('a reply greets the buyer where its greeting asks for the name', async () => {
    const greeting = { greeting: 'Hello {customer},', closing: 'Bye' };
    const copied = await show(untold, { format: 'plain', frames: { en: greeting } });
    await page.getByRole('button', { name: 'Copy reply' }).click();
    await expect.poll(() => copied.at(-1)).toMatch(/^Hello Jo Marlin,\n[^]*Bye$/u);
    expect(copied.at(-1)).not.toContain('harbour.example');
  });

  test('a copied summary has no buyer and makes up no support', async () => {
    const copied = await show(untold);
    await page.getByRole('button', { name: 'Copy summary' }).click();
    await expect.poll(() => copied.length).toBe(1);
    expect(copied[0]).toContain('Genuine (This marketplace does not report a support period)');
    expect(copied[0]).toContain('Used: 2 of 5, 3 left');
    expect(copied[0]).not.toMatch(/Marlin|harbour\.example|Supported until/u);
  });
});

test.each([
  ['refunded', 'Refunded'],
  ['disputed', 'Payment disputed'],
  ['charged-back', 'Charged back'],
  ['disabled', 'Code disabled'],
  ['expired', 'License expired'],
  ['ended', 'Subscription ended'],
  ['test', 'Test purchase'],
] as const)('a purchase that is %s is said to be so, and is not green', async (kind, title) => {
  await show({ ...untold, problem: { kind } });
  expect(card()?.dataset).toMatchObject({ verdict: 'no-support', because: kind, tone: 'bad' });
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible();
});

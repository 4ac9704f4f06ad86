import type { Page } from '@playwright/test';

import type { Standing } from '#core/license/standing';
import { accessibilityProblems } from '#tests/support/accessibility';
import { addAuthorityQuietly, expect, sampleFile, test } from '#tests/support/authority';
import { storedText } from '#tests/support/traces';
import { expectAccessible } from '#tests/support/pages/verifier-access';
import { checkRow, chooseFiles } from '#tests/support/pages/verifier-page';

async function begin(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Rehearsal' }).click();
  await page.getByRole('button', { name: 'Begin' }).click();
  await stands(page, 'not-activated');
}

async function stands(page: Page, standing: Standing): Promise<void> {
  await expect(page.locator('main.rehearsal')).toHaveAttribute('data-rehearsal', standing);
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

/** How often the table says that an arrow was taken. */
async function taken(page: Page, id: string): Promise<string> {
  return page.locator(`[data-transition="${id}"] td:last-child`).innerText();
}

test('a rehearsal goes through all that can happen to a license, and leaves the authority as it was', async ({
  verifier,
  authority,
}) => {
  test.setTimeout(240_000);
  const state = async (): Promise<Record<string, unknown>> =>
    (await authority.control('state', undefined, 'GET')).body;
  const up = verifier.getByRole('switch', { name: 'Can be reached' });
  const revoked = verifier.getByRole('switch', { name: 'License revoked' });
  await begin(verifier);
  await verifier.getByText('The same as a table').click();

  await test.step('a sample license goes through every state of the table', async () => {
    await up.uncheck();
    await press(verifier, 'Activate');
    await expect(verifier.getByText('That counts as no answer.')).toBeVisible();
    await stands(verifier, 'not-activated');
    expect(await taken(verifier, 'activate-fails')).toBe('1');

    await up.check();
    await press(verifier, 'Activate');
    await stands(verifier, 'activated');
    await press(verifier, 'Use the product');
    await expect(verifier.getByText('nobody was asked').first()).toBeVisible();
    expect(await taken(verifier, 'use')).toBe('1');

    await press(verifier, 'To the check-in');
    await stands(verifier, 'validation-due');
    await press(verifier, 'Use the product');
    await stands(verifier, 'activated');
    expect(await taken(verifier, 'validate')).toBe('1');

    await press(verifier, 'To the check-in');
    await up.uncheck();
    await press(verifier, 'Use the product');
    await stands(verifier, 'grace');
    await expect(verifier.getByText('That is not the customer’s fault')).toBeVisible();
    expect(await accessibilityProblems(verifier)).toEqual([]);
    await press(verifier, 'To the end of grace');
    await stands(verifier, 'denied');
    expect(await taken(verifier, 'grace-ends')).toBe('1');

    await up.check();
    await press(verifier, '+1 day');
    await press(verifier, 'Use the product');
    await stands(verifier, 'activated');
    expect(await taken(verifier, 'return')).toBe('1');

    await revoked.check();
    await stands(verifier, 'activated');
    await press(verifier, 'To the check-in');
    await press(verifier, 'Use the product');
    await stands(verifier, 'denied');
    expect(await taken(verifier, 'refuse')).toBe('1');
    await expect(verifier.getByText('there is no grace for it').first()).toBeVisible();
    await revoked.uncheck();
    await press(verifier, '+1 day');
    await press(verifier, 'Use the product');
    await stands(verifier, 'activated');
    expect(await accessibilityProblems(verifier)).toEqual([]);

    // Issue and revoke of the licensing API were never called: the marketplace and the administrator did nothing.
    const { body } = await authority.control('audit', undefined, 'GET');
    const actors = new Set((body['entries'] as { actor: string }[]).map(({ actor }) => actor));
    expect([...actors].sort()).toEqual(['control', 'installation']);
  });

  await test.step('a guest network’s page opens grace and a lie proves nothing', async () => {
    await press(verifier, 'To the check-in');
    for (const [fault, sentence] of [
      ['captive-portal', 'no JSON came (HTTP 200)'],
      ['wrong-key', 'does not verify'],
      ['other-domain', 'for another domain'],
    ] as const) {
      await verifier.getByRole('combobox').selectOption(fault);
      await press(verifier, 'Set up');
      await press(verifier, '+1 day');
      await press(verifier, 'Use the product');
      await stands(verifier, 'grace');
      await expect(verifier.locator('.rehearsal-log li').first()).toContainText(sentence);
    }
    await press(verifier, '+1 day');
    await press(verifier, 'Use the product');
    await stands(verifier, 'activated');
  });

  await test.step('its clock is its own, and ending it puts the authority’s back', async () => {
    await press(verifier, 'To the end of grace');
    await stands(verifier, 'denied');
    await expect
      .poll(async () => Number((await state())['offsetMs']))
      .toBeGreaterThan(20 * 24 * 60 * 60 * 1000);
    await press(verifier, 'Turn it back a day');
    await up.uncheck();
    await press(verifier, 'End the rehearsal');
    await expect(verifier.getByRole('button', { name: 'Begin' })).toBeVisible();
    expect(await state()).toMatchObject({ offsetMs: 0, available: true });

    await verifier.getByRole('link', { name: 'Verify' }).click();
    const file = await sampleFile(authority, 'activated-bundle.json');
    await chooseFiles(verifier, ['state.json', file]);
    await expect(checkRow(verifier, 'clock')).toHaveAttribute('data-outcome', 'pass');
    const { indexedDB } = await storedText(verifier);
    const latest = /"latest-seen"\],\[\{"at":(\d+)/.exec(indexedDB ?? '')?.[1];
    expect(Number(latest)).toBeLessThanOrEqual(Date.now());
  });

  await test.step('the customer’s claims are copied into a sample, and nothing of theirs is touched', async () => {
    await verifier.getByRole('link', { name: 'Rehearsal' }).click();
    await verifier.getByRole('radio', { name: /From the customer’s file/ }).check();
    await expect(verifier.getByText('Copied from state.json into a sample license')).toBeVisible();
    await press(verifier, 'Begin');
    await press(verifier, 'Activate');
    await stands(verifier, 'activated');
    await expect(verifier.getByText('The product runs at shop.example.com')).toBeVisible();
    const { body } = await authority.control('audit', undefined, 'GET');
    const activated = (body['entries'] as { action: string; licenseId: string }[]).find(
      ({ action }) => action === 'activate',
    );
    expect(activated?.licenseId).toMatch(/^sample-[0-9a-f]{8}-/);
  });

  await test.step('axe finds nothing on a narrow page in any way of looking at it, and nothing is cut off', async () => {
    await press(verifier, 'To the check-in');
    await stands(verifier, 'validation-due');
    await verifier.getByText('The same as a table').click();
    await expectAccessible(verifier, async (way) => {
      if (way !== 'in forced colours') return;
      // The browser leaves drawings their own colours, which may not be seen beside the reader's.
      const fillOf = (part: string): Promise<string> =>
        verifier
          .locator(`.state.lit ${part}`)
          .evaluate((element) => getComputedStyle(element).fill);
      const reader = await verifier.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body);
        return [backgroundColor, color];
      });
      expect([await fillOf('rect'), await fillOf('text')]).toEqual(reader);
    });
  });
});

test('a live authority is never rehearsed with, and a token is asked for once', async ({
  extension,
  authority,
}) => {
  const { origin: address } = authority;
  await addAuthorityQuietly(extension, { name: 'Real', address, kind: 'live' });
  const page = await extension.open('verifier.html#rehearsal');
  await expect(page.getByText('A rehearsal needs a license server marked as test')).toBeVisible();
  await addAuthorityQuietly(extension, { name: 'Sandbox', address, kind: 'test' });
  await page.reload();
  await expect(page.getByRole('combobox').getByRole('option')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Begin' })).toBeDisabled();
  await page.getByLabel('Control token').fill('not-the-token');
  await press(page, 'Save token');
  await press(page, 'Begin');
  await expect(page.getByRole('alert')).toContainText('The control token is wrong.');
  await page.getByLabel('Control token').fill(authority.controlToken);
  await press(page, 'Save token');
  await press(page, 'Begin');
  await stands(page, 'not-activated');

  const refused = await page.evaluate(async () => {
    const ask = (topic: string, body: object): Promise<unknown> =>
      chrome.runtime.sendMessage({ topic, body, nonce: crypto.randomUUID() });
    const list = (await ask('authorities.list', {})) as { reply: { id: string; kind: string }[] };
    const live = list.reply.find(({ kind }) => kind === 'live');
    return ask('rehearsal.control', { authorityId: live?.id, command: { do: 'look' } });
  });
  expect(refused).toMatchObject({ reply: { ok: false, fault: { kind: 'not-test' } } });
});

import { market } from '#sandbox/seed/accounts';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { expect, test } from '#tests/support/connected';
import { storedText } from '#tests/support/traces';
import { openDesk } from '#tests/support/pages/desk-page';

const codes = sampleCodes('/market');

test('items are searched as one types, shown whole and as text, the account with all its fields, templates are edited; all of it outlives the browser', async ({
  connect,
  extension,
  sandbox,
}) => {
  await connect('/market');
  const desk = await openDesk(extension, 'items');
  const cards = desk.getByRole('list', { name: 'Items' }).getByRole('listitem');
  await expect(cards).toHaveCount(market.items.length);
  await desk.getByLabel('Search items').fill('shipping');
  await expect(cards).toHaveCount(1);
  await cards.getByRole('link').click();
  await expect(desk.getByRole('heading', { name: /Parcelflow/ })).toBeVisible();
  await expect(desk.getByText('$59.00 regular, $320.00 extended')).toBeVisible();
  await expect(desk.getByText('Published')).toBeHidden();
  await desk.getByText('Details', { exact: true }).click();
  await expect(desk.getByText('Published')).toBeVisible();

  const goTo = (place: string): Promise<unknown> =>
    desk.goto(desk.url().replace(/#.*$/u, `#/${place}`));
  await test.step('a description is shown as text, whatever it holds', async () => {
    await goTo('items');
    await desk.getByLabel('Search items').fill('Gatekeep');
    await desk.getByRole('link', { name: /Gatekeep/ }).click();
    await expect(
      desk.getByRole('heading', { name: 'Gatekeep <b>2FA</b> & passkeys' }),
    ).toBeVisible();
    await expect(desk.locator('.item-description b, .item-description script')).toHaveCount(0);
  });

  await test.step('the account shows all its fields, and its networks by their names', async () => {
    await goTo('account');
    await expect(desk.getByText('northmark', { exact: true })).toBeVisible();
    await expect(desk.locator('.account-cover')).toBeVisible();
    for (const text of ['$18,240.07', 'support@northmark.example'])
      await expect(desk.getByText(text).first()).toBeVisible();
    await expect(desk.getByRole('link', { name: 'YouTube' })).toBeVisible();
  });

  await test.step('a template about a license is previewed over a document that is signed and inspected here', async () => {
    await goTo('reply');
    const preview = desk.locator('output');
    for (const [name, says] of [
      ['All is well', /is active on shop.example.com/],
      ['Running in grace', /may keep running until .* UTC/],
      ['Bound to another domain', /shop.example.com, not to www.shop.example.com/],
      [
        'Changed or damaged',
        /^Hello,\s+We could not verify what you sent. The license is not as it was issued/,
      ],
    ] as const) {
      await desk.getByRole('button', { name, exact: true }).click();
      await expect
        .poll(async () => (await preview.innerText()).replaceAll('\u200C', ''))
        .toMatch(says);
    }
    await desk.getByLabel('Text', { exact: true }).fill('Bound to {domain}, not {code}.');
    await expect(desk.getByText('No such variable: code')).toBeVisible();
    await desk.getByRole('button', { name: 'Back to the built-in templates' }).click();
    await expect(desk.getByLabel('Text', { exact: true })).toHaveValue(/^We could not verify/);
  });

  await test.step('templates can be edited, with a live preview', async () => {
    await desk.reload();
    await desk.getByLabel('Text', { exact: true }).fill('Item {item}, {nonsense}');
    await expect(desk.locator('output')).toHaveText(
      /^Hello,\s+Item Ledgerline.*, \{nonsense\}\s+Kind/,
    );
    await expect(desk.getByText('No such variable: nonsense')).toBeVisible();
    await desk.getByLabel('Greeting').fill('Dear customer,');
    await expect(desk.locator('output')).toHaveText(/^Dear customer,/);
    await desk.getByLabel('Copy as Markdown').check();
    // A page that is closed at once takes what it has not written yet with it.
    await expect
      .poll(() => desk.evaluate(() => chrome.storage.local.get('reply-templates')))
      .toMatchObject({ 'reply-templates': { format: 'markdown' } });
  });

  await sandbox.reset();
  await sandbox.injectFault('/market', { fault: 'reset', times: 50 });
  await extension.restart();
  const later = await openDesk(extension, 'items');
  const cached = later.getByRole('list', { name: 'Items' }).getByRole('listitem');
  await expect(cached).toHaveCount(market.items.length);
  await expect(later.getByText(/^fetched/)).toBeVisible();
  expect(await sandbox.apiRequests()).toEqual([]);
  await later.getByRole('button', { name: 'Refresh' }).click();
  // It is told in the line above the items, which stay where they are.
  await expect(later.getByRole('status').filter({ hasText: 'could not be reached' })).toBeVisible();
  await expect(cached).toHaveCount(market.items.length);

  await later.goto(later.url().replace(/#.*$/u, '#/reply'));
  await expect(later.getByLabel('Text', { exact: true })).toHaveValue('Item {item}, {nonsense}');
  await expect(later.getByLabel('Copy as Markdown')).toBeChecked();
  await expect(later.getByLabel('Greeting')).toHaveValue('Dear customer,');
  await expect(later.getByRole('button', { name: 'Help this once' })).toBeVisible();
});

test('an item that the list hides is found by its id', async ({ connect, extension }) => {
  await connect('/dialect/one-item');
  const desk = await openDesk(extension, 'items');
  await expect(desk.getByText('Look it up by its id', { exact: false })).toBeVisible();
  await desk.getByRole('searchbox', { name: 'Search items, or an id' }).fill('9999999');
  await desk.getByRole('button', { name: 'Look up id 9999999' }).click();
  await expect(
    desk.getByRole('heading', { name: 'No item 9999999 on this account' }),
  ).toBeVisible();
});

test('history says what has changed and is erased at once, a verdict links to its item and copies as a reply, and a code for another item warns', async ({
  connected,
  extension,
  sandbox,
}) => {
  const popup = await connected('/market');
  await extension.now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await test.step('history says what has changed, and is erased at once', async () => {
    await checkCode(popup, codes.extended);
    await sandbox.alterPurchase('/market', codes.extended, {
      supported_until: '2020-01-01T00:00:00Z',
    });
    await popup.getByRole('button', { name: 'Refresh' }).click();
    await expect(popup.locator('[data-change]')).toContainText('Support ends earlier');

    const desk = await openDesk(extension, 'history');
    const grid = desk.getByRole('grid', { name: 'Checked codes' });
    await expect(grid.locator('[data-verdict]')).toHaveCount(1);
    await expect(grid.getByText('×2', { exact: true })).toBeVisible();
    await expect(grid.getByLabel(/^Before: Supported/u)).toBeVisible();
    await expect(grid).not.toContainText(codes.extended);
    await desk.getByLabel('Search, or paste a full code').fill(codes.extended.toUpperCase());
    await expect(grid.locator('[data-verdict]')).toHaveCount(1);
    await desk.getByRole('button', { name: 'History settings' }).click();
    await desk.getByRole('switch', { name: 'Keep full codes' }).check();
    // A page that is reloaded at once takes what it has not written yet with it. This is written after the switch.
    await desk.getByLabel('Days to keep it').fill('29');
    await desk.getByLabel('Days to keep it').blur();
    await expect.poll(async () => (await storedText(desk))['indexedDB']).toMatch(/"days":29\b/);
    await desk.reload();
    await desk.getByRole('button', { name: 'History settings' }).click();
    await expect(desk.getByRole('switch', { name: 'Keep full codes' })).toBeChecked();
    await desk.keyboard.press('Escape');
    await desk.getByLabel('Search, or paste a full code').fill(codes.unknown);
    await expect(grid.locator('[data-verdict]')).toHaveCount(0);
    await desk.getByRole('button', { name: 'History settings' }).click();
    await desk.getByRole('button', { name: 'Erase history' }).click();
    await expect(desk.getByText('Nothing has been checked yet.')).toBeVisible();
  });

  await test.step('a verdict links to its item, and copies as a reply with a masked code', async () => {
    await popup.bringToFront();
    await checkCode(popup, codes.supported);
    await popup.getByRole('button', { name: 'Preview' }).click();
    await popup.getByRole('menuitem', { name: 'Preview' }).click();
    await popup
      .getByRole('combobox', { name: 'Reply template' })
      .selectOption({ label: 'With details' });
    const shown = await popup.locator('[data-reply]').innerText();
    await popup.getByRole('button', { name: 'Copy reply' }).click();
    await expect(popup.getByText('Copied', { exact: true })).toBeAttached();
    const reply = await popup.evaluate(() => navigator.clipboard.readText());
    expect(reply).toBe(shown);
    expect(reply).toMatch(/^Hello,\n\nWe have found your purchase[^]* \d{4}[^]*\n\nKind regards$/u);
    expect(reply).toContain('…');
    expect(reply).not.toContain(codes.supported);

    // The preview covers the facts.
    await popup.keyboard.press('Escape');
    const [desk] = await Promise.all([
      extension.now.context.waitForEvent('page'),
      popup.locator('.purchase-item a').first().click(),
    ]);
    await expect(desk.locator('.item-detail')).toBeVisible();
    expect(desk.url()).not.toContain(codes.supported);
  });

  await test.step('a genuine code for another item than the expected one warns', async () => {
    const desk = await openDesk(extension, 'items');
    await desk.getByRole('link', { name: /Weighbridge/ }).click();
    await desk.getByRole('button', { name: 'Expect this item' }).click();
    await popup.reload();
    await expect(popup.getByText('Expecting codes for Weighbridge')).toBeVisible();
    expect(await checkCode(popup, codes.supported)).toMatchObject({ verdict: 'supported' });
    await expect(popup.locator('[data-other-item]')).toContainText('Genuine, for another item');
  });
});

import { market } from '#sandbox/seed/accounts';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { accessibilityProblems, problemsInLightAndDark } from '#tests/support/accessibility';
import { createTestAuthority } from '#tests/support/license-files';
import { startBulkCheck } from '#tests/support/pages/desk-page';
import { testFirstConnection } from '#tests/support/pages/options-page';
import { expectAccessible } from '#tests/support/pages/verifier-access';
import { chooseFiles, expectStanding, pinKey } from '#tests/support/pages/verifier-page';
import { expect, test } from '#tests/support/ticket';
import { expectWhole } from '#tests/support/whole-page';

const codes = sampleCodes('/demo');

test('on every page at first use, and on the form for a connection, axe finds nothing', async ({
  extension,
}) => {
  const page = await extension.open('popup.html');
  for (const name of ['popup', 'sidepanel', 'desk', 'verifier', 'options']) {
    await page.goto(page.url().replace(/\w+\.html$/u, `${name}.html`));
    expect.soft(await problemsInLightAndDark(page), name).toEqual([]);
  }
  await page.getByRole('button', { name: 'Add connection' }).first().click();
  await page.getByText('Advanced:').click();
  await page.getByText('Where do I find my key?').first().click();
  expect(await problemsInLightAndDark(page)).toEqual([]);
});

test('in use every page is whole when it is enlarged, and axe finds nothing', async ({
  connectAtDesk,
  extension,
  sandbox,
}) => {
  await connectAtDesk(['/demo', '/market']);
  await test.step('the popup', async () => {
    const popup = await extension.open('popup.html');
    await checkCode(popup, codes.supported);
    await expectWhole(popup);
    await expectAccessible(popup);
    for (const verdict of ['lapsed', 'noSupport', 'unknown'] as const) {
      await checkCode(popup, codes[verdict]);
      expect.soft(await problemsInLightAndDark(popup), verdict).toEqual([]);
    }
    await sandbox.injectFault('/demo', { fault: 'html-500', times: 9 });
    expect(await checkCode(popup, codes.extended)).toMatchObject({ verdict: 'fault' });
    expect(await problemsInLightAndDark(popup), 'a fault').toEqual([]);
    await sandbox.removeFaults();
    await popup.close();
  });

  await test.step('the side panel', async () => {
    const panel = await extension.open('sidepanel.html');
    await checkCode(panel, codes.supported);
    await expect(panel.getByRole('heading', { name: 'Recently checked' })).toBeVisible();
    await expectWhole(panel);
    await expectAccessible(panel);
    await panel.close();
  });

  await test.step('the settings, with a form', async () => {
    const options = await extension.open('options.html');
    await testFirstConnection(options);
    await expect(options.getByText('Sites that show verdicts')).toBeVisible();
    await options.getByRole('button', { name: 'Add connection' }).first().click();
    await expectWhole(options);
    expect(await problemsInLightAndDark(options)).toEqual([]);
    await options.evaluate(() => (document.documentElement.dir = 'rtl'));
    expect(await accessibilityProblems(options)).toEqual([]);
    await options.close();
  });

  const desk = await extension.open('desk.html');
  await test.step('a bulk check', async () => {
    const [code = ''] = market.purchases.map((purchase) => purchase.code);
    await desk.getByLabel('Codes, or a file').fill(`code;x\n${code};1`);
    await expect(desk.getByRole('button', { name: 'Check 1 code' })).toBeEnabled();
    await expectWhole(desk);
    expect(await problemsInLightAndDark(desk)).toEqual([]);
    await startBulkCheck(desk, `${code}\n${codes.unknown}`);
    await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();
    await expectWhole(desk);
    expect(await problemsInLightAndDark(desk)).toEqual([]);
    await desk.getByRole('grid').press('Enter');
    await expect(desk.getByRole('dialog')).toBeVisible();
    expect(await problemsInLightAndDark(desk)).toEqual([]);
  });

  const goTo = async (section: string): Promise<void> => {
    await desk.goto(desk.url().replace(/#.*$/u, `#/${section}`));
    await expect(desk.locator('.card, [role=grid]').first()).toBeVisible();
  };
  for (const section of ['account', 'report', 'items', 'history', 'reply'])
    await test.step(`the desk, ${section}`, async () => {
      await goTo(section);
      if (section === 'history')
        await desk.getByRole('button', { name: 'History settings' }).click();
      if (section === 'items') await expect(desk.getByRole('listitem').nth(10)).toBeVisible();
      await expectWhole(desk);
      if (section === 'reply') return;
      expect(await problemsInLightAndDark(desk)).toEqual([]);
    });
  await test.step('a template that was changed', async () => {
    await desk.getByLabel('Text', { exact: true }).fill('{nonsense} '.repeat(9).trim());
    await expect(desk.getByText('No such variable: nonsense')).toBeVisible();
    await expectAccessible(desk);
  });
  await test.step('an item, and a check of the history', async () => {
    await desk.reload();
    await goTo('items');
    await desk.getByRole('link', { name: /Ledgerline/u }).click();
    await expect(desk.locator('.item-detail')).toBeVisible();
    expect(await problemsInLightAndDark(desk)).toEqual([]);
    await goTo('history');
    // The first row is the heading of a day, the second the bulk check.
    for (const shown of ['Open the bulk check', 'Refresh']) {
      await desk.getByRole('grid').press('ArrowDown');
      await desk.getByRole('grid').press('Enter');
      await expect(desk.getByRole('dialog')).toContainText(shown);
      expect(await problemsInLightAndDark(desk)).toEqual([]);
      await desk.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    }
  });

  await test.step('the verifier', async () => {
    const authority = createTestAuthority();
    const verifier = await extension.open('verifier.html');
    await pinKey(verifier, authority.publicKey);
    const license = authority.sign({
      license_id: 'LIC-1',
      product_slug: 'orbit',
      domain: 'a.example',
    });
    await chooseFiles(verifier, ['customer.lic', license]);
    await expectStanding(verifier, 'customer.lic', 'not-activated');
    await expectWhole(verifier);
  });
});

test('nothing moves for a person who asked for less motion', async ({ connected, sandbox }) => {
  const popup = await connected('/demo');
  await popup.emulateMedia({ reducedMotion: 'reduce' });
  await sandbox.injectFault('/demo', { fault: 'silence', times: 9 });
  await popup.getByRole('textbox', { name: 'Purchase code' }).fill(codes.supported);
  await popup.keyboard.press('Enter');
  await expect(popup.locator('[aria-busy="true"]')).toBeVisible();
  const moving = (): Promise<string[]> =>
    popup.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => (effect as KeyframeEffect).target?.className.toString() ?? ''),
    );
  await expect.poll(moving).toEqual([]);
  await popup.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(moving).not.toEqual([]);
});

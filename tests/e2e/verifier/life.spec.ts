import { expect, test } from '#tests/support/authority';

test('in the life of a license each press leaves the focus and the place in the page, and says what came of it', async ({
  extension,
  authority,
}) => {
  const page = await extension.now.context.newPage();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${authority.origin}/life`);
  const press = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
  const news = page.getByRole('status');
  await press('Issue a license');
  await expect(page.getByRole('button', { name: 'Begin again' })).toBeFocused();
  await press('Activate');
  await expect(news).toHaveText('Activated. Activation succeeded: the server sent a certificate');
  await press('Answers');
  await expect(news).toHaveText('Activated. Nothing changed.');

  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  const day = page.getByRole('button', { name: 'A day on' });
  await day.focus();
  const place = await page.evaluate(() => scrollY);
  const moments = page.locator('.times li');
  await expect(moments).toHaveCount(5);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.locator('.log tbody tr').first()).toContainText('A day passed (2 times)');
  await expect(moments).toHaveCount(7);
  await expect(day).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(place);

  await press('On to the end of grace');
  await expect(page.locator('main')).toHaveAttribute('data-standing', 'denied');
  // Nothing leads back to a moment that has passed.
  await expect(page.getByRole('button', { name: 'On to the next validation' })).toBeDisabled();
  await press('Revoked');
  await expect(page.locator('.log tbody tr')).toHaveCount(5);

  await page.route('**/life', (route) => route.fulfill({ status: 500, body: '{}' }));
  await press('A day on');
  await expect(news).toContainText('The sandbox answered with an error 500.');
  await page.unrouteAll();
  await page.route('**/life', (route) => route.fulfill({ body: '<p>Another program</p>' }));
  await press('A day on');
  await expect(news).toContainText('What answered is not this page.');
  await page.unrouteAll();
  await page.route('**/life', (route) => route.abort());
  await press('A day on');
  await expect(news).toContainText('The sandbox does not answer.');
  await expect(page.locator('.log tbody tr')).toHaveCount(5);
});

test('a life that ended with its server is told, and another can begin', async ({
  extension,
  authority,
}) => {
  const page = await extension.now.context.newPage();
  const start = await (await fetch(`${authority.origin}/life`)).text();
  await page.goto(`${authority.origin}/life`);
  await page.getByRole('button', { name: 'Issue a license' }).click();
  await expect(page.locator('.log')).toBeVisible();
  await page.route('**/life', (route) => route.fulfill({ contentType: 'text/html', body: start }));
  await page.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByRole('status')).toContainText('this life has ended');
  await expect(page.getByRole('button', { name: 'Issue a license' })).toBeFocused();
});

test('while an answer is pending the page says so, and the focus may go on', async ({
  extension,
  authority,
}) => {
  const page = await extension.now.context.newPage();
  await page.goto(`${authority.origin}/life`);
  await page.getByRole('button', { name: 'Issue a license' }).click();
  const main = page.locator('main');
  const activate = page.getByRole('button', { name: 'Activate' });
  const use = page.getByRole('button', { name: 'Use the product' });
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/life', async (route) => {
    await held;
    await route.continue();
  });
  await activate.press('Enter');
  await expect(main).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('status')).toHaveText('The sandbox has not answered yet.');
  await expect(use).toBeFocused();
  answer();
  await expect(main).toHaveAttribute('data-standing', 'activated');
  await expect(main).not.toHaveAttribute('aria-busy');
  await expect(use).toBeFocused();

  // A reply that comes while a button is held down replaces it once it is released.
  await use.click();
  await use.hover();
  await page.mouse.down();
  await page.waitForTimeout(600);
  await page.mouse.up();
  await expect(page.locator('.log tbody tr').first()).toContainText('(2 times)');
});

const presses =
  `A day back, Activate, A day on, Use the product, Is away, On to the next validation, Use the product,
A day back, Use the product, A day on, Use the product, Answers, Revoked, An hour on, Use the product,
Use the product, A day on, An error 500, Use the product, Use the product, A day back, Use the product`.split(
    /,\s/u,
  );

test('in the life of a license no press moves a button that stays', async ({
  extension,
  authority,
}) => {
  const page = await extension.now.context.newPage();
  const press = async (name: string): Promise<number> => {
    const before = await page.locator('main').elementHandle();
    await page.getByRole('button', { name, exact: true }).click();
    await page.waitForFunction((main) => !main.isConnected, before);
    return page
      .getByRole('button', { name: 'A day back' })
      .evaluate((button) => button.getBoundingClientRect().top + scrollY);
  };
  for (const width of [360, 800, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`${authority.origin}/life`);
    await press(width === 360 ? 'Issue a license' : 'Begin again');
    const place = await press('Activate');
    for (const name of presses)
      expect([width, name, await press(name)]).toEqual([width, name, place]);
  }
});

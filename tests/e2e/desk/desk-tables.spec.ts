import { market } from '#sandbox/seed/accounts';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { accessibilityProblems } from '#tests/support/accessibility';
import { expect, test } from '#tests/support/connected';
import { openDesk, startBulkCheck } from '#tests/support/pages/desk-page';

const codes = sampleCodes('/market');
const listed = market.purchases.slice(0, 3).map(({ code }) => code);

test('a bulk check is deleted and brought back, its rows refreshed and copied', async ({
  connect,
  extension,
}) => {
  await connect('/market');
  await extension.now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const desk = await extension.open('desk.html');
  await startBulkCheck(desk, [...listed, codes.unknown].join('\n'));
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();
  const grid = desk.getByRole('grid', { name: 'Codes of this bulk check' });
  await expect(grid.locator('[data-verdict]')).toHaveCount(4);

  await grid.press('Enter');
  const row = desk.getByRole('dialog');
  await row.getByRole('button', { name: 'Copy summary' }).click();
  const copied = await desk.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('…');
  await expect(row.getByRole('button', { name: 'Copy reply' })).toBeVisible();
  await row.getByRole('button', { name: 'Refresh' }).click();
  await expect(row.getByRole('button', { name: 'Refresh' })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect(row.getByRole('alert')).toHaveCount(0);
  await row.getByRole('button', { name: 'Close' }).click();

  await desk.getByRole('button', { name: 'Delete' }).click();
  await expect(desk.getByText(/….{4} \+3” was deleted\./u)).toBeVisible();
  await expect(desk.getByRole('heading', { name: 'All bulk checks' })).toHaveCount(0);
  await desk.getByRole('button', { name: 'Undo' }).click();
  const job = desk.getByRole('link', { name: /….{4} \+3$/u });
  await expect(job).toBeFocused();
  await job.press('Enter');
  await expect(grid.locator('[data-verdict]')).toHaveCount(4);
});

test('the history folds a bulk run, is filtered, asks again, and comes back whole', async ({
  connected,
  extension,
}) => {
  const popup = await connected('/market');
  await checkCode(popup, codes.lapsed);
  const desk = await openDesk(extension, 'history');
  await desk.goto(desk.url().replace(/#.*$/u, '#/bulk'));
  await startBulkCheck(desk, [...listed, codes.unknown].join('\n'));
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();

  await desk.goto(desk.url().replace(/#.*$/u, '#/history'));
  const grid = desk.getByRole('grid', { name: 'Checked codes' });
  await expect(grid.getByRole('row').nth(1)).toContainText('4 codes');
  await expect(grid.getByRole('row').nth(2)).toContainText('Bulk check');
  await expect(grid.getByRole('row').nth(2)).toContainText('4 codes');
  // The code that was checked alone before is in the run, where it was checked last.
  await expect(grid.locator('[data-verdict]')).toHaveCount(0);
  await grid.press('ArrowDown');
  await grid.press('Enter');
  await expect(desk.getByRole('dialog')).toContainText(' +3');
  await desk.getByRole('link', { name: 'Show its checks' }).click();
  await expect(grid.locator('[data-verdict]')).toHaveCount(4);
  await desk.getByRole('link', { name: 'Show all' }).click();

  await desk.getByRole('button', { name: /^Not found/u }).click();
  await expect(grid.locator('[data-verdict]')).toHaveCount(1);
  await grid.press('ArrowDown');
  await grid.press('Enter');
  await desk.getByRole('button', { name: 'Refresh' }).click();
  await expect(desk.getByRole('heading', { name: 'Each check' })).toBeVisible();
  await desk.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await desk.getByRole('button', { name: 'History settings' }).click();
  await desk.getByRole('button', { name: 'Erase history' }).click();
  await expect(desk.getByText('Nothing has been checked yet.')).toBeVisible();
  await desk.getByRole('button', { name: 'Undo' }).click();
  await expect(grid.locator('[data-verdict]')).toHaveCount(1);
  await expect(grid.getByText('×2', { exact: true })).toBeVisible();
});

test('an item leads to its purchases in the history, and a list is checked for it by its name', async ({
  connect,
  extension,
}) => {
  await connect('/market');
  const desk = await openDesk(extension, 'items');
  await desk.getByRole('link', { name: /Parcelflow/u }).click();
  await desk.getByRole('link', { name: 'Purchases in history' }).click();
  await expect(desk.getByText('Nothing has been checked yet.')).toBeVisible();

  await desk.goto(desk.url().replace(/#.*$/u, '#/bulk'));
  const picker = desk.getByRole('combobox', { name: 'Expected item' });
  await picker.fill('parcel');
  await expect(desk.getByRole('listbox').getByRole('option')).toHaveCount(1);
  expect(await accessibilityProblems(desk)).toEqual([]);
  await picker.press('Enter');
  await expect(picker).toHaveValue(/Parcelflow/u);
  await startBulkCheck(desk, listed.join('\n'));
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();
  await expect(desk.locator('[data-other-item]').first()).toBeVisible();
});

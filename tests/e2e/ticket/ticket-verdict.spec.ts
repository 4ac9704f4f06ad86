import { sampleCodes } from '#sandbox/seed/sample-codes';
import { allowHelpDesk, chipsOf, expect, hiddenPage, test } from '#tests/support/ticket';
import { connectionChoice } from '#tests/support/pages/popup-page';
import { takeTab } from '#tests/support/tabs';
import { waitForAbsence } from '#tests/support/waits';

const demo = sampleCodes('/demo');

test('a verdict stays when its chip is clicked, and the panel shows the same', async ({
  connected,
  extension,
  desk,
}) => {
  const popup = await connected('/market', '/demo');
  await connectionChoice(popup).selectOption({ index: 0 });
  await popup.close();
  await allowHelpDesk(extension, desk, true);
  const page = await takeTab(extension.now.context);
  await page.goto(`${desk}/tickets/1041`);
  const labels = async (): Promise<string[]> => (await chipsOf(page)).map((one) => one.label);
  await expect.poll(labels).toEqual(['Supported']);

  const [chip] = await chipsOf(page);
  await page.mouse.click((chip?.left ?? 0) + 8, (chip?.top ?? 0) + 8);
  const panel = await hiddenPage(extension, 'sidepanel.html');
  const verdicts = (): Promise<string> =>
    panel.evaluate(
      `[...document.querySelectorAll('[data-verdict]:not([aria-busy])')].map((one) => one.dataset.verdict).join()`,
    );
  await expect.poll(verdicts).toContain('supported');
  expect(await panel.evaluate(`document.querySelector('#code').value`)).toBe(demo.supported);
  await waitForAbsence(1000);
  expect(await labels()).toEqual(['Supported']);
});

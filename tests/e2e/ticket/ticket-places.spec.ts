import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { chipsOf, expect, type SeenChip, test } from '#tests/support/ticket';
import { coveredWords } from '#tests/support/covered-words';

const demo = sampleCodes('/demo');

/** Milliseconds; several pages are waited for at a time. */
const intervals = [200];

const sizeOf = ({ form, width, height }: SeenChip): string =>
  `${form} ${String(width)} ${String(height)}`;

test('at rest no chip lies over a word, its own code or another chip', async ({
  ticketPage,
  extension,
  desk,
}) => {
  await ticketPage(['/demo', '/market'], { automatic: true });
  const expectUncovered = async (path: string, width: number): Promise<void> => {
    const page = await extension.now.context.newPage();
    await page.setViewportSize({ width, height: 2000 });
    await page.goto(`${desk}/${path}`);
    const at = `${path}, ${String(width)} px`;
    // All codes of the page are found once as many chips are seen twice.
    let before: string[] = [];
    await expect
      .poll(
        async () => {
          const { length } = before;
          before = (await chipsOf(page)).map(sizeOf);
          return length > 0 && before.length === length;
        },
        { message: at, intervals: [500] },
      )
      .toBe(true);
    expect(await coveredWords(page), `${at}, before any verdict`).toEqual([]);
    await expect
      .poll(async () => (await chipsOf(page)).some(({ label }) => label.includes('Check')), {
        message: at,
        intervals,
      })
      .toBe(false);
    const after = await chipsOf(page);
    expect(await coveredWords(page), `${at}, with verdicts`).toEqual([]);
    // The verdict changes neither form nor size.
    expect(after.map(sizeOf)).toEqual(before);
    for (const one of after)
      expect(['wide 176 20', 'chip 112 20', 'icon 16 16']).toContain(sizeOf(one));
    await page.close();
  };
  const [first, ...others] = [
    'tickets/1043',
    'tickets/1050',
    'tickets/1056',
    'mail/1044',
    'shapes',
  ] as const;
  // The page with most codes comes once both connections have answered: before, a tab may have fewer looked up in a
  // minute.
  await expectUncovered(first, 1280);
  await Promise.all(others.map((path) => expectUncovered(path, 1280)));
  await Promise.all([first, ...others].map((path) => expectUncovered(path, 360)));
});

test('the shortcut steps through all codes, those without a chip too, and Enter opens one', async ({
  ticketPage,
  extension,
  desk,
}) => {
  const page = await ticketPage(['/demo']);
  await page.route(`${desk}/full`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Ticket</title><p>${demo.supported}</p>
        <p style="white-space:nowrap;overflow:hidden;margin:0 -8px">${'word '.repeat(5)}${demo.lapsed}${' word'.repeat(99)}</p>`,
    }),
  );
  await page.goto(`${desk}/full`);
  const codes = async (): Promise<string[]> => (await chipsOf(page)).map(({ code }) => code);
  await expect.poll(codes).toEqual([demo.supported]);
  await page.bringToFront();
  const step = (): Promise<void> =>
    extension.now.worker.evaluate(async (address) => {
      const [tab] = (await chrome.tabs.query({})).filter(({ url }) => url === address);
      const command = chrome.commands.onCommand as unknown as {
        dispatch: (name: string, tab: object | undefined) => void;
      };
      command.dispatch('next-code', tab);
    }, page.url());
  await step();
  await expect.poll(() => focusedButton(page)).toBe(`Check: ${demo.supported}`);
  await step();
  await expect.poll(() => focusedButton(page)).toBe(`Check: ${demo.lapsed}`);
  expect(await codes()).toEqual([demo.supported, demo.lapsed]);
  await page.keyboard.press('Escape');
  await expect.poll(codes).toEqual([demo.supported]);
  await step();
  await expect.poll(() => focusedButton(page)).toBe(`Check: ${demo.supported}`);
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await chipsOf(page)).map(({ label }) => label))
    .not.toEqual(['Check']);
});

/** The name of the button that has the focus, closed shadow roots included. */
async function focusedButton(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  await devtools.detach();
  const focused = nodes.find(
    ({ role, properties }) =>
      role?.value === 'button' &&
      properties?.some(({ name, value }) => name === 'focused' && value.value === true),
  );
  return String(focused?.name?.value ?? '');
}

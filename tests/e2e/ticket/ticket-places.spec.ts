import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { chipsOf, expect, type SeenChip, test } from '#tests/support/ticket';
import { coveredWords } from '#tests/support/covered-words';

const demo = sampleCodes('/demo');

/** Milliseconds; several pages are waited for at a time. */
const intervals = [200];

const sizeOf = ({ form, width, height }: SeenChip): string =>
  `${form} ${String(width)} ${String(height)}`;

/** The pages whose chips are looked at closely, with the labels that are due on them. */
const shapes = [
  ['tickets/1043', ['No support', 'Supported', 'Supported', 'Supported']],
  ['tickets/1050', ['Supported']],
  ['tickets/1056', ['No support', 'Support ended', 'Supported']],
  ['mail/1044', undefined],
  ['shapes', undefined],
] as const;

/** The labels that are due on other pages of the help desk. */
const due = [
  ['tickets/1041', ['Supported']],
  ['tickets/1042', ['Support ended']],
  // Of the other seller.
  ['tickets/1044', ['Supported']],
  ['tickets/1045', ['Supported']],
  ['tickets/1046', ['Support ended', 'Support ended']],
  ['tickets/1048', ['Not found']],
  ['tickets/1049', ['Supported', 'Supported', 'Supported']],
  ['tickets/1053', []],
  ['app/1047', ['No support']],
  ['app/1051', ['Supported']],
  ['mail/1046', ['Support ended', 'Support ended']],
] as const;

const labelsOn = async (page: Page): Promise<string[]> =>
  (await chipsOf(page)).map(({ label }) => label).sort();

test('on a site where codes are checked by themselves each has its verdict beside it, a very long thread those in view; at rest no chip lies over a word, its own code or another chip', async ({
  ticketPage,
  extension,
  desk,
}) => {
  await ticketPage(['/demo', '/market'], { automatic: true });
  const expectUncovered = async (
    [path, labels]: (typeof shapes)[number],
    width: number,
  ): Promise<void> => {
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
    if (labels !== undefined && width === 1280)
      expect(after.map(({ label }) => label).sort(), at).toEqual(labels);
    expect(await coveredWords(page), `${at}, with verdicts`).toEqual([]);
    // The verdict changes neither form nor size.
    expect(after.map(sizeOf)).toEqual(before);
    for (const one of after)
      expect(['wide 176 20', 'chip 112 20', 'icon 16 16']).toContain(sizeOf(one));
    await page.close();
  };
  const [first, ...others] = shapes;
  // The page with most codes comes once both connections have answered: before, a tab may have fewer looked up in a
  // minute.
  await expectUncovered(first, 1280);
  await Promise.all(others.map((path) => expectUncovered(path, 1280)));
  await Promise.all(shapes.map((each) => expectUncovered(each, 360)));

  const expectDue = async ([path, labels]: (typeof due)[number]): Promise<void> => {
    // A tab may have ten codes a minute looked up by themselves.
    const page = await extension.now.context.newPage();
    await page.goto(`${desk}/${path}`);
    await expect.poll(() => labelsOn(page), { message: path }).toEqual(labels);
    await page.close();
  };
  await Promise.all(due.map(expectDue));

  const page = await extension.now.context.newPage();
  await page.goto(`${desk}/thread/3000`);
  await page.getByText(demo.supported).first().scrollIntoViewIfNeeded();
  await expect.poll(() => labelsOn(page)).toEqual(['Supported']);
  await page.getByText(demo.unknown).last().scrollIntoViewIfNeeded();
  await expect.poll(() => labelsOn(page)).toEqual(['Not found']);
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

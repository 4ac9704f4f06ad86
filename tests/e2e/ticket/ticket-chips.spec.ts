import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { allowHelpDesk, chipsOf, expect, test, hiddenPageWith } from '#tests/support/ticket';
import { withQuietPage } from '#tests/support/quiet-page';
import { waitForAbsence } from '#tests/support/waits';
import { takeTab } from '#tests/support/tabs';

const demo = sampleCodes('/demo');

const labelsOn = async (page: Page): Promise<string[]> =>
  (await chipsOf(page)).map(({ label }) => label).sort();

test('chips say Check and tell the page nothing; a click opens the side panel on that code, and the chip learns the verdict', async ({
  connect,
  extension,
  sandbox,
  desk,
}) => {
  await connect('/demo');
  const page = await takeTab(extension.now.context);
  const openTicket = async (): Promise<void> => {
    await page.goto(`${desk}/tickets/1042`);
    await expect.poll(() => labelsOn(page)).toEqual(['Check']);
  };
  const removeSite = (origin: string): Promise<unknown> =>
    withQuietPage(extension.now, ({ ask }) => ask('sites.remove', { origin }));

  await test.step('nothing runs on a neighbour of an allowed site: match patterns know no port', async () => {
    await allowHelpDesk(extension, 'http://localhost:1/desk');
    await page.goto(`${desk}/tickets/1042`);
    await waitForAbsence(800);
    expect(await labelsOn(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.lastElementChild?.tagName)).toBe(
      'BODY',
    );
    await removeSite('http://localhost:1');
  });

  await allowHelpDesk(extension, desk);
  await test.step('what an agent writes has no chips, and copies and prints have none', async () => {
    await openTicket();
    await page.getByLabel('Reply').fill(`Your code ${demo.supported}`);
    await page.getByLabel('Internal note').pressSequentially(` ${demo.lapsed} seen`);
    await expect.poll(() => labelsOn(page)).toEqual(['Check']);
    await waitForAbsence(500);
    expect(await labelsOn(page)).toEqual(['Check']);

    await page.locator('h1').click();
    await page.keyboard.press('ControlOrMeta+a');
    expect(await page.evaluate(() => getSelection()?.toString())).not.toContain('Check');
    expect(await page.evaluate(() => document.documentElement.innerText)).not.toContain('Check');
    await page.emulateMedia({ media: 'print' });
    expect(await chipsOf(page)).toEqual([]);
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => labelsOn(page)).toEqual(['Check']);
  });

  await test.step('no script of the page can open, read or click a chip, throw its host out or hide it by a style', async () => {
    await openTicket();
    const [chip] = await chipsOf(page);
    const seen = await page.evaluate(
      ({ left, top }) => {
        const host = document.elementFromPoint(left + 8, top + 8);
        host?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
        (host as HTMLElement | null)?.click();
        return { tag: host?.tagName, root: host?.shadowRoot, text: host?.textContent };
      },
      { left: chip?.left ?? 0, top: chip?.top ?? 0 },
    );
    expect(seen).toEqual({ tag: 'DIV', root: null, text: '' });
    await waitForAbsence(500);
    expect(await labelsOn(page)).toEqual(['Check']);
    expect(await sandbox.apiRequests()).toEqual([]);

    await page.evaluate(() => {
      document.documentElement.lastElementChild?.remove();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('html > div { display: none !important; transform: scale(9) !important }');
      document.adoptedStyleSheets.push(sheet);
    });
    await expect.poll(() => labelsOn(page)).toEqual(['Check']);
  });

  await test.step('a page that shows a dialog keeps nobody from removing its help desk', async () => {
    await openTicket();
    const dialog = page.waitForEvent('dialog');
    await page.evaluate(() => {
      setTimeout(() => {
        alert('Stay');
      });
    });
    const shown = await dialog;
    expect(await removeSite(new URL(desk).origin)).toMatchObject({ ok: true, value: [] });
    await shown.accept();
    await expect.poll(() => labelsOn(page)).toEqual([]);
  });

  await allowHelpDesk(extension, desk);
  await test.step('chips vanish when the browser takes the permission away, and when the site is removed', async () => {
    await openTicket();
    const options = await extension.open('options.html');
    await options.evaluate(() => chrome.permissions.remove({ origins: ['http://localhost/*'] }));
    await expect.poll(() => labelsOn(page)).toEqual([]);
    await page.reload();
    await options.reload();
    await expect(options.getByText('The browser does not allow this site')).toBeVisible();
    await options.getByRole('button', { name: /^Allow http/ }).click();
    await expect.poll(() => labelsOn(page)).toEqual(['Check']);

    await options.getByRole('button', { name: /^Remove http/ }).click();
    await expect.poll(() => labelsOn(page)).toEqual([]);
    await page.reload();
    await waitForAbsence(500);
    expect(await labelsOn(page)).toEqual([]);
    await options.close();
  });

  await allowHelpDesk(extension, desk);
  await test.step('a click', async () => {
    await page.goto(`${desk}/tickets/1043`);
    await page.bringToFront();
    await expect.poll(() => labelsOn(page)).toEqual(['Check', 'Check', 'Check', 'Check']);
    expect(await sandbox.apiRequests()).toEqual([]);

    const chip = (await chipsOf(page)).find(({ code }) => code === demo.noSupport);
    await page.mouse.click((chip?.left ?? 0) + 8, (chip?.top ?? 0) + 8);
    const panel = await hiddenPageWith(extension, 'sidepanel.html', 'no-support');
    expect(await panel.evaluate(`location.href`)).toMatch(/\/sidepanel\.html$/);
    await expect
      .poll(async () => (await chipsOf(page)).find(({ code }) => code === demo.noSupport)?.label)
      .toBe('No support');
    expect(await labelsOn(page)).toEqual(['Check', 'Check', 'Check', 'No support']);
  });
});

test('chips survive a page that draws itself anew, and leave its text alone', async ({
  ticketPage,
  desk,
}) => {
  const page = await ticketPage(['/market'], { automatic: true });
  // Only codes in view have chips, and the second one stands at the end of the page.
  await page.setViewportSize({ width: 1280, height: 1200 });
  await page.goto(`${desk}/app/1046`);
  await expect.poll(() => labelsOn(page)).toEqual(['Support ended', 'Support ended']);
  for (let draw = 0; draw < 30; draw += 1) {
    await page.evaluate(() => {
      (window as unknown as { drawAgain: () => void }).drawAgain();
    });
  }
  await expect.poll(() => labelsOn(page)).toEqual(['Support ended', 'Support ended']);
  await page.getByRole('link', { name: /^1050/ }).click();
  await expect.poll(() => labelsOn(page)).toEqual(['Supported']);
  expect(await page.locator('main').innerText()).not.toContain('Support ended');
  expect(await page.locator('main *:not(ticket-message)').count()).toBeGreaterThan(10);
});

test.describe('on a hostile page', () => {
  test('a flood of codes is drawn only so far, and all chips are of one size', async ({
    ticketPage,
    sandbox,
    desk,
  }) => {
    const page = await ticketPage(['/demo'], { automatic: true });
    await page.goto(`${desk}/app`);
    // It draws once it has its tickets, which may be after the page's load event.
    await page.locator('#draws').waitFor();
    await page.evaluate(() => {
      const root = document.querySelector('#root');
      if (root === null) return;
      root.textContent = '';
      root.setAttribute('style', 'columns: 3; font-size: 6px; line-height: 22px');
      for (let count = 0; count < 3000; count += 1) {
        const line = document.createElement('div');
        line.textContent = crypto.randomUUID();
        root.append(line);
      }
    });
    await expect.poll(async () => (await chipsOf(page)).length).toBeGreaterThan(20);
    const chips = await chipsOf(page);
    expect(chips.length).toBeLessThanOrEqual(60);
    expect(
      new Set(chips.map(({ width, height }) => `${String(width)} ${String(height)}`)).size,
    ).toBe(1);
    // A tab's share of a minute is asked for at once; then nothing more.
    const asked = async (): Promise<number> => (await sandbox.apiRequests()).length;
    await expect.poll(asked).toBeGreaterThan(0);
    await expect
      .poll(async () => {
        const before = await asked();
        await waitForAbsence(2000);
        return (await asked()) - before;
      })
      .toBe(0);
    expect(await asked()).toBeLessThanOrEqual(30);
  });

  test('a million text nodes, and 200 changes a second, and the code among them is still found', async ({
    ticketPage,
    desk,
  }) => {
    const page = await ticketPage(['/demo']);
    await page.goto(`${desk}/app`);
    // It draws once it has its tickets, which may be after the page's load event.
    await page.locator('#draws').waitFor();
    await page.evaluate((code) => {
      const root = document.querySelector('#root');
      if (root === null) return;
      const first = document.createElement('p');
      first.id = 'code';
      const many = document.createElement('div');
      many.hidden = true;
      for (let count = 0; count < 1_000_000; count += 1)
        many.append(new Text(`Update ${String(count)} `));
      root.replaceChildren(first, many);
      const ticker = document.createElement('p');
      root.append(ticker);
      let ticks = 0;
      setInterval(() => {
        ticker.textContent = `Tick ${String((ticks += 1))}`;
      }, 5);
      setTimeout(() => {
        first.textContent = `My code: ${code}`;
      }, 2000);
    }, demo.supported);
    await expect.poll(() => labelsOn(page), { timeout: 60_000 }).toEqual(['Check']);
  });
});

import { marketplaceIds } from '#core/marketplaces/marketplace-id';
import { everyMarketplaceTicket } from '#sandbox/seed/tickets';
import { savedText } from '#tests/support/firefox';
import { expect, press, test, waitForText } from '#tests/support/firefox-fixture';
import {
  codeOfEach,
  marketplaceDraft,
  ticketOfEach,
  verdictOfEach,
} from '#tests/support/marketplaces';

test('a ticket with a code of each place has four right verdicts in the stock Firefox', async ({
  firefox,
  sandbox,
}) => {
  const options = await firefox.connect();
  for (const id of marketplaceIds) {
    await options.evaluate(
      async (body) => {
        await chrome.runtime.sendMessage({
          topic: 'connections.save',
          nonce: crypto.randomUUID(),
          body,
        });
      },
      marketplaceDraft(sandbox, id),
    );
  }
  await sandbox.reset();

  for (const path of ['popup.html', 'sidepanel.html']) {
    const page = await firefox.open(path);
    await page.locator('textarea').fill(ticketOfEach);
    await page.keyboard.press('Enter');
    const shown = (): Promise<(string | undefined)[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('[data-verdict]:not([aria-busy])')].map(
          ({ dataset }) => dataset['because'] ?? dataset['verdict'],
        ),
      );
    await expect.poll(shown, { message: path, timeout: 60_000 }).toEqual(verdictOfEach);
    await page.close();
  }

  await firefox.allow(options, new URL(firefox.desk).origin);
  await options.evaluate(
    (body) =>
      chrome.runtime.sendMessage({
        topic: 'sites.set-automatic',
        nonce: crypto.randomUUID(),
        body,
      }),
    { origin: new URL(firefox.desk).origin, on: true },
  );
  const ticket = await firefox.browser.newPage();
  await ticket.goto(`${firefox.desk}/tickets/${String(everyMarketplaceTicket)}`);
  // What a chip says is hidden from every page; that each code has one is not.
  await ticket.waitForFunction(() => document.documentElement.lastElementChild?.tagName === 'DIV', {
    timeout: 60_000,
  });

  const desk = await firefox.open('desk.html');
  await desk.locator('#bulk-text').fill(ticketOfEach);
  await press(desk, 'Check 4 codes');
  await waitForText(desk, 'Finished');
  const { text } = await savedText(firefox.downloads, () => press(desk, 'JSON'));
  const { checks } = JSON.parse(text) as { checks: { code: string; verdict: string }[] };
  expect(codeOfEach.map((code) => checks.find((each) => each.code === code)?.verdict)).toEqual(
    verdictOfEach,
  );
});

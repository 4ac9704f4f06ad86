import { setTimeout as pause } from 'node:timers/promises';

import { market } from '#sandbox/seed/accounts';
import { savedText, stopEventPage } from '#tests/support/firefox';
import { expect, press, test, waitForText } from '#tests/support/firefox-fixture';

const codes = market.purchases.slice(0, 12).map(({ code }) => code);

test('a bulk check in the stock Firefox comes to its end while the event page is stopped again and again', async ({
  firefox,
}) => {
  await firefox.connect('/market');
  const desk = await firefox.open('desk.html');
  await desk.locator('#bulk-text').fill(codes.join('\n'));
  await press(desk, `Check ${String(codes.length)} codes`);
  await waitForText(desk, `of ${String(codes.length)}`);
  for (let stop = 0; stop < 4; stop += 1) {
    // Part of what is tested: the page is stopped in the middle of a run.
    await pause(1500);
    await stopEventPage(firefox.browser);
  }
  await waitForText(desk, 'Finished');

  const { text } = await savedText(firefox.downloads, () => press(desk, 'CSV'));
  const [head = '', ...rows] = text.trim().split(/\r?\n/);
  expect(head).toContain('Code');
  expect(rows.map((row) => codes.find((code) => row.includes(code)))).toEqual(codes);
  expect(rows.filter((row) => /Waiting|No answer/.test(row))).toEqual([]);
});

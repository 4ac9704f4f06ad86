import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { checkCode } from '#scripts/running/agent';
import { openPage } from '#scripts/running/extension';
import { expect, test } from '#tests/support/connected';
import type { RunningExtension } from '#tests/support/extension';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import {
  checkRow,
  chooseFiles,
  expectStanding,
  pinKey,
  resultOf,
} from '#tests/support/pages/verifier-page';
import { takeTab } from '#tests/support/tabs';

const codes = sampleCodes('/demo');
const authority = createTestAuthority();

/** Of each zone, a code whose support ends on another day there than in UTC. */
const zones = [
  { timezoneId: 'Pacific/Kiritimati', zone: 'GMT\\+14', code: codes.supported },
  { timezoneId: 'America/Los_Angeles', zone: 'P[DS]T', code: codes.lapsed },
] as const;

/** Returns when the certificate of a state is due to be validated. */
function checkInOf(state: string): Date {
  const { activation_certificate: certificate } = JSON.parse(state) as Record<string, string>;
  const payload = Buffer.from(certificate?.split('.')[0] ?? '', 'base64url').toString();
  const { next_validation_at: due } = JSON.parse(payload) as Record<string, string>;
  return new Date(due ?? '');
}

const dayOf = (at: Date, timeZone: string, dateStyle: 'medium' | 'long' = 'medium'): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle, timeZone }).format(at);

/** Opens a page in a zone. */
async function openIn(timezoneId: string, path: string, { now }: RunningExtension): Promise<Page> {
  const page = await takeTab(now.context);
  const devtools = await now.context.newCDPSession(page);
  await devtools.send('Emulation.setTimezoneOverride', { timezoneId });
  return openPage(now, path, page);
}

test('a verdict names the zone with its day, with the exact UTC as its tooltip; the verifier counts days alike everywhere, and answers in UTC what was typed in UTC', async ({
  connect,
  extension,
}) => {
  await connect('/demo');
  for (const { timezoneId, zone, code } of zones) {
    const popup = await openIn(timezoneId, 'popup.html', extension);
    await checkCode(popup, code);
    const verdict = popup.locator('[data-verdict]');
    const time = verdict.locator('h2 time');
    const until = new Date((await time.getAttribute('datetime')) ?? '');
    expect(dayOf(until, timezoneId)).not.toBe(dayOf(until, 'UTC'));
    await expect(verdict).toContainText(
      // No line ends inside a date.
      new RegExp(`${dayOf(until, timezoneId).replaceAll(' ', '\\s')}\\s\\(${zone}\\)`, 'u'),
    );
    const exact = `${until.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    await expect(time).toHaveAttribute('title', exact);
    await popup.close();
  }

  await extension.now.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await pinKey(await extension.open('verifier.html'), authority.publicKey);
  for (const { timezoneId } of zones) {
    const page = await openIn(timezoneId, 'verifier.html', extension);
    const state = installationState(authority);
    await chooseFiles(page, ['one.json', state]);
    await expectStanding(page, 'one.json', 'activated');
    const result = resultOf(page, 'one.json');
    const card = result.locator('article').first();
    for (const place of [card, checkRow(page, 'next-validation')])
      await expect(place).toContainText('in 3 days');
    // The timeline says the day of the zone; what is exact, and what leaves the building, is UTC.
    const due = checkInOf(state);
    const exact = `${due.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    const mark = result.locator('.timeline g', { hasText: 'Checks in' }).last();
    await expect(mark).toContainText(dayOf(due, timezoneId, 'long'));
    await expect(mark.locator('title')).toHaveText(exact);
    await expect(result.getByRole('listitem').filter({ hasText: 'Checks in' })).toContainText(
      `(\u2068${exact}\u2069)`,
    );
    await result.getByRole('button', { name: 'Copy report' }).click();
    await expect(result.getByText('Copied', { exact: true })).toBeVisible();
    const report = await page.evaluate(() => navigator.clipboard.readText());
    expect(report.replaceAll('\\', '')).toContain(`| next_validation_at | ${exact} |`);
    // Half an hour before UTC's midnight, when it is the next day in the east.
    const evening = `${due.toISOString().slice(0, 10)}T23:30:00`;
    await page.getByLabel('And at this time? (UTC)').fill(evening);
    const answer = `\u2068${evening.slice(0, 16).replace('T', ' ')} UTC\u2069`;
    await expect(result).toContainText(`Asked about ${answer}.`);
    await expect(result.getByRole('slider')).toHaveAttribute('aria-valuetext', `At ${answer}`);
    await page.close();
  }
});

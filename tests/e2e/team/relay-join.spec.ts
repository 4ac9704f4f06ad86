import { type BrowserContext, type Page, chromium, expect, test } from '@playwright/test';

import { accessibilityProblems } from '#tests/support/accessibility';
import { askForToken, joinAttempt } from '#tests/relay/support/joining';
import { type RelayFiles, type StartedRelay, relayFiles } from '#tests/relay/support/relay';

let files: RelayFiles;
let relay: StartedRelay;
let context: BrowserContext;
const email = 'ada@fenwick.test';

test.beforeAll(async () => {
  files = relayFiles();
  await files.admin(`agents add ${email}`);
  await files.connect('shop', 'https://market.test', 'key-0123456789', '--name Fenwick');
  relay = await files.start();
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '',
    args: ['--no-sandbox'],
  });
  context = await browser.newContext({ viewport: { width: 320, height: 640 } });
});
test.afterAll(async () => {
  await context.browser()?.close();
  await relay.stop();
  files.remove();
});

/** Opens a page; what its policy refuses, or a script of it throws, fails the test. */
async function open(address: string): Promise<Page> {
  const page = await context.newPage();
  page.on('console', (message) => {
    // The status of a page that says no is logged as well.
    if (message.text().startsWith('Failed to load resource')) return;
    expect(message.text(), 'the console stays empty').toBe('');
  });
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(address);
  return page;
}

/** Looks at a page in both colour schemes at the width of a small telephone. */
async function expectReadable(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityProblems(page)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(320);
  }
}

test('an invite in the link is sent by itself, leaves the address, and ends in a token', async () => {
  const attempt = joinAttempt(relay.origin);
  const link = await files.admin(`invites add ${email}`, '', relay.origin);
  const page = await open(attempt.page + new URL(link).hash);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Join Fenwick?');
  await expect(page.getByText(email)).toBeVisible();
  await expectReadable(page);
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You have joined');
  await expectReadable(page);
  const { code = '', state } = Object.fromEntries(
    new URLSearchParams(new URL(page.url()).hash.slice(1)),
  );
  expect(state).toBe(attempt.state);
  expect((await askForToken(relay.origin, code, attempt.verifier)).status).toBe(200);
  await page.goBack();
  expect(page.url()).not.toContain('cfi1_');
});

test('an invite is pasted, a wrong one is said to be, and cancelling gives nothing', async () => {
  const page = await open(joinAttempt(relay.origin).page);
  await page.getByLabel('Invite link').fill(`cfi1_${'0'.repeat(16)}_${'0'.repeat(64)}`);
  await page.getByRole('button', { name: 'Use invite' }).click();
  await expect(page.getByRole('alert')).toContainText('Ask your administrator for a new one');
  await expectReadable(page);
  const link = await files.admin(`invites add ${email}`, '', relay.origin);
  await page.getByLabel('Invite link').fill(link);
  await page.getByRole('button', { name: 'Use invite' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You have not joined');
  expect(page.url()).toContain('#error=access_denied&state=');
});

test('a second click on Join sends nothing, and what was stopped before its answer came can be pressed again', async () => {
  const link = await files.admin(`invites add ${email}`, '', relay.origin);
  const page = await context.newPage();
  await page.clock.install();
  let sent = 0;
  await page.route('**/relay/v1/join/confirm', async (route) => {
    sent += 1;
    // The first is never answered.
    if (sent > 1) await route.continue();
  });
  await page.goto(joinAttempt(relay.origin).page + new URL(link).hash);
  const join = page.getByRole('button', { name: 'Join' });
  const prevented = await join.evaluate((button: HTMLElement) => {
    const seen: boolean[] = [];
    document.addEventListener('submit', (event) => seen.push(event.defaultPrevented));
    button.click();
    button.click();
    return seen;
  });
  expect(prevented).toEqual([false, true]);
  await expect.poll(() => sent).toBe(1);
  await (await context.newCDPSession(page)).send('Page.stopLoading');
  await page.clock.fastForward(10_000);
  await join.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You have joined');
});

test('the link that is opened by itself is shown whole, to be pasted into Counterfoil', async () => {
  const link = await files.admin(`invites add ${email}`, '', relay.origin);
  const page = await open(link);
  await expect(page.getByLabel('Link')).toHaveValue(link);
  await expectReadable(page);
});

test('no page frames the join page', async () => {
  const page = await context.newPage();
  await page.route('http://evil.test/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${joinAttempt(relay.origin).page}"></iframe>`,
    }),
  );
  await page.goto('http://evil.test/');
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toContain('chrome-error://chromewebdata/');
});

import type { Page } from '@playwright/test';

import { market } from '#sandbox/seed/market';
import { addConnection } from '#scripts/agent';
import { stopWorker } from '#scripts/extension';
import { accessibilityProblems } from '#tests/support/accessibility';
import { expect, test, type RunningExtension } from '#tests/support/extension';
import type { TestSandbox } from '#tests/support/sandbox';
import { waitForAbsence } from '#tests/support/waits';
import {
  editConnection,
  saveConnection,
  setPassphrase,
  unlock,
} from '#tests/support/pages/options-page';
import { startBulkCheck } from '#tests/support/pages/desk-page';
import { savedText } from '#tests/support/pages/downloads';

const genuine = market.purchases.map(({ code }) => code);
const passphrase = 'three ferries leave at dawn';
/** Codes nobody has sold. */
const strangers = Array.from(
  { length: 500 },
  (_, at) => `5eed0000-0000-4000-8000-${String(at).padStart(12, '0')}`,
);

/** A connection to the market that may be asked so many times a minute. */
async function connect(
  extension: RunningExtension,
  sandbox: TestSandbox,
  perMinute: number,
): Promise<void> {
  const options = await extension.open('options.html');
  await addConnection(options, sandbox.connection('/market', 'Market'));
  await editConnection(options);
  await options.getByText('Advanced:').click();
  await options.getByLabel(/a minute/).fill(String(perMinute));
  await saveConnection(options);
  await options.close();
}

async function codesAsked(sandbox: TestSandbox): Promise<string[]> {
  const asked = (await sandbox.apiRequests()).filter(({ path }) => path.endsWith('/validation'));
  return asked.map(({ body }) => new URLSearchParams(body).get('purchase_code') ?? '');
}

/** What the page's own export holds. */
async function exported(desk: Page): Promise<{ code: string; verdict: string }[]> {
  const { checks } = JSON.parse(
    await savedText(desk, desk.getByRole('button', { name: 'JSON' })),
  ) as {
    checks: { code: string; verdict: string }[];
  };
  return checks;
}

test('500 codes outlive a worker that is stopped again and again, and a closed browser', async ({
  extension,
  sandbox,
}) => {
  test.setTimeout(240_000);
  await connect(extension, sandbox, 6000);
  const codes = [...genuine.slice(0, 20), ...strangers].slice(0, 500);
  await sandbox.reset();
  // Each answer takes its time, so that stops fall into the middle of the work.
  await sandbox.order('/market', {
    fault: 'latency',
    ms: 150,
    times: 2000,
    endpoint: 'validation',
  });
  let desk = await extension.open('desk.html');
  await startBulkCheck(desk, codes.join('\n'));
  const job = new URL(desk.url()).hash;
  const finished = new Set<string>();
  const doneNow = async (): Promise<void> => {
    for (const { code, verdict } of await exported(desk))
      if (verdict !== 'waiting') finished.add(code);
  };

  const askedAfter: string[] = [];
  for (const stop of ['worker', 'worker', 'browser', 'worker'] as const) {
    const asked = (await codesAsked(sandbox)).length;
    await expect.poll(async () => (await codesAsked(sandbox)).length).toBeGreaterThan(asked + 20);
    if (stop === 'worker') await stopWorker(extension.now);
    else {
      await extension.restart();
      desk = await extension.open(`desk.html${job}`);
      await expect(desk.locator('[data-verdict]').first()).toBeVisible();
    }
    // Whatever was finished by now may not be asked about from here on.
    await doneNow();
    const before = [...finished];
    const sofar = (await codesAsked(sandbox)).length;
    await waitForAbsence(500);
    const since = (await codesAsked(sandbox)).slice(sofar);
    askedAfter.push(...since.filter((code) => before.includes(code)));
  }

  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible({
    timeout: 150_000,
  });
  const rows = await exported(desk);
  expect(rows.map(({ code }) => code)).toEqual(codes);
  expect(rows.filter(({ verdict }) => verdict === 'waiting' || verdict === 'fault')).toEqual([]);
  expect(askedAfter).toEqual([]);
  // A row is asked about twice only if it was under way at a stop: six at a time, four stops.
  expect((await codesAsked(sandbox)).length).toBeLessThanOrEqual(500 + 4 * 6);
});

test('a job goes on with its page closed', async ({ extension, sandbox }) => {
  await connect(extension, sandbox, 6000);
  await sandbox.reset();
  await sandbox.order('/market', { fault: 'latency', ms: 200, times: 500, endpoint: 'validation' });
  const desk = await extension.open('desk.html');
  // The first code proves the way of asking, so that the others cost one question each.
  await startBulkCheck(desk, [...genuine.slice(0, 1), ...strangers.slice(0, 59)].join('\n'));
  await desk.close();
  await expect.poll(async () => new Set(await codesAsked(sandbox)).size).toBe(60);
});

test('a job can be paused, gone on with and cancelled', async ({ extension, sandbox }) => {
  await connect(extension, sandbox, 6000);
  await sandbox.order('/market', { fault: 'latency', ms: 250, times: 500, endpoint: 'validation' });
  const desk = await extension.open('desk.html');
  await startBulkCheck(desk, [...genuine.slice(0, 1), ...strangers.slice(0, 119)].join('\n'));
  await desk.getByRole('button', { name: 'Pause' }).click();
  await expect(desk.getByRole('button', { name: 'Go on' })).toBeVisible();
  // What was under way when it was paused still ends.
  await waitForAbsence(600);
  const paused = (await codesAsked(sandbox)).length;
  await waitForAbsence(800);
  expect((await codesAsked(sandbox)).length).toBe(paused);
  await desk.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(async () => (await codesAsked(sandbox)).length).toBeGreaterThan(paused);
  await desk.getByRole('button', { name: 'Cancel' }).click();
  await expect(desk.getByText('Cancelled').first()).toBeVisible();
});

test('a file with quotes, semicolons and UTF-16 is read, its column found, duplicates folded', async ({
  extension,
  sandbox,
}) => {
  await connect(extension, sandbox, 6000);
  const [first = '', second = ''] = genuine;
  const table = `Order;"Purchase ""code""";Mail\r\n1;"${first}";"a;b"\r\n2;${second};c\r\n3;"${first.toUpperCase()}";d\r\n4;;e\r\n`;
  const desk = await extension.open('desk.html');
  await desk.locator('input[type=file]').setInputFiles({
    name: 'sales.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`\uFEFF${table}`, 'utf16le'),
  });
  await expect(desk.getByText('1 duplicate folded')).toBeVisible();
  await expect(desk.getByLabel('Column with the codes')).toHaveValue('1');
  await desk.getByRole('button', { name: 'Check 2 codes' }).click();
  await expect(desk.locator('[data-verdict]')).toHaveCount(2);

  const toCsv = desk.getByRole('button', { name: 'CSV' });
  const csv = await savedText(desk, toCsv);
  expect(csv.split('\r\n')).toHaveLength(4);
  expect(csv).toContain(first);
  await desk.getByLabel('Mask codes in files').check();
  expect(await savedText(desk, toCsv)).not.toContain(first);
});

test('locked keys hold a job up until they are unlocked', async ({ extension, sandbox }) => {
  await connect(extension, sandbox, 6000);
  const options = await extension.open('options.html');
  await setPassphrase(options, passphrase);
  await options.getByRole('button', { name: 'Lock now' }).click();
  const desk = await extension.open('desk.html');
  await startBulkCheck(desk, genuine.slice(0, 3).join('\n'));
  await expect(desk.getByText('Unlock to go on')).toBeVisible();
  await unlock(desk, passphrase);
  await expect(desk.locator('[data-verdict]')).toHaveCount(3);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });
    test('axe finds nothing on a bulk check', async ({ extension, sandbox }) => {
      await connect(extension, sandbox, 6000);
      const desk = await extension.open('desk.html');
      await desk.getByLabel('Codes, or a file').fill(`code;x\n${genuine[0] ?? ''};1`);
      await expect(desk.getByRole('button', { name: 'Check 1 code' })).toBeEnabled();
      expect(await accessibilityProblems(desk)).toEqual([]);
      await startBulkCheck(desk, genuine.slice(0, 20).join('\n'));
      await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();
      expect(await accessibilityProblems(desk)).toEqual([]);
      await desk.getByRole('grid').press('Enter');
      await expect(desk.getByRole('dialog')).toBeVisible();
      expect(await accessibilityProblems(desk)).toEqual([]);
    });
  });
}

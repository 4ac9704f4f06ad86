import type { Page } from '@playwright/test';

import { columnFacts } from '#core/verdict/index';
import english from '#locales/en/answer.json' with { type: 'json' };
import { market } from '#sandbox/seed/accounts';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { stopWorker } from '#scripts/running/extension';
import { expect, test, type RunningExtension } from '#tests/support/extension';
import { addConnectionQuietly, withQuietPage } from '#tests/support/quiet-page';
import type { TestSandbox } from '#tests/support/sandbox';
import { waitForAbsence } from '#tests/support/waits';
import { setPassphrase, unlock } from '#tests/support/pages/options-page';
import { startBulkCheck } from '#tests/support/pages/desk-page';
import { savedBytes, savedText } from '#tests/support/pages/downloads';

const genuine = market.purchases.map(({ code }) => code);
const passphrase = 'three ferries leave at dawn';
/** Codes nobody has sold. */
const strangers = Array.from(
  { length: 230 },
  (_, at) => `5eed0000-0000-4000-8000-${String(at).padStart(12, '0')}`,
);

/** Sets up a connection to the market that may be asked as often as any. */
async function connect(extension: RunningExtension, sandbox: TestSandbox): Promise<void> {
  await withQuietPage(extension.now, (quiet) =>
    addConnectionQuietly(quiet, sandbox.connection('/market', 'Market'), {
      requestsPerMinute: 6000,
    }),
  );
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

test('hundreds of codes outlive a worker that is stopped again and again, and a closed browser', async ({
  extension,
  sandbox,
}) => {
  test.setTimeout(400_000);
  await connect(extension, sandbox);
  const codes = [...genuine.slice(0, 20), ...strangers];
  await sandbox.reset();
  // Each answer takes its time, so that stops fall into the middle of the work.
  await sandbox.injectFault('/market', {
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
  for (const stop of ['worker', 'browser', 'worker'] as const) {
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

  // Nothing is stopped any more, so that the rest need not be slow.
  await sandbox.removeFaults();
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible({
    timeout: 150_000,
  });
  const rows = await exported(desk);
  expect(rows.map(({ code }) => code)).toEqual(codes);
  expect(rows.filter(({ verdict }) => verdict === 'waiting' || verdict === 'fault')).toEqual([]);
  expect(askedAfter).toEqual([]);
  // A row is asked about twice only if it was under way at a stop: six at a time, three stops.
  expect((await codesAsked(sandbox)).length).toBeLessThanOrEqual(codes.length + 3 * 6);
});

test('a job can be paused, gone on with and cancelled, and goes on with its page closed', async ({
  extension,
  sandbox,
}) => {
  await connect(extension, sandbox);
  await sandbox.injectFault('/market', {
    fault: 'latency',
    ms: 200,
    times: 500,
    endpoint: 'validation',
  });
  const desk = await extension.open('desk.html');
  // The first code proves the way of asking, so that the others cost one question each.
  await startBulkCheck(desk, [...genuine.slice(0, 1), ...strangers.slice(0, 119)].join('\n'));
  await desk.getByRole('button', { name: 'Pause' }).click();
  await expect(desk.getByRole('button', { name: 'Resume' })).toBeVisible();
  // What was under way when it was paused still ends.
  await waitForAbsence(600);
  const paused = (await codesAsked(sandbox)).length;
  await waitForAbsence(800);
  expect((await codesAsked(sandbox)).length).toBe(paused);
  await desk.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(async () => (await codesAsked(sandbox)).length).toBeGreaterThan(paused);
  await desk.getByRole('button', { name: 'Cancel' }).click();
  await expect(desk.getByText('Canceled').first()).toBeVisible();

  const others = strangers.slice(200, 224);
  await desk.goto(desk.url().replace(/#.*/, ''));
  await startBulkCheck(desk, others.join('\n'));
  await desk.close();
  const missing = async (): Promise<string[]> => {
    const asked = await codesAsked(sandbox);
    return others.filter((code) => !asked.includes(code));
  };
  expect(await missing()).not.toEqual([]);
  await expect.poll(missing).toEqual([]);
});

const headings = [
  'Verdict;"Verdict, for programs";Item',
  ...columnFacts.map((name) => english.answer.fact[name]),
  'Connection;Checked at;Code as asked',
].join(';');

/** Drops a file on the desk and checks its codes. Ends when all have a verdict. */
async function checkFile(desk: Page, buffer: Buffer, codes: number): Promise<void> {
  await desk
    .locator('input[type=file]')
    .setInputFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer });
  await desk.getByRole('button', { name: `Check ${String(codes)} codes` }).click();
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();
}

test('a file comes back with its own rows, separator and encoding, and the verdicts appended; where its encoding cannot hold an item’s name it becomes UTF-8, and that is said; a pasted list becomes a file with a column for the codes first', async ({
  extension,
  sandbox,
}) => {
  await connect(extension, sandbox);
  const [first = '', second = ''] = genuine;
  const rows = [
    `Order;"Purchase ""code""";Mail`,
    `1;"${first}";"a;b"`,
    `2;${second};c`,
    `3;"${first.toUpperCase()}";=d;more`,
    `4`,
    ...Array.from({ length: 9 }, (_, at) => `${String(at + 5)};;e`),
  ];
  const desk = await extension.open('desk.html');
  await desk.locator('input[type=file]').setInputFiles({
    name: 'sales.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`\uFEFF${rows.join('\r\n')}\r\n`, 'utf16le'),
  });
  await expect(desk.getByText('1 duplicate merged')).toBeVisible();
  await expect(desk.getByLabel('Column with the codes')).toHaveValue('1');
  await desk.getByRole('button', { name: 'Check 2 codes' }).click();
  await expect(desk.locator('[data-verdict]')).toHaveCount(2);
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();

  await desk.reload();
  await expect(desk.locator('[data-verdict]')).toHaveCount(2);
  const toCsv = desk.getByRole('button', { name: 'CSV' });
  expect((await savedBytes(desk, toCsv)).toString('utf16le')).toContain(`;'=d;more;`);
  await desk.getByLabel('Make safe for spreadsheets').uncheck();
  const csv = (await savedBytes(desk, toCsv)).toString('utf16le');
  expect(csv.startsWith('\uFEFF')).toBe(true);
  const lines = csv.slice(1).split('\r\n');
  expect(lines).toHaveLength(rows.length + 1);
  // The third row has a fourth cell, so that the others are padded by one.
  expect(lines[0]).toBe(`${rows[0] ?? ''};;${headings}`);
  for (const at of [1, 2])
    expect(lines[at]?.startsWith(`${rows[at] ?? ''};;`), lines[at]).toBe(true);
  expect(lines[3]).toMatch(
    /^3;"[^"]*";=d;more;(Supported;supported|Support ended;lapsed|No support;no-support);.*;Market;/,
  );
  expect(lines[1]?.endsWith(`;${first}`)).toBe(true);
  const empty = ';'.repeat(headings.split(';').length);
  expect(lines[4]).toBe(`4;;;${empty}`);
  expect(lines[5]).toBe(`5;;e;${empty}`);
  expect(lines.at(-1)).toBe('');

  await desk.getByLabel('Mask codes in files').check();
  const masked = (await savedBytes(desk, toCsv)).toString('utf16le');
  expect(masked).not.toContain(first);
  expect(masked).not.toContain(first.toUpperCase());
  await desk.getByLabel('Mask codes in files').uncheck();
  await desk.getByLabel('Make safe for spreadsheets').check();

  await desk.goto(desk.url().replace(/#.*/, ''));
  const { supported, rightToLeft } = sampleCodes('/market');
  const said = /^Saved as UTF-8/;
  const table = (code: string): Buffer =>
    Buffer.from(`Käufer;Code\nMüller;${code}\nJané;${genuine[1] ?? ''}\n`, 'latin1');
  await checkFile(desk, table(supported), 2);
  const inLatin = (await savedBytes(desk, toCsv)).toString('latin1');
  expect(inLatin).toMatch(/^Käufer;Code;Verdict/);
  await expect(desk.getByText(said)).toHaveCount(0);

  await desk.goto(desk.url().replace(/#.*/, ''));
  await checkFile(desk, table(rightToLeft), 2);
  const inUtf8 = await savedText(desk, toCsv);
  expect(inUtf8).toMatch(/^\uFEFFKäufer;Code;Verdict/);
  await expect(desk.getByText(said)).toBeVisible();

  await desk.goto(desk.url().replace(/#.*/, ''));
  await startBulkCheck(desk, `${first}\nnothing here\n${second}\n${first}`);
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();
  const [head, ...listed] = (await savedText(desk, toCsv)).split('\n');
  expect(head).toBe(`\uFEFFCode,${headings.replaceAll(';', ',')}`);
  expect(listed.map((row) => row.split(',')[0])).toEqual([first, 'nothing here', second, first]);
});

test('with two connections a code is one row, counted once, with its best verdict', async ({
  extension,
  sandbox,
}) => {
  await withQuietPage(extension.now, async (quiet) => {
    await addConnectionQuietly(quiet, sandbox.connection('/demo', 'Demo'));
    await addConnectionQuietly(quiet, sandbox.connection('/market', 'Market'));
  });
  const [first = ''] = genuine;
  const desk = await extension.open('desk.html');
  await startBulkCheck(desk, `${first}\n${strangers[0] ?? ''}\n${sampleCodes('/demo').supported}`);
  await expect(desk.getByText('Finished', { exact: true }).first()).toBeVisible();
  await expect(desk.getByText('3 of 3', { exact: true })).toBeVisible();
  await expect(desk.locator('[data-verdict]')).toHaveCount(3);
  await expect(desk.getByRole('row').filter({ hasText: first })).toContainText('Market');
  await expect(desk.getByRole('button', { name: 'Not found 1' })).toBeVisible();
  await expect(desk.getByRole('row').filter({ hasText: strangers[0] ?? '' })).toContainText(
    'Demo and Market',
  );
  expect(await exported(desk)).toHaveLength(3);
  await desk.getByRole('row').filter({ hasText: first }).click();
  await expect(desk.getByRole('dialog')).toContainText('Not on Demo');
});

test('locked keys hold a job up until they are unlocked', async ({ extension, sandbox }) => {
  await connect(extension, sandbox);
  const options = await extension.open('options.html');
  await setPassphrase(options, passphrase);
  await options.getByRole('button', { name: 'Lock now' }).click();
  const desk = await extension.open('desk.html');
  await startBulkCheck(desk, genuine.slice(0, 3).join('\n'));
  await expect(desk.locator('[data-stop]')).toContainText('The API keys are locked.');
  await unlock(desk, passphrase);
  await expect(desk.locator('[data-verdict]')).toHaveCount(3);
});

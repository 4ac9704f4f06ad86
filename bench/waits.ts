import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CDPSession, Page } from '@playwright/test';

import { fillHistory, fillJob, openFilledDesk, typed } from '#bench/desk';
import { markdownTable } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';
import { dropOne, openVerifier } from '#bench/verifier';
import { delay } from '#core/time/index';
import { checkCode, type ConnectionEntry } from '#scripts/running/agent';
import { devtoolsOf, openPage, stopWorker } from '#scripts/running/extension';
import { startSandboxRelay } from '#scripts/running/start-relay';
import { addConnectionQuietly, withQuietPage } from '#tests/support/quiet-page';
import { allowHelpDesk, chipsOf } from '#tests/support/ticket';

/** Measures what an agent waits for, from the gesture to what they see, in milliseconds. */
interface Wait {
  /** The gesture and what is waited for, in words. */
  readonly name: string;
  readonly measure: (setup: BenchSetup, times: number) => Promise<readonly number[]>;
}

const tableRows = 20_000;

/** Makes a gesture so many times, after one that is not counted. */
async function repeat(times: number, gesture: (at: number) => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  for (let at = -1; at < times; at += 1) {
    const milliseconds = await gesture(at);
    if (at >= 0) taken.push(milliseconds);
  }
  return taken;
}

export const waits: readonly Wait[] = [
  {
    name: 'the shortcut, until the popup is painted',
    measure: async (setup, times) => {
      const page = await setup.extension.context.newPage();
      await page.goto(setup.sandbox.origin);
      const devtools = await devtoolsOf(setup.extension);
      const taken = await repeat(times, () => openPopup(setup, page, devtools));
      await devtools.detach();
      await page.close();
      return taken;
    },
  },
  {
    name: 'a ticket of five codes pasted, until they stand in the field',
    measure: async (setup, times) => {
      const popup = await openChecks(setup);
      const ticket = setup.codes
        .slice(0, 5)
        .map((code) => `Hello, I have bought your theme again, my code is ${code}, and I wait.`)
        .join('\n\n');
      const taken = await repeat(times, async () => {
        await popup.reload();
        await popup.getByRole('textbox', { name: 'Purchase code' }).focus();
        return popup.evaluate(pasteAndFold, ticket);
      });
      await popup.close();
      return taken;
    },
  },
  {
    name: 'Enter, until the verdict: a code not asked before',
    measure: (setup, times) => measureChecks(setup, times, setup.freshCode),
  },
  {
    name: 'Enter, until the verdict: a code asked before',
    measure: (setup, times) => {
      const code = setup.freshCode();
      return measureChecks(setup, times, () => code);
    },
  },
  {
    name: 'Enter, until the verdict: the browser has stopped the worker',
    measure: (setup, times) =>
      measureChecks(setup, times, setup.freshCode, { before: () => stopWorker(setup.extension) }),
  },
  {
    name: 'Enter, until the verdict: three connections asked',
    measure: (setup, times) =>
      withConnections(setup, others(setup), () => measureChecks(setup, times, setup.freshCode)),
  },
  {
    name: 'Enter, until the verdict: through the team’s relay',
    measure: async (setup, times) => {
      const folder = await mkdtemp(join(tmpdir(), 'counterfoil-relay-'));
      const relay = await startSandboxRelay(folder, setup.connection);
      const { connection } = relay;
      const taken = await withConnections(setup, [connection], () =>
        measureChecks(setup, times, setup.freshCode, { connection: connection.name }),
      );
      await relay.stop();
      await rm(folder, { recursive: true, force: true });
      return taken;
    },
  },
  {
    name: 'a license file dropped, until its headline',
    measure: async (setup, times) => {
      const page = await openVerifier(setup, times + 1);
      const taken = await repeat(times, (at) => page.evaluate(dropOne, at + 1));
      await page.close();
      return taken;
    },
  },
  {
    name: 'a ticket opened, until the chip beside its code has a verdict (asked before)',
    measure: measureChips,
  },
  ...tableWaits('bulk rows', '#/bulk/many', 'Search codes', (desk) =>
    desk.evaluate(fillJob, { count: tableRows }),
  ),
  ...tableWaits('history entries', '#/history', 'Search, or paste', (desk) =>
    desk.evaluate(fillHistory, tableRows),
  ),
];

/** Returns what an agent waits for at a table of the desk. */
function tableWaits(
  rows: string,
  route: string,
  search: string,
  fill: (desk: Page) => Promise<void>,
): readonly Wait[] {
  const named = `the table of ${tableRows.toLocaleString('en')} ${rows}`;
  const open = async (page: Page): Promise<number> => {
    await page.reload();
    await page.locator('[role=row]').nth(5).waitFor();
    return page.evaluate(() => performance.now());
  };
  return [
    {
      name: `${named} opened, until rows stand there`,
      measure: async ({ extension }, times) => {
        const page = await openFilledDesk(extension, route, fill);
        const taken = await repeat(times, () => open(page));
        await page.close();
        return taken;
      },
    },
    {
      name: `a key in the search of ${named}, until it is drawn again`,
      measure: async ({ extension }, times) => {
        const page = await openFilledDesk(extension, route, fill);
        const taken: number[] = [];
        while (taken.length < times) {
          await open(page);
          taken.push(...(await typed(page, search)));
        }
        await page.close();
        return taken.slice(0, times);
      },
    },
  ];
}

export async function measureWaits(
  setup: BenchSetup,
  only: string,
  { times }: { readonly times: number },
): Promise<number> {
  const rows = [['An agent waits from', 'p50', 'p95']];
  for (const { name, measure } of waits.filter((wait) => wait.name.includes(only))) {
    console.error(`Measuring: ${name} …`);
    const sorted = [...(await measure(setup, times))].sort((a, b) => a - b);
    const at = (share: number): string =>
      `${(sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(0)} ms`;
    console.error(`  ${at(0.5)}, ${at(0.95)}`);
    rows.push([name, at(0.5), at(0.95)]);
  }
  console.log(markdownTable(rows));
  return 0;
}

/** Opens the popup in a tab, with its connections listed. */
async function openChecks({ extension, connection }: BenchSetup): Promise<Page> {
  const popup = await openPage(extension, 'popup.html');
  await popup.getByText(connection.name).first().waitFor({ state: 'attached' });
  return popup;
}

async function measureChecks(
  setup: BenchSetup,
  times: number,
  codeOf: () => string,
  { before, connection }: { before?: () => Promise<void>; connection?: string } = {},
): Promise<number[]> {
  const popup = await openChecks(setup);
  const taken = await repeat(times, async () => {
    await popup.reload();
    await popup.getByText(setup.connection.name).first().waitFor({ state: 'attached' });
    if (connection !== undefined)
      await popup.getByLabel('Connection').selectOption({ label: connection });
    await popup.waitForLoadState('networkidle');
    await before?.();
    const { verdict, milliseconds } = await checkCode(popup, codeOf());
    if (verdict === 'fault') throw new Error('The check that was to be measured failed.');
    return milliseconds;
  });
  await popup.close();
  return taken;
}

/** Returns two more connections, which do not know the codes of the first. */
function others({ sandbox }: BenchSetup): ConnectionEntry[] {
  return (['/demo', '/dialect/header-only'] as const).map((base) => ({
    name: base,
    baseAddress: sandbox.origin + base,
    apiKey: sandbox.keys[base],
    ...(base !== '/demo' && { keyPlacement: 'Authorization' }),
  }));
}

/** Adds connections while something runs. */
async function withConnections<T>(
  { extension }: BenchSetup,
  entries: readonly ConnectionEntry[],
  run: () => Promise<T>,
): Promise<T> {
  await withQuietPage(extension, async (quiet) => {
    for (const { keyPlacement = 'parameter', ...entry } of entries)
      await addConnectionQuietly(quiet, entry, { keyPlacement, requestsPerMinute: 6000 });
  });
  const result = await run();
  await withQuietPage(extension, async ({ ask }) => {
    const names = new Set(entries.map(({ name }) => name));
    for (const { id, name } of await ask('connections.list', {}))
      if (names.has(name)) await ask('connections.delete', { id });
  });
  return result;
}

/**
 * Runs in the page: pastes into the field with the focus. Returns the milliseconds until the codes alone stand in it.
 */
async function pasteAndFold(ticket: string): Promise<number> {
  const field = document.querySelector('textarea');
  if (field === null) throw new Error('There is no field.');
  const began = performance.now();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else pastes as an agent does
  document.execCommand('insertText', false, ticket);
  const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
  while (field.value === ticket || field.value === '') await frame();
  return performance.now() - began;
}

/**
 * Presses the toolbar's button. Returns the milliseconds until the popup's first paint, by the clock of the machine.
 */
async function openPopup(
  { extension }: BenchSetup,
  page: Page,
  devtools: CDPSession,
): Promise<number> {
  await page.bringToFront();
  const { targetInfos } = await devtools.send('Target.getTargets', { filter: [{ type: 'tab' }] });
  const tab = targetInfos.find(({ url }) => url === page.url());
  if (tab === undefined) throw new Error('The page has no tab.');
  // Playwright does not know this command yet.
  const send = devtools.send.bind(devtools) as (method: string, params: object) => Promise<unknown>;
  const began = Date.now();
  await send('Extensions.triggerAction', { id: extension.id, targetId: tab.targetId });
  const address = `chrome-extension://${extension.id}/popup`;
  let targetId: string | undefined;
  while (targetId === undefined) {
    const open = await devtools.send('Target.getTargets');
    targetId = open.targetInfos.find(({ url }) => url.startsWith(address))?.targetId;
    await delay(5);
  }
  const { sessionId } = await devtools.send('Target.attachToTarget', { targetId, flatten: false });
  const evaluate = (expression: string): Promise<number> =>
    new Promise((done, failed) => {
      const listen = (event: { sessionId: string; message: string }): void => {
        if (event.sessionId !== sessionId) return;
        devtools.off('Target.receivedMessageFromTarget', listen);
        const reply = JSON.parse(event.message) as { result: { result: { value: number } } };
        done(reply.result.result.value);
      };
      devtools.on('Target.receivedMessageFromTarget', listen);
      const params = { expression, returnByValue: true };
      const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params });
      devtools.send('Target.sendMessageToTarget', { sessionId, message }).catch(failed);
    });
  let painted = 0;
  while (painted === 0) {
    painted = await evaluate(
      `(performance.timeOrigin + (performance.getEntriesByName('first-paint')[0]?.startTime ?? -performance.timeOrigin))`,
    );
    await delay(5);
  }
  await devtools.send('Target.closeTarget', { targetId });
  await delay(100);
  return painted - began;
}

async function measureChips(setup: BenchSetup, times: number): Promise<number[]> {
  const { extension, sandbox } = setup;
  const desk = `${sandbox.origin.replace('127.0.0.1', 'localhost')}/desk`;
  await allowHelpDesk({ now: extension }, desk, true);
  const page = await extension.context.newPage();
  const taken = await repeat(times, async () => {
    await page.goto(`${desk}/tickets/1046`);
    const started = await page.evaluate(() => performance.timeOrigin);
    while (!(await chipsOf(page)).some(({ label }) => label === 'Support ended')) await delay(2);
    return Date.now() - started;
  });
  await page.close();
  return taken;
}

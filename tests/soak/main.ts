import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { Page } from '@playwright/test';

import { market } from '#sandbox/seed/accounts';
import { startSandbox } from '#sandbox/server';
import { addConnection } from '#scripts/running/agent';
import { obtainChromium } from '#scripts/machine/system-packages';
import { buildExtension } from '#scripts/build/build';
import { parseCount, runCommand } from '#scripts/command-line/refusal';
import {
  type Extension,
  grantHosts,
  launchExtension,
  openPage,
  stopWorker,
} from '#scripts/running/extension';
import { endAllOnSignals } from '#scripts/machine/processes';
import { startFaultyProxy } from '#tests/soak/faulty-proxy';
import { createRandom } from '#tests/soak/random';

const shares = { reset: 0.05, serverError: 0.05, slow: 0.02, malformed: 0.01 };
const stopEveryMs = 20_000;
const batchSize = 200;
const concurrency = 8;
/** How much larger memory may be in the second half of the run than in the first. */
const mostGrowth = 1.5;

/** How the checks of one batch ended: a verdict's kind or a fault's, with how often. `unanswered` must stay away. */
type Endings = Record<string, number>;

endAllOnSignals();

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      checks: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
    },
  });
  const checks = parseCount('checks', values.checks);
  const seed = parseCount('seed', values.seed, 0);
  const executablePath = await obtainChromium(console.error);
  await buildExtension(console.error);

  const sandbox = await startSandbox({ port: 0, db: ':memory:' });
  const proxy = await startFaultyProxy(sandbox.origin, shares, seed);
  const profile = await mkdtemp(join(tmpdir(), 'counterfoil-soak-'));
  await grantHosts(profile, ['http://127.0.0.1/*']);
  const extension = await launchExtension(profile, { executablePath, headless: true });
  const page = await openPage(extension, 'options.html');
  await addConnection(page, {
    name: 'Market',
    baseAddress: `${proxy.origin}/market`,
    apiKey: sandbox.keys['/market'],
  });
  await raisePace(page);

  let stops = 0;
  const stopping = setInterval(() => {
    stops += 1;
    void stopWorker(extension);
  }, stopEveryMs);

  console.log(`${String(checks)} checks, seed ${String(seed)}`);
  const endings: Endings = {};
  const memory: Memory[] = [];
  const codes = codesFor(checks, seed);
  for (let done = 0; done < checks; done += batchSize) {
    const batch = await checkAll(page, codes.slice(done, done + batchSize));
    for (const [ending, count] of Object.entries(batch))
      endings[ending] = (endings[ending] ?? 0) + count;
    if ((done + batchSize) % (5 * batchSize) === 0 || done + batchSize >= checks) {
      const present = await memoryOf(extension, page);
      memory.push(present);
      console.log(`${String(done + batchSize)}: ${JSON.stringify(present)}`);
    }
  }
  clearInterval(stopping);
  await extension.context.close();
  await proxy.close();
  await sandbox.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });

  const answered = Object.entries(endings).reduce(
    (sum, [ending, count]) => (ending === 'unanswered' ? sum : sum + count),
    0,
  );
  console.log(`ended as ${JSON.stringify(endings)}`);
  console.log(`requests ${JSON.stringify(proxy.counts)}; worker stopped ${String(stops)} times`);
  const failures = [
    ...(answered === checks ? [] : [`${String(checks - answered)} checks were not answered`]),
    ...(proxy.overlaps.length === 0
      ? []
      : [`asked twice at once: ${proxy.overlaps.slice(0, 5).join(', ')}`]),
    ...(['page', 'worker', 'session'] as const).flatMap((part) => growthOf(part, memory)),
  ];
  for (const failure of failures) console.log(`FAIL ${failure}`);
  console.log(failures.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed');
  return failures.length === 0 ? 0 : 1;
});

/** Compares the largest readings of both halves; one sentence where memory grew. */
function growthOf(part: keyof Memory, memory: readonly Memory[]): string[] {
  const half = Math.ceil(memory.length / 2);
  const largest = (some: readonly Memory[]): number => Math.max(0, ...some.map((one) => one[part]));
  const [first, second] = [largest(memory.slice(0, half)), largest(memory.slice(half))];
  return second <= mostGrowth * first
    ? []
    : [`memory of ${part} grew from ${String(first)} to ${String(second)} bytes`];
}

/** Known codes and unknown ones by turns; a known one comes back now and then, as in a day of tickets. */
function codesFor(count: number, seed: number): string[] {
  const random = createRandom(seed + 1);
  const known = market.purchases.map(({ code }) => code);
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return Array.from({ length: count }, () =>
    random() < 0.5
      ? (known[Math.floor(random() * known.length)] ?? hex(32))
      : [hex(8), hex(4), hex(4), hex(4), hex(12)].join('-'),
  );
}

/** Lets the connection be asked as often as it can answer: pacing is not what is tried here. */
async function raisePace(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Edit/u }).first().click();
  const field = page.getByLabel('Requests per minute');
  if (!(await field.isVisible()))
    await page.locator('details', { has: field }).locator('summary').click();
  await field.fill('6000');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await field.waitFor({ state: 'detached' });
}

/** Puts the checks to the worker as a page does: again under the same nonce where a stopped worker left no answer. */
async function checkAll(page: Page, codes: readonly string[]): Promise<Endings> {
  return page.evaluate(
    async ({ codes, concurrency }) => {
      const send = async (topic: string, body: unknown): Promise<unknown> => {
        const nonce = crypto.randomUUID();
        for (const wait of [50, 250, 1000, 1000, 0]) {
          const reply: unknown = await chrome.runtime
            .sendMessage({ topic, nonce, body })
            .catch(() => undefined);
          if (typeof reply === 'object' && reply !== null && 'reply' in reply) return reply.reply;
          await new Promise((resolve) => setTimeout(resolve, wait));
        }
        return undefined;
      };
      interface Report {
        outcome: { ok: true; value: { kind: string } } | { ok: false; fault: { kind: string } };
      }
      const list = (await send('connections.list', {})) as { id: string }[];
      const connectionId = list[0]?.id ?? '';
      const endings: Record<string, number> = {};
      let next = 0;
      const lane = async (): Promise<void> => {
        for (let at = next++; at < codes.length; at = next++) {
          const report = (await send('check', {
            code: codes[at],
            connectionId,
            fresh: true,
          })) as Report | undefined;
          const outcome = report?.outcome;
          const ending =
            outcome === undefined
              ? 'unanswered'
              : outcome.ok
                ? outcome.value.kind
                : outcome.fault.kind;
          endings[ending] = (endings[ending] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: concurrency }, lane));
      return endings;
    },
    { codes, concurrency },
  );
}

/** In bytes: the page's heap, the worker's heap, what lies in session storage. */
interface Memory {
  readonly page: number;
  readonly worker: number;
  readonly session: number;
}

async function memoryOf(extension: Extension, page: Page): Promise<Memory> {
  const devtools = await extension.context.newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  const session = await page.evaluate(() => chrome.storage.session.getBytesInUse(null));
  return { page: usedSize, worker: await workerHeap(extension), session };
}

/** Reads the heap of whichever worker runs at present, after a collection; 0 when none does. */
async function workerHeap({ context, id }: Extension): Promise<number> {
  const devtools = await context.browser()?.newBrowserCDPSession();
  if (devtools === undefined) throw new Error('The browser is closed.');
  try {
    const { targetInfos } = await devtools.send('Target.getTargets');
    const worker = targetInfos.find(
      ({ type, url }) => type === 'service_worker' && new URL(url).host === id,
    );
    if (worker === undefined) return 0;
    const { targetId } = worker;
    const { sessionId } = await devtools.send('Target.attachToTarget', { targetId });
    const ask = (question: { id: number; method: string }): Promise<unknown> => {
      const answered = new Promise<unknown>((resolve) => {
        devtools.on('Target.receivedMessageFromTarget', ({ message }) => {
          const reply = JSON.parse(message) as { id?: number; result?: unknown };
          if (reply.id === question.id) resolve(reply.result);
        });
      });
      return devtools
        .send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify(question) })
        .then(() => Promise.race([answered, delay(5000)]));
    };
    await ask({ id: 1, method: 'HeapProfiler.collectGarbage' });
    const usage = (await ask({ id: 2, method: 'Runtime.getHeapUsage' })) as
      | { usedSize: number }
      | undefined;
    return usage?.usedSize ?? 0;
  } catch {
    // The worker was stopped meanwhile.
    return 0;
  } finally {
    await devtools.detach();
  }
}

import * as fc from 'fast-check';
import { setActivePinia } from 'pinia';
import { expect, it } from 'vitest';

import type { OutcomeSummary } from '#core/check/index';
import { bestFirst, wordOf } from '#core/verdict/index';
import { type ConnectionState, defaultDialect } from '#core/connections/index';
import { checksOf } from '#core/history/index';
import { codeRowsOf, rowsFor } from '#core/jobs/index';
import { dayMs } from '#core/time/index';
import { useCheck } from '#stores/check/check';
import { verdictOfCode } from '#stores/check/code-verdict';
import { everyConnection, useConnections } from '#stores/connections/connections';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { withWorker } from '#tests/stores/with-worker';

/** Whatever an agent, a page of a help desk or a bulk check was told is what the history says of it. */

const code = '6b0e3d52-1c7f-4a86-9d15-0e4a7b92c3f8';
const fast = { ...defaultDialect, requestsPerMinute: 6000, proven: true };
const shops = [
  { base: '/demo', item: 101 },
  { base: '/market', item: 2001 },
] as const;
const origin = 'https://desk.example.com';

const answers = ['purchase', 'not-found', 'fault'] as const;
type Answer = (typeof answers)[number];

/** What the two shops would answer, and how an answer of theirs is asked for. */
interface Act {
  readonly shops: readonly [Answer, Answer];
  readonly way: keyof typeof ways;
  /** Whether answers of the act before are still given again. */
  readonly soon: boolean;
}

let harness: WorkerHarness;
let world: Awaited<ReturnType<typeof createWorld>>;

/** Lets a shop know the code, or not. */
async function sell({ base, item }: (typeof shops)[number], isSold: boolean): Promise<void> {
  const { origin: server, controlToken } = harness.sandbox;
  const ends = new Date(Date.now() + 90 * dayMs).toISOString();
  const sale = { base, purchase_code: code };
  await fetch(`${server}/control/purchases`, {
    method: isSold ? 'POST' : 'DELETE',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(isSold ? { ...sale, item_id: item, supported_until: ends } : sale),
  });
}

async function createWorld() {
  const connections: ConnectionState[] = [];
  for (const { base } of shops) connections.push(await harness.connect(base, { dialect: fast }));
  const pinia = withWorker(harness);
  setActivePinia(pinia);
  await useConnections(pinia).load();
  harness.granted.add(`${origin}/*`);
  await harness.ask('sites.allow', { origin });
  await harness.ask('sites.set-automatic', { origin, on: true });
  const ids = connections.map(({ id }) => id);
  return { ids, check: useCheck(pinia), tab: 0, jobId: undefined as string | undefined };
}

async function setAnswers(wanted: readonly Answer[]): Promise<void> {
  await harness.clearFaults();
  for (const [at, shop] of shops.entries()) {
    const fault = {
      base: shop.base,
      fault: 'html-500',
      endpoint: 'validation',
      times: 99,
    } as const;
    if (wanted[at] === 'fault') await harness.injectFault(fault);
    else await sell(shop, wanted[at] === 'purchase');
  }
}

/** The word of the verdict that the panel shows. */
function shownInPanel(): string | undefined {
  const [entry] = world.check.entries;
  const verdict = entry && verdictOfCode(entry.pendingChecks, Date.now());
  return verdict && nameOf(verdict.lead.report?.outcome);
}

const nameOf = (outcome: OutcomeSummary | undefined): string =>
  wordOf({ outcome }, undefined, Date.now());

async function checkAt(id: string): Promise<string | undefined> {
  world.check.choose(id);
  world.check.replaceText(code, false);
  await world.check.submit();
  return shownInPanel();
}

async function shownInTable(): Promise<string | undefined> {
  const [row] = codeRowsOf(await harness.jobs.rows(world.jobId ?? ''), Date.now());
  return row && nameOf(row.outcome);
}

async function runJob(): Promise<string | undefined> {
  while ((await harness.ask('bulk.drive', {})).nextRunAt !== undefined) harness.pass(1000);
  return shownInTable();
}

/** Each resolves with the verdict that was shown; undefined where there was nothing to ask. */
const ways = {
  'a check at the first': () => checkAt(world.ids[0] ?? ''),
  'a check at all': () => checkAt(everyConnection),
  async 'asking the others'() {
    const [entry] = world.check.entries;
    if (entry === undefined || entry.pendingChecks.length > 1) return undefined;
    await world.check.askOthers(entry);
    return shownInPanel();
  },
  async 'a refresh in the panel'() {
    const [entry] = world.check.entries;
    const verdict = entry && verdictOfCode(entry.pendingChecks, Date.now());
    if (verdict === undefined) return undefined;
    await world.check.refresh(...verdict.toRefresh);
    return shownInPanel();
  },
  async 'a chip'() {
    world.tab += 1;
    const asker = { name: 'ticket-script', origin, tabId: world.tab, windowId: 1, frameId: 0 };
    const chip = await harness.ask('ticket.check', { code }, undefined, asker as never);
    if (chip === null) return undefined;
    return chip.answered ? chip.label.replace('chip_', '').replace('_', '-') : 'fault';
  },
  async 'a bulk check'() {
    const id = crypto.randomUUID();
    world.jobId = id;
    const rows = rowsFor(id, [{ code, line: 1, times: 1 }], world.ids);
    const job = { id, name: '', createdAt: Date.now(), connectionIds: world.ids } as const;
    await harness.jobs.add({ ...job, state: 'running' }, rows);
    return runJob();
  },
  'the failed of a bulk check': () => retried('failed'),
  'the not-founds of a bulk check': () => retried('not-found'),
  async 'a refresh in the table'() {
    if (world.jobId === undefined) return undefined;
    const rows = codeRowsOf(await harness.jobs.rows(world.jobId), Date.now());
    const indexes = rows.flatMap((row) => [row, ...row.others]).map(({ index }) => index);
    await harness.ask('bulk.refresh', { jobId: world.jobId, indexes });
    return shownInTable();
  },
  async 'an entry of the history again'() {
    const [newest] = checksOf(await harness.history.latest(99));
    if (newest === undefined) return undefined;
    const again = await harness.ask('history.again', { id: newest.id });
    return again.ok ? nameOf(bestFirst([again.value], Date.now())[0]?.outcome) : undefined;
  },
} satisfies Record<string, () => Promise<string | undefined>>;

async function retried(which: 'failed' | 'not-found'): Promise<string | undefined> {
  if (world.jobId === undefined) return undefined;
  await harness.ask('bulk.retry', { jobId: world.jobId, which });
  return runJob();
}

/** Returns the entries once the worker has written what it was about to. */
async function settledEntries() {
  for (let before = -1; ;) {
    const entries = await harness.history.latest(999);
    if (entries.length === before) return entries;
    before = entries.length;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const act: fc.Arbitrary<Act> = fc.record({
  shops: fc.tuple(fc.constantFrom(...answers), fc.constantFrom(...answers)),
  way: fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])),
  soon: fc.boolean(),
});

it('the newest check of the history has the verdict that was shown', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 6 }), async (acts) => {
      harness = await createWorkerHarness();
      world = await createWorld();
      const done: string[] = [];
      for (const { shops: wanted, way, soon } of acts) {
        harness.pass(soon ? 2000 : 600_000);
        await setAnswers(wanted);
        const before = (await settledEntries()).length;
        const shown = await ways[way]();
        const entries = await settledEntries();
        done.push(`${way} (${wanted.join(', ')}${soon ? ', soon' : ''}): ${String(shown)}`);
        if (entries.length === before) continue;
        expect(checksOf(entries)[0]?.group, done.join('\n')).toBe(shown);
      }
      await harness.close();
    }),
    { numRuns: 20 },
  );
});

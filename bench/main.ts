import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { check, workerStart } from '#bench/worker';
import { bulk, itemsTyping, tableTyping } from '#bench/desk';
import {
  findingOf,
  markdownTable,
  type Measurement,
  type Samples,
  tableOf,
} from '#bench/measurement';
import { batchGrowth, keyRingGrowth, tokenFileGrowth } from '#bench/growth/verifier';
import { automaticDay, pageTextGrowth, pastedTicketGrowth } from '#bench/growth/ticket';
import { bulkGrowth, historyGrowth, itemsGrowth } from '#bench/growth/desk';
import { type Growth, type GrowthFinding, growthRows } from '#bench/growth/growth';
import { contests, measurePeers } from '#bench/peers/peers';
import { answersEnter, answersEnterBesideBare, firstKey, firstPaint } from '#bench/popup-opening';
import { offlineReload } from '#bench/pwa-reload';
import { measureRelay, relayParts } from '#bench/relay/relay';
import { type BenchSetup, createBenchSetup } from '#bench/setup';
import { busyPage, firstScans, longestTask } from '#bench/ticket';
import { measureWaits, waits } from '#bench/waits';
import { batchAgainstBare, oneFile } from '#bench/verifier';
import { obtainChromium } from '#scripts/machine/system-packages';
import { buildExtension } from '#scripts/build/build';
import { endAllOnSignals, root } from '#scripts/machine/processes';
import { parseCount, Refusal, refuseUnknown, runCommand } from '#scripts/command-line/refusal';

/** The rows of the table in docs/performance.md, in its order. */
const promises: readonly Measurement[] = [
  answersEnter,
  answersEnterBesideBare,
  firstPaint,
  firstKey,
  check,
  workerStart,
  oneFile,
  batchAgainstBare,
  offlineReload,
  bulk,
  ...firstScans,
  longestTask,
  busyPage,
  tableTyping,
  itemsTyping,
];

const growths: readonly Growth[] = [
  pastedTicketGrowth,
  batchGrowth,
  tokenFileGrowth,
  keyRingGrowth,
  ...bulkGrowth,
  ...historyGrowth,
  ...itemsGrowth,
  pageTextGrowth,
  automaticDay,
];

/** These are measured only when they are asked for by name. */
const tables = ['growth', 'peers', 'relay', 'waits'];

const savedAt = join(root, 'reports/bench.json');

endAllOnSignals();

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      /** How often everything is measured, one whole run after the other. */
      runs: { type: 'string', default: '1' },
      /** Takes the runs that an interrupted bench has saved, and measures the others. */
      resume: { type: 'boolean', default: false },
      /** How often each gesture of `waits` is made. */
      times: { type: 'string', default: '100' },
    },
    allowPositionals: true,
  });
  const runs = parseCount('runs', values.runs);
  const times = parseCount('times', values.times);
  refuseUnknown(positionals, tables);
  if (positionals.includes('relay')) {
    refuseNoMatch(relayParts, values.only);
    return measureRelay(console.log, values.only);
  }
  const { resume } = values;
  const [names, measure] = positionals.includes('growth')
    ? [growths.map(({ name }) => name), measureGrowth]
    : positionals.includes('waits')
      ? [waits.map(({ name }) => name), measureWaits]
      : positionals.includes('peers')
        ? [contests.map(({ work }) => work), measurePeers]
        : [promises.map(({ name }) => name), measureLimits];
  refuseNoMatch(names, values.only);
  const executablePath = await obtainChromium(console.error);
  await buildExtension(console.error);
  const profile = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const { setup, close } = await createBenchSetup(profile, executablePath);
  const code = await measure(setup, values.only, { runs, resume, times });
  await close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  return code;
});

/** Refuses a text that would leave nothing to be measured. */
function refuseNoMatch(names: readonly string[], only: string): void {
  if (names.some((name) => name.includes(only))) return;
  throw new Refusal(`No measurement's name holds "${only}": ${names.join('; ')}.`);
}

/** The runs of each measurement so far, by its name. */
type Taken = Record<string, Samples[]>;

/**
 * Returns the exit code: 1 when a goal is missed. Saves each run of a measurement, so that an interruption loses
 * nothing.
 */
async function measureLimits(
  setup: BenchSetup,
  only: string,
  { runs, resume }: { runs: number; resume: boolean },
): Promise<number> {
  const chosen = promises.filter(({ name }) => name.includes(only));
  const taken = await readTaken();
  if (!resume) for (const { name } of chosen) taken[name] = [];
  for (let run = 1; run <= runs; run += 1)
    for (const measurement of chosen) {
      const { name, measure } = measurement;
      const saved = (taken[name] ??= []);
      if (saved.length >= run) continue;
      const began = performance.now();
      console.error(`Measuring: ${name}, run ${String(run)} …`);
      const samples = await measure(setup);
      const { limitMs, oursMs } = findingOf(measurement, [samples]);
      const seconds = (performance.now() - began) / 1000;
      console.error(
        `  ${limitMs.toFixed(1)} ms, ours ${oursMs.toFixed(1)} ms, in ${seconds.toFixed(0)} s`,
      );
      saved.push(samples);
      await mkdir(dirname(savedAt), { recursive: true });
      await writeFile(savedAt, JSON.stringify(taken));
    }
  const findings = chosen.map((measurement) =>
    findingOf(measurement, taken[measurement.name] ?? []),
  );
  console.log(tableOf(findings));
  return findings.some(({ state }) => state === 'missed') ? 1 : 0;
}

/** Reads what an earlier bench has saved: nothing where there was none. */
async function readTaken(): Promise<Taken> {
  const saved = await readFile(savedAt, 'utf8').catch(() => '{}');
  return JSON.parse(saved) as Taken;
}

async function measureGrowth(setup: BenchSetup, only: string): Promise<number> {
  const findings: GrowthFinding[] = [];
  for (const growth of growths) {
    const { name, unit, sizes } = growth;
    if (!name.includes(only)) continue;
    const points = [];
    for (const size of sizes) {
      console.error(`Measuring: ${name}, ${size.toLocaleString('en')} ${unit} …`);
      const cost = await growth.measure(setup, size);
      console.error(`  ${cost.milliseconds.toFixed(1)} ms`);
      points.push({ size, ...cost });
    }
    findings.push({ name, unit, points });
  }
  console.log(markdownTable(growthRows(findings)));
  return 0;
}

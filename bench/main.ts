import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { activations, permitCold, permitWarm } from '#bench/licensing';
import { check, workerStart } from '#bench/worker';
import { bulk } from '#bench/desk-bulk';
import { itemsTyping, tableTyping } from '#bench/desk-typing';
import {
  findingOf,
  markdownTable,
  type Measurement,
  type Samples,
  tableOf,
} from '#bench/measurement';
import { batchGrowth, keyRingGrowth, tokenFileGrowth } from '#bench/growth/verifier';
import { automaticDay } from '#bench/growth/day';
import { bulkGrowth } from '#bench/growth/bulk';
import { type Growth, type GrowthFinding, growthRows } from '#bench/growth/growth';
import { historyGrowth, itemsGrowth } from '#bench/growth/desk';
import { pageTextGrowth, pastedTicketGrowth } from '#bench/growth/ticket';
import { answersEnter, answersEnterBesideBare, firstKey, firstPaint } from '#bench/popup-opening';
import { offlineReload } from '#bench/pwa-reload';
import { measureRelay, relayParts } from '#bench/relay/relay';
import { type BenchSetup, createBenchSetup } from '#bench/setup';
import { busyPage, firstScans, longestTask } from '#bench/ticket';
import { measureWaits, waits } from '#bench/waits';
import { batchAgainstBare, batchAgainstNoble, oneFile } from '#bench/verifier';
import { obtainChromium } from '#scripts/machine/browsers';
import { buildExtension } from '#scripts/build/build';
import { endAllOnSignals } from '#scripts/machine/processes';
import { parseCount, Refusal, refuseUnknown, runCommand } from '#scripts/command-line/refusal';

const measurements: readonly Measurement[] = [
  firstPaint,
  firstKey,
  answersEnter,
  answersEnterBesideBare,
  check,
  workerStart,
  permitCold,
  permitWarm,
  activations,
  oneFile,
  batchAgainstBare,
  batchAgainstNoble,
  offlineReload,
  bulk,
  tableTyping,
  itemsTyping,
  ...firstScans,
  longestTask,
  busyPage,
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

/** What is measured beside the limits, when it is asked for by name. */
const tables = ['growth', 'relay', 'waits'];

endAllOnSignals();

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      /** How often everything is measured, one whole run after the other. */
      runs: { type: 'string', default: '1' },
    },
    allowPositionals: true,
  });
  const runs = parseCount('runs', values.runs);
  refuseUnknown(positionals, tables);
  if (positionals.includes('relay')) {
    refuseNoMatch(relayParts, values.only);
    return measureRelay(console.log, values.only);
  }
  const [measured, measure] = positionals.includes('growth')
    ? [growths, measureGrowth]
    : positionals.includes('waits')
      ? [waits, measureWaits]
      : [measurements, measureLimits];
  refuseNoMatch(
    measured.map(({ name }) => name),
    values.only,
  );
  const executablePath = await obtainChromium(console.error);
  await buildExtension(console.error);
  const profile = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const { setup, close } = await createBenchSetup(profile, executablePath);
  const code = await measure(setup, values.only, runs);
  await close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  return code;
});

/** Refuses a text that would leave nothing to be measured. */
function refuseNoMatch(names: readonly string[], only: string): void {
  if (names.some((name) => name.includes(only))) return;
  throw new Refusal(`No measurement's name holds "${only}": ${names.join('; ')}.`);
}

/** Returns the exit code: 1 when a goal is missed. */
async function measureLimits(setup: BenchSetup, only: string, runs: number): Promise<number> {
  const chosen = measurements.filter(({ name }) => name.includes(only));
  const taken = chosen.map((): Samples[] => []);
  for (let run = 1; run <= runs; run += 1)
    for (const [at, measurement] of chosen.entries()) {
      console.error(`Measuring: ${measurement.name}, run ${String(run)} …`);
      const samples = await measurement.measure(setup);
      const { limitMs, oursMs } = findingOf(measurement, [samples]);
      console.error(`  ${limitMs.toFixed(1)} ms, ours ${oursMs.toFixed(1)} ms`);
      taken[at]?.push(samples);
    }
  const findings = chosen.map((measurement, at) => findingOf(measurement, taken[at] ?? []));
  console.log(tableOf(findings));
  return findings.some(({ state }) => state === 'missed') ? 1 : 0;
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { activations } from '#bench/activations';
import { check } from '#bench/check';
import { bulk } from '#bench/desk-bulk';
import { itemsTyping, tableTyping } from '#bench/desk-typing';
import { findingOf, tableOf } from '#bench/finding';
import type { Measurement } from '#bench/measurement';
import { permitCold, permitWarm } from '#bench/permit';
import { firstPaint, readyToType } from '#bench/popup-opening';
import { offlineReload } from '#bench/pwa-reload';
import { createBenchSetup } from '#bench/setup';
import { busyPage, firstScan, longestTask } from '#bench/ticket';
import { batchAgainstBare, batchAgainstNoble, oneFile } from '#bench/verifier';
import { workerStart } from '#bench/worker-start';
import { obtainChromium } from '#scripts/browsers';
import { buildExtension } from '#scripts/build';
import { endAllOnSignals } from '#scripts/processes';
import { runCommand } from '#scripts/refusal';

const measurements: readonly Measurement[] = [
  firstPaint,
  readyToType,
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
  firstScan,
  longestTask,
  busyPage,
];

endAllOnSignals();

await runCommand(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
  const chosen = measurements.filter(({ name }) => name.includes(values.only));
  const executablePath = await obtainChromium(console.error);
  await buildExtension(console.error);
  const profile = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const { setup, close } = await createBenchSetup(profile, executablePath);
  const findings = [];
  for (const measurement of chosen) {
    console.error(`Measuring: ${measurement.name} …`);
    findings.push(findingOf(measurement, await measurement.measure(setup)));
  }
  await close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  console.log(tableOf(findings));
  return findings.some(({ verdict }) => verdict === 'misses') ? 1 : 0;
});

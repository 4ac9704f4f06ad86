import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { array, looseObject, parse, record, string } from 'valibot';

import { parseCount, refuseUnknown, runCommand } from '#scripts/command-line/refusal';
import { goalOf, partNames, reportOf } from '#scripts/mutation/parts';
import { endAllOnSignals, root, run } from '#scripts/machine/processes';
import { obtainProgram } from '#scripts/machine/separate-packages';

const report = looseObject({
  files: record(string(), looseObject({ mutants: array(looseObject({ status: string() })) })),
});

endAllOnSignals();

await runCommand(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { concurrency: { type: 'string', default: '2' } },
  });
  const concurrency = String(parseCount('concurrency', values.concurrency));
  refuseUnknown(positionals, partNames);
  const stryker = await obtainProgram('stryker');
  const lines: string[] = [];
  let failed = 0;
  for (const part of positionals.length === 0 ? partNames : positionals) {
    const { code } = await run(stryker, ['run', '--concurrency', concurrency], {
      env: { ...process.env, MUTATED: part },
      onOutput: (chunk) => process.stdout.write(chunk),
    });
    const { killed, survived } = code === 0 ? count(part) : { killed: 0, survived: 0 };
    const percent = (100 * killed) / (killed + survived);
    const reached = code === 0 && percent >= goalOf(part);
    if (!reached) failed += 1;
    lines.push(
      `${reached ? 'ok  ' : 'FAIL'} ${part}: ${percent.toFixed(1)} % of ${String(killed + survived)} killed, goal ${String(goalOf(part))} %`,
    );
  }
  for (const line of lines) console.log(line);
  console.log(`${String(lines.length - failed)} passed, ${String(failed)} failed`);
  return failed === 0 ? 0 : 1;
});

/** Counts the mutants that a test noticed and those that none did; the ignored ones are in neither. */
function count(part: string): { killed: number; survived: number } {
  const { files } = parse(report, JSON.parse(readFileSync(join(root, reportOf(part)), 'utf8')));
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  return {
    killed: states.filter((status) => status === 'Killed' || status === 'Timeout').length,
    survived: states.filter((status) => status === 'Survived' || status === 'NoCoverage').length,
  };
}

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Refusal, runCommand } from '#scripts/command-line/refusal';
import {
  failedAssertion,
  hasTitle,
  opensBuild,
  type RanTest,
  runsTestsOf,
  startPlaywright,
  startVitest,
  type TestRunner,
} from '#scripts/guards/named-tests';
import { type Removal, removalsByAttack } from '#scripts/guards/removals';
import { type Guard, readGuards } from '#scripts/guards/table';
import { endAllOnSignals, root, run } from '#scripts/machine/processes';

interface Taken extends Removal {
  readonly guard: Guard;
}

endAllOnSignals();

await runCommand(async () => {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, built: { type: 'boolean', default: false } },
  });
  const taken = chosenBy(values.only).filter(({ isBuilt }) => isBuilt === values.built);
  if (taken.length === 0) throw new Refusal(`No guard to take out holds "${values.only}".`);
  const copy = await copyProject();
  const runner = values.built ? startPlaywright(copy) : await startVitest(copy);
  let noticed = 0;
  for (const [guard, removals] of Map.groupBy(taken, (one) => one.guard)) {
    const wrong = wrongIn(guard, await runner.run(guard.tests), values.built);
    for (const what of wrong) console.log(`FAIL while its guard stands, ${what}`);
    if (wrong.length > 0) continue;
    for (const removal of removals) if (await isNoticed(guard, removal, copy, runner)) noticed += 1;
  }
  await runner.close();
  console.log(`${String(taken.length)} taken out, ${String(noticed)} noticed`);
  return noticed === taken.length ? 0 : 1;
});

/** Lists the removals of whose attack or file the text is a part. */
function chosenBy(text: string): Taken[] {
  const guards = readGuards(readFileSync(join(root, 'docs/guards.md'), 'utf8'));
  return removalsByAttack.flatMap(({ attack, removals }) => {
    const guard = guards.find((one) => one.attack.startsWith(attack));
    if (guard === undefined) throw new Refusal(`docs/guards.md has no attack "${attack}".`);
    return removals
      .filter(({ file }) => [guard.attack, file].some((one) => one.includes(text)))
      .map((removal) => ({ ...removal, guard }));
  });
}

/** Copies what git tracks, as it stands now, to a folder of its own. */
async function copyProject(): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'counterfoil-guards-'));
  process.once('exit', () => {
    rmSync(copy, { recursive: true, force: true });
  });
  const { output } = await run('git', ['ls-files', '-z']);
  for (const path of [...output.split('\0').filter((name) => name !== ''), '.wxt'])
    cpSync(join(root, path), join(copy, path), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Lists the named tests that are not there, or do not pass while their guard stands. */
function wrongIn({ tests }: Guard, ran: readonly RanTest[], built: boolean): string[] {
  return tests
    .filter(({ file }) => opensBuild(file) === built)
    .flatMap(({ file, titles }) =>
      titles.flatMap((title) => {
        const own = ran.filter((one) => runsTestsOf(one.file, file) && hasTitle(one.name, [title]));
        if (own.length === 0) return [`${file}: no test has the title "${title}"`];
        return own
          .filter(({ state }) => state === 'failed')
          .map(({ name, failures }) => `${file}: "${name}" fails: ${failures.join(' ')}`);
      }),
    );
}

/** Takes a guard out, runs its tests, puts it back, and says which test noticed it. */
async function isNoticed(
  guard: Guard,
  { file, from, to }: Removal,
  copy: string,
  runner: TestRunner,
): Promise<boolean> {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const change = async (changed: string): Promise<void> => {
    writeFileSync(path, changed);
    await runner.changed(path);
  };
  await change(text.replace(from, () => to));
  const failed = (await runner.run(guard.tests)).filter(({ state }) => state === 'failed');
  await change(text);
  const by = failed.find(failedAssertion);
  const line = text.slice(0, text.indexOf(from)).split('\n').length;
  const place = `${by === undefined ? 'FAIL' : 'ok  '} ${file}:${String(line)}`;
  if (by !== undefined) console.log(`${place} noticed by "${by.name}"`);
  else if (failed.length === 0) console.log(`${place} no test of "${guard.attack}" noticed it`);
  else {
    const [{ name, failures }] = failed as [RanTest];
    console.log(`${place} stops "${name}" before what it expects: ${failures.join(' ')}`);
  }
  return by !== undefined;
}

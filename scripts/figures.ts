import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { array, number, object, optional, parse, string } from 'valibot';

import { Refusal, runCommand } from '#scripts/command-line/refusal';
import { countDoors, product } from '#scripts/checks/doors';
import { durationFile } from '#scripts/checks/reports';
import { root } from '#scripts/machine/processes';

const tests = /^tests\/.*\.(?:ts|vue|mjs|js|sql)$/;
const document = { test: (name: string): boolean => name.endsWith('.md') };

/* Prints how large the project is as one table: the checkout, and beside it another commit (`-- --base REV`). */

interface Row {
  readonly name: string;
  readonly value: string;
}

/** Reads the files that git tracks in a checkout, or what lies in the folder of an exported commit. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const names =
    folder === root
      ? git('ls-files', '-z').split('\0')
      : readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const wanted = names.filter(
    (name) =>
      (product.test(name) || tests.test(name) || document.test(name)) &&
      existsSync(join(folder, name)),
  );
  return new Map(wanted.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** @throws Refusal when git knows no such commit */
function filesAt(commit: string): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'figures-'));
  try {
    const archive = join(folder, '.tar');
    git('archive', '--format=tar', `--output=${archive}`, commit);
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    return filesIn(folder);
  } catch {
    throw new Refusal(`git knows no commit "${commit}".`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function rowsOf(files: ReadonlyMap<string, string>): Row[] {
  const matching = (pattern: Pick<RegExp, 'test'>): string[] =>
    [...files].flatMap(([name, text]) => (pattern.test(name) ? [text] : []));
  const lengths = matching(product)
    .map(linesOf)
    .sort((a, b) => a - b);
  const total = (texts: readonly string[]): string =>
    texts.reduce((sum, text) => sum + linesOf(text), 0).toLocaleString('en');
  const bytes = matching(document).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [
    { name: 'product: lines', value: total(matching(product)) },
    { name: 'product: files', value: lengths.length.toLocaleString('en') },
    { name: 'product: lines of the median file', value: String(lengths[lengths.length >> 1]) },
    {
      name: 'product: files under 50 lines',
      value: String(lengths.filter((length) => length < 50).length),
    },
    { name: 'tests: lines', value: total(matching(tests)) },
    { name: 'documents (all .md): kB', value: (bytes / 1000).toFixed(0) },
    ...countDoors(files).map(({ folder, names, doors }) => ({
      name: `${folder}: names through its doors`,
      value: `${String(names.size)} through ${String(doors.size)}`,
    })),
  ];
}

const sizes = array(object({ name: string(), size: optional(number()) }));

/** Weighs the bundles of the build that is there, gzipped; none where nothing was built. */
function bundleRows(): Row[] {
  let output: string;
  try {
    output = execFileSync('npx', ['--no-install', 'size-limit', '--json'], {
      cwd: root,
      encoding: 'utf8',
    });
  } catch (error) {
    // Its exit code is 1 when a budget is exceeded or a file missing.
    output = String(Reflect.get(error as object, 'stdout'));
  }
  if (!output.trimStart().startsWith('[')) return [];
  return parse(sizes, JSON.parse(output)).flatMap(({ name, size }) =>
    size === undefined ? [] : [{ name: `kB: ${name}`, value: (size / 1000).toFixed(1) }],
  );
}

/** Says how long the last `npm test` in this checkout took. */
function testRows(): Row[] {
  const file = join(root, durationFile);
  if (!existsSync(file)) return [];
  const { minutes } = parse(object({ minutes: number() }), JSON.parse(readFileSync(file, 'utf8')));
  return [{ name: 'npm test: minutes', value: minutes.toFixed(1) }];
}

await runCommand(() => {
  const { values } = parseArgs({ options: { base: { type: 'string' } } });
  const before = values.base === undefined ? undefined : rowsOf(filesAt(values.base));
  const now = [...rowsOf(filesIn(root)), ...bundleRows(), ...testRows()];
  console.log(before === undefined ? '| | now |' : `| | ${values.base ?? ''} | now |`);
  console.log(before === undefined ? '| --- | --- |' : '| --- | --- | --- |');
  for (const { name, value } of now) {
    const former = before?.find((row) => row.name === name)?.value ?? '–';
    console.log(
      before === undefined ? `| ${name} | ${value} |` : `| ${name} | ${former} | ${value} |`,
    );
  }
  return Promise.resolve(0);
});

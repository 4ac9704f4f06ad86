import { statSync } from 'node:fs';
import { chmod, copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { bundleRelay, relayLicenses as licenses } from '#scripts/build/relay';
import { root, run } from '#scripts/machine/processes';
import { withLicenseTexts } from '#scripts/packages/licenses';
import { Refusal, runCommand } from '#scripts/command-line/refusal';

const program = 'relay.mjs';
/**
 * These files are copied beside the program: the whole folder, and some of the project's files under the names that the
 * guide uses.
 */
const deploy = join(root, 'relay/deploy');
const copies = {
  'README.md': 'docs/relay.md',
  'reference.md': 'relay/README.md',
  'SECURITY.md': 'SECURITY.md',
  LICENSE: 'LICENSE',
} as const;

/** Marks in Node's program whether it holds a script. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * `-- --out FOLDER` writes into another folder; `-- --executable FILE` also makes one file of it, with this Node in it.
 */
await runCommand(async () => {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: 'dist/relay' }, executable: { type: 'string' } },
  });
  const folder = resolve(root, values.out);
  await refuseForeignFiles(folder, values.out);
  await rm(folder, { recursive: true, force: true });
  await bundleRelay(folder, 'es', program);
  const list = join(folder, licenses);
  await writeFile(list, withLicenseTexts(await readFile(list, 'utf8')));
  await cp(deploy, folder, { recursive: true });
  for (const [name, from] of Object.entries(copies)) {
    const text = await readFile(join(root, from), 'utf8');
    await writeFile(join(folder, name), linksBesideProgram(text, from));
  }
  console.log(`${values.out} is ready to be copied; it runs with Node 24: node ${program}`);
  if (values.executable !== undefined) {
    await writeExecutable(folder, resolve(root, values.executable));
    console.log(`${values.executable} is the same as one file, for machines like this one.`);
  }
  return 0;
});

/** Leads the links of a copied document to the copies beside it; names the files of the project that are not there. */
function linksBesideProgram(text: string, from: string): string {
  return text.replace(/\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g, (_, label, path, part) => {
    const target = join(dirname(from), String(path));
    const copy = Object.entries(copies).find(([, of]) => of === target)?.[0];
    if (copy !== undefined) return `[${String(label)}](${copy}${String(part ?? '')})`;
    return label === target
      ? `\`${target}\` of the project`
      : `${String(label)} (\`${target}\` of the project)`;
  });
}

/** Makes a copy of Node that runs the program and holds the files of its folder, as Node's documentation says. */
async function writeExecutable(folder: string, file: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'relay-executable-'));
  try {
    // A single executable of Node holds CommonJS.
    await bundleRelay(work, 'cjs', 'relay.cjs');
    const names = (await readdir(folder)).filter((name) => name !== program);
    const assets = Object.fromEntries(names.map((name) => [name, join(folder, name)]));
    const blob = join(work, 'relay.blob');
    const config = {
      main: join(work, 'relay.cjs'),
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: { ...assets, [`node-${licenses}`]: nodeLicense() },
    };
    await writeFile(join(work, 'config.json'), JSON.stringify(config));
    const made = join(work, 'relay');
    await copyFile(process.execPath, made);
    await chmod(made, 0o755);
    await must(process.execPath, '--experimental-sea-config', join(work, 'config.json'));
    await must('postject', made, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse);
    await rm(file, { force: true });
    await copyFile(made, file);
  } finally {
    await rm(work, { recursive: true });
  }
}

/** Finds the license of the Node that runs this, which goes along with it. */
function nodeLicense(): string {
  const found = ['../LICENSE', '../../LICENSE', '../share/doc/nodejs/LICENSE']
    .map((path) => resolve(dirname(process.execPath), path))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (found !== undefined) return found;
  throw new Refusal(
    `There is no LICENSE beside ${process.execPath}, which would have to go along with it.`,
  );
}

async function must(command: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(command, args);
  if (code !== 0) throw new Refusal(`${command} failed:\n${output.trimEnd()}`);
}

/**
 * Refuses a folder with what a build would take away: the database and the master key of a relay that was tried in it,
 * or a configuration that was edited there.
 */
async function refuseForeignFiles(folder: string, shown: string): Promise<void> {
  const configurations = await readdir(deploy);
  const ours = new Set([program, licenses, ...Object.keys(copies), ...configurations]);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new Refusal(`${shown} is no folder.`);
  const refuse = (name: string, reason: string): never => {
    throw new Refusal(
      `${shown} is emptied before each build, and holds "${name}", ${reason}: move it to another folder, then run the command again.`,
    );
  };
  const names = await readdir(folder);
  const foreign = names.find((name) => !ours.has(name));
  if (foreign !== undefined) refuse(foreign, 'which this build does not write');
  for (const name of configurations.filter((one) => names.includes(one))) {
    const [here, built] = [join(folder, name), join(deploy, name)];
    if (!(await readFile(here)).equals(await readFile(built)))
      refuse(name, 'which is not as this build writes it');
  }
}

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { delay } from '#core/time/index';
import { runAdmin } from '#relay/admin/admin';
import { runDoctor } from '#relay/admin/doctor';
import { asksForHelp } from '#relay/admin/command';
import { databaseAdvice } from '#relay/admin/database-advice';
import { environmentFiles } from '#relay/admin/environment-files';
import { initTakes, runInit } from '#relay/admin/init';
import { messageOf, Problem } from '#relay/problem';
import { createOpenIdSignIn } from '#relay/join/openid';
import { createObserver } from '#relay/observe/observer';
import { startRelay } from '#relay/relay';
import { addressAt, readSettings, requireDatabase, type Settings } from '#relay/settings';
import { runSigning } from '#relay/signing/signing';
import { calledAs, isExecutable, version } from '#relay/version';

// Only this account may read the database that it creates.
process.umask(0o077);

const leastNode = 24;

const help = `Counterfoil relay ${version}

  ${calledAs} init …            sets a relay up in this folder
  ${calledAs}                   serves, until Ctrl-C
  ${calledAs} doctor            says what is wrong with it, and what to do
  ${calledAs} ready [--wait]    ends with 0 when the relay that serves here is ready; waits a minute for it if asked to
  ${calledAs} admin [COMMAND]   administers on the relay's host; alone, lists the commands
  ${calledAs} settings          signs the team's settings, on a machine of the administrator's
  ${calledAs} --version${isExecutable ? `\n  ${calledAs} files FOLDER      writes the guide, licenses and examples that the program holds` : ''}

init ${initTakes}

Those on the relay’s host read relay.env in the folder in which they are run, init and admin owner.env before it.
README.md, or docs/relay.md in the project, leads from nothing to a first check.`;

// The script of a single executable must not have a top-level `await`.
void main();

async function main(): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    const { DATABASE_URL, RELAY_DATABASE = '' } = process.env;
    const advice = databaseAdvice(error, DATABASE_URL ?? RELAY_DATABASE);
    console.error(advice ?? messageOf(error));
    process.exitCode = 1;
  }
}

/** Runs the command line. Returns the exit code; for a serving relay, after it has ended. */
async function run([command, ...rest]: readonly string[]): Promise<number> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < leastNode) {
    throw new Error(
      `The relay needs Node ${String(leastNode)} or newer, and this is Node ${node}.`,
    );
  }
  // The reader of a long list, such as `head`, may stop early.
  if (command !== undefined) {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  // `--help` must work without any set-up.
  const listsItsOwn = command === 'admin' || command === 'settings';
  if (command === 'help' || (!listsItsOwn && asksForHelp([command ?? '', ...rest]))) {
    console.log(help);
    return 0;
  }
  switch (command) {
    case undefined:
      readFiles(environmentFiles.everybody);
      await serve();
      return 0;
    case 'init':
      readFiles(environmentFiles.owner, environmentFiles.everybody);
      return runInit(rest, process.env, process.cwd(), process);
    case 'doctor':
      readFiles(environmentFiles.everybody);
      return runDoctor(rest, process.env, console.log);
    case 'ready':
      readFiles(environmentFiles.everybody);
      return isReady(readSettings(process.env), rest.includes('--wait') ? 60_000 : 0);
    case 'files':
      return writeFiles(rest);
    case 'admin':
      readFiles(environmentFiles.owner, environmentFiles.everybody);
      return runAdmin(rest, () => readSettings(process.env), process);
    case 'settings':
      return runSigning(rest, Date.now(), console.log);
    case '--version':
      console.log(version);
      return 0;
    default:
      throw new Error(`"${command}" is no command. "--help" lists them.`);
  }
}

/** Adds the variables of files to the environment, if the files exist. Variables that are already set stay. */
function readFiles(...names: readonly string[]): void {
  for (const name of names.filter((file) => existsSync(file))) {
    try {
      process.loadEnvFile(name);
    } catch (error) {
      // Node reports that the file does not exist.
      throw new Problem(`This account may not read ${name}, which is there.`, { cause: error });
    }
  }
}

/**
 * Asks the relay on this machine whether it is ready; if not, prints its answer.
 * @param waitMs how long to keep asking, in milliseconds
 * @returns the exit code
 */
async function isReady({ host, port }: Settings, waitMs: number): Promise<number> {
  const address = `${addressAt(host, port)}/readyz`;
  const until = performance.now() + waitMs;
  for (;;) {
    const isLast = performance.now() >= until;
    const reply = await fetch(address, { signal: AbortSignal.timeout(5_000) }).catch(
      (error: unknown) => {
        if (isLast) throw new Problem(`Nothing answers at ${address}.`, { cause: error });
      },
    );
    if (reply?.ok === true) return 0;
    if (isLast && reply !== undefined) {
      console.error(await reply.text());
      return 1;
    }
    await delay(100);
  }
}

/** Writes the files that a single-file program contains into a folder. */
function writeFiles([folder]: readonly string[]): number {
  // An older Node lacks this module, and must start in order to report what it lacks.
  const sea = process.getBuiltinModule('node:sea');
  if (!sea.isSea()) throw new Error('The files lie beside relay.mjs.');
  if (folder === undefined) throw new Error(`Name a folder: ${calledAs} files FOLDER`);
  mkdirSync(folder, { recursive: true });
  for (const name of sea.getAssetKeys()) {
    writeFileSync(join(folder, name), sea.getAsset(name, 'utf8'), { flag: 'wx' });
  }
  return 0;
}

async function serve(): Promise<void> {
  const settings = readSettings(process.env);
  requireDatabase(settings.database);
  const observer = createObserver(settings.logLevel);
  const openId = settings.openId();
  const relay = await startRelay({
    ...settings,
    observer,
    keyring: settings.keyring(),
    signIn:
      openId &&
      createOpenIdSignIn(openId, (error) => {
        observer.signInFault(error);
      }),
  });
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    // Without a handler, for example for a second signal, the process would end at once.
    process.on(signal, () => void relay.stop());
  }
}

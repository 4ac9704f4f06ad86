import { existsSync } from 'node:fs';

import { runAdmin } from '#relay/admin/admin';
import { runDoctor } from '#relay/admin/doctor';
import { environmentFiles, initTakes, runInit } from '#relay/admin/init';
import { messageOf } from '#relay/message-of';
import { createOpenIdSignIn } from '#relay/join/openid';
import { createLog } from '#relay/observe/log';
import { startRelay } from '#relay/relay';
import { readSettings } from '#relay/settings';
import { runSigning } from '#relay/signing/signing';
import { version } from '#relay/version';

// The database that it creates is for its own account alone.
process.umask(0o077);

const leastNode = 24;

const help = `Counterfoil relay ${version}

  node relay.mjs init …            sets a relay up in this folder; at a terminal it asks
  node relay.mjs                   serves, until Ctrl-C
  node relay.mjs doctor            says what is wrong with it, and what to do
  node relay.mjs admin [COMMAND]   administers on the relay's host; alone, lists the commands
  node relay.mjs settings          signs the team's settings, on a machine of the administrator's
  node relay.mjs --version

init ${initTakes}

Those on the relay’s host read relay.env in the folder in which they are run, init and admin owner.env before it.
README.md, or docs/relay.md in the project, leads from nothing to a first check.`;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

/** Runs what the command line asks for. Returns the exit code, that of a relay which serves for the time when it ends. */
async function run([command, ...rest]: readonly string[]): Promise<number> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < leastNode) {
    throw new Error(
      `The relay needs Node ${String(leastNode)} or newer, and this is Node ${node}.`,
    );
  }
  // Whoever reads a long list may have seen enough of it, as `head` does.
  if (command !== undefined) {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
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
    case 'admin':
      readFiles(environmentFiles.owner, environmentFiles.everybody);
      return runAdmin(rest, () => readSettings(process.env), process);
    case 'settings':
      return runSigning(rest, Date.now(), console.log);
    case '--version':
    case '-v':
      console.log(version);
      return 0;
    case '--help':
    case '-h':
    case 'help':
      console.log(help);
      return 0;
    default:
      throw new Error(`"${command}" is no command. "--help" lists them.`);
  }
}

/** Takes the environment from files, where they are there. What stands in it already stays. */
function readFiles(...names: readonly string[]): void {
  for (const name of names.filter((file) => existsSync(file))) process.loadEnvFile(name);
}

async function serve(): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLog(settings.logLevel);
  const openId = settings.openId();
  const relay = await startRelay({
    ...settings,
    log,
    keyring: settings.keyring(),
    signIn:
      openId &&
      createOpenIdSignIn(openId, (error) => {
        log.signInFault(error);
      }),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A signal without a handler, the second of its kind say, would end the process at once.
    process.on(signal, () => void relay.stop());
  }
}

import { runAdmin } from '#relay/admin/admin';
import { createLog } from '#relay/observe/log';
import { startRelay } from '#relay/relay';
import { readSettings } from '#relay/settings';

// `npm run relay` serves; `npm run relay -- admin …` administers on the host.
try {
  const settings = readSettings(process.env);
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'admin') {
    process.exitCode = await runAdmin(rest, settings, process);
  } else if (command === undefined) {
    const log = createLog(settings.logLevel);
    const relay = await startRelay({ ...settings, log, keyring: settings.keyring() });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void relay.stop());
    }
  } else {
    throw new Error(`"${command}" is no command: run it without one to serve, or with "admin".`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

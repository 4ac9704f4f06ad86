import { runAdmin } from '#relay/admin/admin';
import { messageOf } from '#relay/message-of';
import { createOpenIdSignIn } from '#relay/join/openid';
import { createLog } from '#relay/observe/log';
import { startRelay } from '#relay/relay';
import { readSettings } from '#relay/settings';
import { runSigning } from '#relay/signing/signing';

// The database that it creates is for its own account alone.
process.umask(0o077);

// `npm run relay` serves; `npm run relay -- admin …` administers on the host; `npm run relay -- settings …` signs, elsewhere.
try {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'settings') {
    process.exitCode = runSigning(rest, Date.now(), console.log);
  } else if (command === 'admin') {
    // Whoever reads a long list may have seen enough of it, as `head` does.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
    process.exitCode = await runAdmin(rest, () => readSettings(process.env), process);
  } else if (command === undefined) {
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
  } else {
    throw new Error(
      `"${command}" is no command: run it without one to serve, or with "admin" or "settings".`,
    );
  }
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

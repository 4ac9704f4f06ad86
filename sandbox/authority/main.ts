import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { defaultAuthorityPort, startAuthority } from '#sandbox/authority/server';
import { PortInUse } from '#sandbox/listen';

// The authority as a process of its own. The first line on stdout is JSON and says where and with which tokens.
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: String(defaultAuthorityPort) },
    db: {
      type: 'string',
      default: fileURLToPath(new URL('../../.sandbox/sandbox.db', import.meta.url)),
    },
  },
});

try {
  const running = await startAuthority({
    port: Number(values.port),
    db: values.db,
  });
  const { origin, controlToken, tokens, publicKey } = running;
  process.stdout.write(`${JSON.stringify({ origin, controlToken, tokens, publicKey })}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void running.close().then(() => process.exit(0)));
  }
} catch (error) {
  if (!(error instanceof PortInUse)) throw error;
  process.stderr.write(`${error.message}.\n`);
  process.exitCode = 1;
}

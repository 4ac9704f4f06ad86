import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { PortInUse } from '#sandbox/listen';
import { startSandbox } from '#sandbox/server';
import type { Sandbox } from '#sandbox/server';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    db: {
      type: 'string',
      default: fileURLToPath(new URL('../.sandbox/sandbox.db', import.meta.url)),
    },
  },
});

try {
  const sandbox = await startSandbox({ port: Number(values.port), db: values.db });
  console.log(greeting(sandbox));
  stopOnSignal(() => sandbox.close());
} catch (error) {
  if (!(error instanceof PortInUse)) throw error;
  console.error(
    `Port ${String(error.port)} is in use: stop what listens there, or choose another with --port.`,
  );
  process.exitCode = 1;
}

function greeting({ origin, keys, controlToken }: Sandbox): string {
  return [
    `The sandbox is up: ${origin}/`,
    '',
    `  ${origin}/demo     API key ${keys['/demo']}`,
    `  ${origin}/market   API key ${keys['/market']}`,
    '',
    `  Control token ${controlToken}`,
    '',
    'The page above lists the dialects and sample codes. Ctrl-C stops.',
  ].join('\n');
}

function stopOnSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void close();
    });
  }
}

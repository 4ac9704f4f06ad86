import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { sandboxPort } from '#core/first-steps/index';
import { PortInUse } from '#sandbox/listen';
import { exitWithNpm } from '#sandbox/exit-with-npm';
import { startWholeSandbox, type WholeSandbox } from '#sandbox/server';

const help = `The sandbox: a local seller API and license server.

  --port PORT             where the seller API answers (${String(sandboxPort)}); 0 takes a free port
  --authority-port PORT   where the license server answers (${String(sandboxPort + 1)})
  --db FILE               its database (.sandbox/sandbox.db); :memory: keeps none`;

try {
  const options = readOptions();
  if (options === undefined) console.log(help);
  else {
    const sandbox = await startWholeSandbox(options);
    console.log(greeting(sandbox));
    stopOnSignal(sandbox.close);
  }
} catch (error) {
  console.error(sentence(error));
  process.exitCode = 1;
}

/** Returns undefined if only help was asked for. */
function readOptions(): Parameters<typeof startWholeSandbox>[0] | undefined {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      port: { type: 'string', default: String(sandboxPort) },
      'authority-port': { type: 'string', default: String(sandboxPort + 1) },
      db: {
        type: 'string',
        default: fileURLToPath(new URL('../.sandbox/sandbox.db', import.meta.url)),
      },
    },
  });
  if (values.help) return undefined;
  return {
    port: readPort(values.port),
    authorityPort: readPort(values['authority-port']),
    db: values.db,
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`"${text}" is no port: 0 to 65535`);
}

function sentence(error: unknown): string {
  if (error instanceof PortInUse) {
    return `${error.message}: stop what listens there, or choose others with --port and --authority-port.`;
  }
  return `The sandbox cannot start: ${error instanceof Error ? error.message : String(error)}.`;
}

function greeting({ seller, authority }: WholeSandbox): string {
  const { origin, keys, controlToken } = seller;
  return [
    `The sandbox is up: ${origin}/`,
    '',
    `  ${origin}/demo     API key ${keys['/demo']}`,
    `  ${origin}/market   API key ${keys['/market']}`,
    `  ${origin}/#marketplaces   other marketplaces, with keys and codes`,
    `  control token ${controlToken}`,
    '',
    `  ${authority.origin}          license authority`,
    `  public key ${authority.publicKey.fingerprint} (SHA-256)`,
    `  control token ${authority.controlToken}`,
    '',
    'The page lists dialects, sample codes and tokens to copy. Ctrl-C stops.',
  ].join('\n');
}

function stopOnSignal(close: () => Promise<void>): void {
  const stop = (): void => {
    void close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  exitWithNpm(stop);
}

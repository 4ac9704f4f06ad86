import { sandboxPort } from '#core/first-steps/index';
import { PortInUse } from '#sandbox/listen';
import { startWholeSandbox, type WholeSandbox } from '#sandbox/server';
import { Refusal } from '#scripts/command-line/refusal';

/** How many pairs of ports are tried before giving up. */
const maxPairs = 50;

/**
 * Starts the seller API at a port and the license authority at the next one.
 *
 * @param options.port the seller's, 1 to 65534; without it, 8787 or the next one that is free together with its
 * neighbour
 * @param options.db the database file
 * @throws Refusal when the given port, or every port tried, is taken or not allowed
 */
export async function startSandboxAtFreePorts(options: {
  readonly port: number | undefined;
  readonly db: string;
}): Promise<WholeSandbox> {
  const { port, db } = options;
  const candidates =
    port === undefined
      ? Array.from({ length: maxPairs }, (_, index) => sandboxPort + 2 * index)
      : [port];
  let last: unknown;
  for (const candidate of candidates) {
    try {
      return await startWholeSandbox({ port: candidate, authorityPort: candidate + 1, db });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      last = error;
    }
  }
  throw last instanceof PortInUse ? inUse(last.port, port) : notAllowed(port ?? sandboxPort);
}

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof PortInUse ||
    (error instanceof Error && 'code' in error && error.code === 'EACCES')
  );
}

function inUse(taken: number, given: number | undefined): Refusal {
  return given === undefined
    ? new Refusal(
        `Ports ${String(sandboxPort)} to ${String(taken)} are in use: give one that is free with "npm start -- --port NUMBER".`,
      )
    : new Refusal(
        `Port ${String(taken)} is in use: end what listens there, or start without --port to take the next free one.`,
      );
}

function notAllowed(port: number): Refusal {
  return new Refusal(
    `Port ${String(port)} is for the administrator alone: give one from 1024 on with "npm start -- --port 8787".`,
  );
}

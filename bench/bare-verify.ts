import { bareId, type BenchSetup } from '#bench/setup';
import { signPairs } from '#bench/verifier-setup';

/** Measures bare WebCrypto in workers: the least that verifying so many signatures costs on this machine. */
export interface BareVerify {
  /** How many verifications each worker has in flight: the fastest of 1 to 64, tried once before. */
  readonly depth: number;
  /** Verifies every signature once. Returns milliseconds. */
  readonly verify: () => Promise<number>;
  readonly close: () => Promise<void>;
}

const depths = [1, 2, 4, 8, 16, 32, 64];

/**
 * Opens a page without our program that verifies the two signatures of `pairs` license and certificate pairs, in as many
 * workers as the verifier has. The messages lie in the workers before the time starts.
 */
export async function openBareVerify(
  { extension }: BenchSetup,
  pairs: number,
): Promise<BareVerify> {
  const page = await extension.context.newPage();
  await page.goto(`chrome-extension://${bareId}/popup.html`);
  await page.evaluate(signPairs, pairs);
  await page.evaluate(async () => {
    const { publicKey, messages } = window.signed;
    const count = Math.min(navigator.hardwareConcurrency || 2, 4);
    const workers = Array.from({ length: count }, () => new Worker('verify-worker.js'));
    const send = async (worker: Worker, data: unknown): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      worker.onmessage = resolve;
      worker.postMessage(data);
      await promise;
    };
    await Promise.all(
      workers.map((worker, at) =>
        send(worker, {
          publicKey,
          messages: messages.filter((_, index) => index % count === at),
        }),
      ),
    );
    window.verifyBareIn = async (depth) => {
      const begun = performance.now();
      await Promise.all(workers.map((worker) => send(worker, { depth })));
      return performance.now() - begun;
    };
  });
  const verifyIn = (depth: number): Promise<number> =>
    page.evaluate((each) => window.verifyBareIn(each), depth);
  let best = { depth: 1, taken: Infinity };
  // Twice, so that one slow moment of the machine does not choose the depth.
  for (const depth of [...depths, ...depths]) {
    const taken = await verifyIn(depth);
    if (taken < best.taken) best = { depth, taken };
  }
  const { depth } = best;
  return { depth, verify: () => verifyIn(depth), close: () => page.close() };
}

declare global {
  interface Window {
    /** Returns milliseconds. */
    verifyBareIn: (depth: number) => Promise<number>;
  }
}

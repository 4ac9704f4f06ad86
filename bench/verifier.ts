import { verify } from '@noble/ed25519';

import { alternate, type Measurement } from '#bench/measurement';
import { bareId } from '#bench/bare';
import type { BenchSetup } from '#bench/setup';
import { dropAll, dropOne, openVerifier, signPairs, verifyBare } from '#bench/verifier-setup';
import { makeSigner } from '#tests/core/license/signature/sign';

const pairs = 10_000;

/**
 * Measures ten thousand files from the drop to the complete table: reading, finding, verifying, judging, drawing. The bare
 * verdict is `JSON.parse`, base64url, both payloads, two `crypto.subtle.verify`, and one row posted.
 */
export const batchAgainstBare: Measurement = {
  name: 'verifier, 10,000 pairs',
  limit: 'the bare verdict in as many workers, the best of 1 to 64 in flight',
  goal: { ratio: 1.4, spread: 1.5 },
  measure: async (setup) => {
    const bare = await openBareVerify(setup, pairs);
    console.error(`  bare: ${String(bare.depth)} in flight`);
    const page = await openVerifier(setup, pairs);
    const samples = await alternate(bare.verify, () => page.evaluate(dropAll, false), {
      rounds: 3,
      warmUp: 1,
    });
    await page.close();
    await bare.close();
    return samples;
  },
};

/** Measures the same beside Ed25519 in plain JavaScript, to show the gain of the browser's own. */
export const batchAgainstNoble: Measurement = {
  name: 'verifier, 10,000 pairs, beside JavaScript',
  limit: 'noble’s strict verify alone, 20,000 of them (from 200)',
  goal: { ratio: 1 / 8 },
  measure: async (setup) => {
    const page = await openVerifier(setup, pairs);
    const signer = makeSigner(1);
    const message = new Uint8Array(240).fill(7);
    const signature = signer.sign(message);
    const some = 200;
    const noble = (): Promise<number> => {
      const begun = performance.now();
      for (let count = 0; count < some; count += 1)
        verify(signature, message, signer.publicKey, { zip215: false });
      return Promise.resolve(((performance.now() - begun) * 2 * pairs) / some);
    };
    const samples = await alternate(noble, () => page.evaluate(dropAll, false), {
      rounds: 3,
      warmUp: 1,
    });
    await page.close();
    return samples;
  },
};

/** Measures one file on a page that has been used before, from the drop to its headline. */
export const oneFile: Measurement = {
  name: 'verifier, one file, warm',
  limit: 'one bare verify of each of its two signatures',
  // One frame at 60 a second.
  goal: { ratio: 1, slackMs: 16.7 },
  measure: async (setup) => {
    const page = await openVerifier(setup, 40);
    let number = 0;
    const samples = await alternate(
      () => page.evaluate(verifyBare, 2),
      () => page.evaluate(dropOne, (number += 1)),
      { rounds: 25, warmUp: 5 },
    );
    await page.close();
    return samples;
  },
};

/** Measures the bare verdict in workers: the least that telling so many pairs genuine costs on this machine. */
interface BareVerify {
  /** How many pairs each worker has in flight: the fastest of 1 to 64, tried once before. */
  readonly depth: number;
  /** Judges every pair once. Returns milliseconds. */
  readonly verify: () => Promise<number>;
  readonly close: () => Promise<void>;
}

const depths = [1, 2, 4, 8, 16, 32, 64];

/** It is searched once, however many runs there are. */
let bestDepth: number | undefined;

async function findBestDepth(verifyIn: (depth: number) => Promise<number>): Promise<number> {
  let best = { depth: 1, taken: Infinity };
  // Twice, so that one slow moment of the machine does not choose the depth.
  for (const depth of [...depths, ...depths]) {
    const taken = await verifyIn(depth);
    if (taken < best.taken) best = { depth, taken };
  }
  return best.depth;
}

/**
 * Opens a page without our program that gives `pairs` license and certificate pairs the bare verdict, in as many workers as
 * the verifier has. The texts lie in the workers before the time starts.
 */
async function openBareVerify({ extension }: BenchSetup, pairs: number): Promise<BareVerify> {
  const page = await extension.context.newPage();
  await page.goto(`chrome-extension://${bareId}/popup.html`);
  await page.evaluate(signPairs, pairs);
  await page.evaluate(async () => {
    const { publicKey, list } = window.signed;
    const texts = (await list.text()).trim().split('\n');
    const count = Math.min(navigator.hardwareConcurrency || 2, 4);
    const workers = Array.from({ length: count }, () => new Worker('verify-worker.js'));
    const send = async (worker: Worker, data: unknown): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      worker.onmessage = ({ data: said }) => {
        if (said === 'done') resolve(said);
      };
      worker.postMessage(data);
      await promise;
    };
    await Promise.all(
      workers.map((worker, at) =>
        send(worker, {
          publicKey,
          texts: texts.filter((_, index) => index % count === at),
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
  const depth = (bestDepth ??= await findBestDepth(verifyIn));
  return { depth, verify: () => verifyIn(depth), close: () => page.close() };
}

declare global {
  interface Window {
    /** Returns milliseconds. */
    verifyBareIn: (depth: number) => Promise<number>;
  }
}

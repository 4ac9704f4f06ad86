import { join } from 'node:path';

import { build } from 'vite';

import type { Contest } from '#bench/peers/contest';
import { dropAll, openVerifier } from '#bench/verifier';
import { root } from '#scripts/machine/processes';
import { takeTab } from '#tests/support/tabs';

declare global {
  interface Window {
    signForPeers: (count: number) => Promise<Readonly<Record<string, () => Promise<number>>>>;
    peers: Readonly<Record<string, () => Promise<number>>>;
  }
}

const documents = 10_000;
const peers = ['jose', 'paseto', 'Keygen’s example', 'noble'];

/**
 * Ten thousand signed documents: ours reads, verifies, judges and draws half as many pairs; the peers verify and parse.
 */
export const documentsVerified: Contest = {
  work: '10,000 signed documents verified',
  unit: 'ms',
  goal: 'ahead of each',
  async prepare({ extension, sandbox }) {
    const verifier = await openVerifier({ extension }, documents / 2);
    const page = await takeTab(extension.context);
    await page.goto(sandbox.origin);
    // Its own policy lets no script in, and binds what is evaluated in it not at all.
    await page.evaluate(await script());
    await page.evaluate(async (count) => {
      window.peers = await window.signForPeers(count);
    }, documents);
    return {
      ours: () => verifier.evaluate(dropAll, false),
      peers: Object.fromEntries(
        peers.map((name) => [
          name,
          () => page.evaluate((peer) => window.peers[peer]?.() ?? 0, name),
        ]),
      ),
      close: async () => {
        await verifier.close();
        await page.close();
      },
    };
  },
};

async function script(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root,
    build: {
      write: false,
      lib: {
        entry: join(import.meta.dirname, 'documents-page.ts'),
        formats: ['iife'],
        name: 'page',
      },
    },
  });
  const bundle = Array.isArray(built) ? built[0] : built;
  if (bundle === undefined || !('output' in bundle))
    throw new Error('The page of the peers was not built.');
  return bundle.output[0].code;
}

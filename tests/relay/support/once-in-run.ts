import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

import { inject } from 'vitest';

/** Returns what a run of tests has once (`run-setup.ts`). The first that asks waits until it is made. */
export async function onceInRun<Offer>(name: 'postgres' | 'program'): Promise<Offer> {
  const reply = await fetch(`${inject('onceInRun')}/${name}`);
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as Offer;
}

/** Returns the path of the relay's program, bundled as it is handed out; for the bench, which is no test, its source. */
export async function relayProgram(): Promise<string> {
  if (isMainThread) return fileURLToPath(new URL('../../../relay/main.ts', import.meta.url));
  return (await onceInRun<{ readonly program: string }>('program')).program;
}

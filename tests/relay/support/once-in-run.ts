import { inject } from 'vitest';

/** Returns what a run of tests has once (`run-setup.ts`). The first that asks waits until it is made. */
export async function onceInRun<Offer>(name: 'postgres' | 'program'): Promise<Offer> {
  const reply = await fetch(`${inject('onceInRun')}/${name}`);
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as Offer;
}

/** Returns the path of the relay's program, bundled as it is handed out. */
export async function relayProgram(): Promise<string> {
  return (await onceInRun<{ readonly program: string }>('program')).program;
}

/** Runs tasks with the same name one after the other, even if one fails. */
export type RunExclusive = <T>(name: string, task: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue for steps that storage cannot do atomically: read, decide and write. There is only one worker, so a
 * queue in memory is enough.
 */
export function createSerialQueue(): RunExclusive {
  const last = new Map<string, Promise<unknown>>();
  return (name, task) => {
    const run = (last.get(name) ?? Promise.resolve()).then(task);
    const settled = run
      .catch(() => undefined)
      .then(() => {
        if (last.get(name) === settled) last.delete(name);
      });
    last.set(name, settled);
    return run;
  };
}

/** Runs one task after the other. A failure does not stop the others; the first failure is thrown at the end. */
export async function inOrder(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const task of tasks) await task().catch((failure: unknown) => failures.push(failure));
  if (failures.length > 0) throw failures[0];
}

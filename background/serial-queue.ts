/** Runs tasks of the same name one after the other, whatever becomes of each. */
export type RunExclusive = <T>(name: string, task: () => Promise<T>) => Promise<T>;

/** For what storage cannot do by itself: read, decide and write as one. There is one worker, so memory is enough. */
export function createSerialQueue(): RunExclusive {
  const last = new Map<string, Promise<unknown>>();
  return (name, task) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(task);
    const settled = turn
      .catch(() => undefined)
      .then(() => {
        if (last.get(name) === settled) last.delete(name);
      });
    last.set(name, settled);
    return turn;
  };
}

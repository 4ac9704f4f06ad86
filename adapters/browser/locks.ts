/**
 * Runs a task under a lock of this browser profile; returns undefined when the lock is taken.
 * The lock ends with the context that holds it.
 */
export async function tryWithLock<T>(name: string, task: () => Promise<T>): Promise<T | undefined> {
  return navigator.locks.request(name, { ifAvailable: true }, (lock) =>
    lock === null ? undefined : task(),
  );
}

/** Runs a task once no other task of that name runs anywhere in this browser. */
export async function withLock<T>(name: string, task: () => Promise<T>): Promise<T> {
  return navigator.locks.request(name, task);
}

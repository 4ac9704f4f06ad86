/**
 * Runs a task under a lock of this browser profile; returns undefined when the lock is taken.
 * The lock ends with the context that holds it.
 */
export async function tryWithLock<T>(name: string, task: () => Promise<T>): Promise<T | undefined> {
  return navigator.locks.request(name, { ifAvailable: true }, (lock) =>
    lock === null ? undefined : task(),
  );
}

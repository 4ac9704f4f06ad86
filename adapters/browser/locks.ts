/** Runs a task unless one of that name runs anywhere in this browser; `undefined` then. A lock ends with whoever held it. */
export async function runAlone<T>(name: string, task: () => Promise<T>): Promise<T | undefined> {
  return navigator.locks.request(name, { ifAvailable: true }, (lock) =>
    lock === null ? undefined : task(),
  );
}

/**
 * Waits for a time or until the signal aborts. Never rejects; check `signal.aborted` to see which happened.
 * @param milliseconds below 0 counts as 0
 */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.max(0, milliseconds));
    signal?.addEventListener('abort', finish);
  });
}

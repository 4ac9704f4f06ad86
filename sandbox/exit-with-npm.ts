/**
 * Calls back when npm, which started this process, was killed. The shell between them does not forward signals, so a
 * new parent process is the only sign. Does nothing in a process that npm did not start.
 */
export function exitWithNpm(then: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    then();
  }, 250);
  watch.unref();
}

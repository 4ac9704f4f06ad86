const stepMs = 25;

/**
 * Calls `late` after some time in which this process did not stand still: a step that comes late counts as one, so that a busy machine
 * does not read as a database that is gone. Returns what ends that.
 */
export function afterLiveTime(milliseconds: number, late: () => void): () => void {
  let stepsLeft = milliseconds / stepMs;
  const timer = setInterval(() => {
    stepsLeft -= 1;
    if (stepsLeft > 0) return;
    clearInterval(timer);
    late();
  }, stepMs);
  return () => {
    clearInterval(timer);
  };
}

/**
 * Returns what tells how much of some time from now on is left; below 0 once it is over. The wall clock counts as well: of a machine
 * that slept, it alone went on.
 */
export function timeLeft(milliseconds: number): () => number {
  const [steadyAt, wallAt] = [performance.now(), Date.now()];
  return () => milliseconds - Math.max(performance.now() - steadyAt, Date.now() - wallAt);
}

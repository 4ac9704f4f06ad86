const stepMs = 25;

/**
 * Calls `late` after some time in which this process was not stalled: a late step counts only once, so that a busy machine does not look
 * like a missing database. Returns a function that ends this.
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
 * Returns a function for the time left of a period that begins now; below 0 after its end. The wall clock counts too, since only it
 * advances while a machine sleeps.
 */
export function timeLeft(milliseconds: number): () => number {
  const [steadyAt, wallAt] = [performance.now(), Date.now()];
  return () => milliseconds - Math.max(performance.now() - steadyAt, Date.now() - wallAt);
}

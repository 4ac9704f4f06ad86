/** Returns a function that runs work once for all calls within some time of its start, and gives them the same answer. */
export function sharedFor<T>(milliseconds: number, work: () => Promise<T>): () => Promise<T> {
  let shared: { readonly until: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (shared === undefined || shared.until <= now)
      shared = { until: now + milliseconds, answer: work() };
    return shared.answer;
  };
}

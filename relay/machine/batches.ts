/** The most requests that share one commit. */
const mostTogether = 200;

/**
 * Runs work once for all requests of one turn of the event loop, and of the time in which the maximum number of groups is running.
 * @param work returns an answer, or a promise of one, for each request
 * @param endsAll tells whether an error also fails the requests that wait after its group
 */
export function inBatches<In, Out>(
  work: (requests: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>,
  endsAll: (error: unknown) => boolean = () => false,
  atOnce = 1,
): (request: In) => Promise<Out> {
  let waiting: (PromiseWithResolvers<Out> & { readonly request: In })[] = [];
  let free = atOnce;
  let planned = false;

  function plan(): void {
    if (planned || free === 0 || waiting.length === 0) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      const group = waiting.slice(0, mostTogether);
      waiting = waiting.slice(mostTogether);
      free -= 1;
      void runGroup(group).finally(() => {
        free += 1;
        plan();
      });
      plan();
    });
  }

  function runGroup(group: typeof waiting): Promise<void> {
    return work(group.map(({ request }) => request)).then(
      (answers) => {
        answers.forEach((answer, n) => group[n]?.resolve(answer));
      },
      (error: unknown) => {
        const others = endsAll(error) ? waiting.splice(0) : [];
        for (const { reject } of [...group, ...others]) reject(error);
      },
    );
  }

  return (request) => {
    const asking = { request, ...Promise.withResolvers<Out>() };
    waiting.push(asking);
    plan();
    return asking.promise;
  };
}

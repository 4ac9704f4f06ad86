import { isRefusal } from '#relay/store/postgres/database';

interface Entry<In, Out> {
  readonly request: In;
  readonly resolve: (answer: Out) => void;
  readonly reject: (reason: unknown) => void;
}

/** Names how many groups may be under way at once, and how many requests one holds at most. */
interface GroupSize {
  readonly lanes: number;
  readonly most?: number;
}

/**
 * Makes one statement of the requests of one turn of the event loop, and of those that come while as many statements as there are
 * lanes are under way. Under load a commit is so shared by many, and a row that all of them lock is locked once.
 * @param run returns an answer for each request, in their order
 */
export function inGroups<In, Out>(
  run: (requests: readonly In[]) => Promise<readonly Out[]>,
  { lanes, most = 200 }: GroupSize,
): (request: In) => Promise<Out> {
  let waiting: Entry<In, Out>[] = [];
  let free = lanes;
  let planned = false;

  function plan(): void {
    if (planned || free === 0 || waiting.length === 0) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      free -= 1;
      void runGroup(group).then(() => {
        free += 1;
        plan();
      });
      plan();
    });
  }

  async function runGroup(group: readonly Entry<In, Out>[]): Promise<void> {
    try {
      const answers = await run(group.map(({ request }) => request));
      if (answers.length !== group.length) throw new Error('A group must be answered whole.');
      answers.forEach((answer, n) => group[n]?.resolve(answer));
    } catch (error) {
      for (const { reject } of group) reject(error);
      if (isRefusal(error)) return;
      // The database is gone: whoever waited behind this group has waited long enough.
      for (const { reject } of waiting.splice(0)) reject(error);
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      plan();
    });
}

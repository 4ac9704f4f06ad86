/** Gives requests that an agent waits for priority over the rows of a bulk check. */
export interface InteractivePriority {
  /** Runs a task that an agent waits for. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Settles when no such task runs. */
  whenIdle(): Promise<void>;
}

export function createInteractivePriority(): InteractivePriority {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    async run(task) {
      running += 1;
      try {
        return await task();
      } finally {
        running -= 1;
        if (running === 0) {
          for (const resume of waiting) resume();
          waiting = [];
        }
      }
    },
    async whenIdle() {
      while (running > 0) await new Promise<void>((resume) => waiting.push(resume));
    },
  };
}

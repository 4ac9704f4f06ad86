/** Lets what an agent waits for go before what nobody watches. */
export interface Foreground {
  /** Runs a task that an agent waits for. */
  during<T>(task: () => Promise<T>): Promise<T>;
  /** Settles when no such task runs. */
  idle(): Promise<void>;
}

export function createForeground(): Foreground {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    async during(task) {
      running += 1;
      try {
        return await task();
      } finally {
        running -= 1;
        if (running === 0) {
          for (const go of waiting) go();
          waiting = [];
        }
      }
    },
    async idle() {
      while (running > 0) await new Promise<void>((go) => waiting.push(go));
    },
  };
}

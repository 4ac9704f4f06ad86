import { type Ref, ref } from 'vue';

export interface Alone {
  /** Whether a task runs. */
  readonly busy: Ref<boolean>;
  /** Runs a task and returns what it does; undefined, and no task is begun, while another runs. A task that fails may be begun again. */
  readonly alone: <T>(task: () => Promise<T>) => Promise<T | undefined>;
}

/** Keeps a second press from doing something twice: one task at a time runs. */
export function oneAtATime(): Alone {
  const busy = ref(false);
  return {
    busy,
    alone: async (task) => {
      if (busy.value) return undefined;
      busy.value = true;
      return await task().finally(() => {
        busy.value = false;
      });
    },
  };
}

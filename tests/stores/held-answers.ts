/** Holds answers that wait until they are released, in any order. */
export interface HeldAnswers {
  hold<T>(answer: T): Promise<T>;
  /** Releases one answer, counted from the oldest that is still held, and lets its readers run. */
  release(place?: number): Promise<void>;
}

export function createHeldAnswers(): HeldAnswers {
  const held: (() => void)[] = [];
  return {
    hold: (answer) =>
      new Promise((resolve) => {
        held.push(() => {
          resolve(answer);
        });
      }),
    async release(place = 0) {
      held.splice(place, 1)[0]?.();
      await settled();
    },
  };
}

/** Lets every promise that can settle now do so. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

import { delay } from '#core/time/delay';

/** Runs a task once the answer that is being given has left: who asked is kept waiting by none of it, nor by its failure. */
export function afterAnswer(task: () => Promise<unknown>): void {
  void delay(0)
    .then(task)
    .catch(() => undefined);
}

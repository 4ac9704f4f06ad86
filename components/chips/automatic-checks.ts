import type { DrawnChips } from '#components/chips/drawn-chips';
import { delay } from '#core/time/index';
import type { Chip } from '#core/chips/index';

/** Milliseconds between two requests. */
const pauseMs = 300;
/** Milliseconds without a request after the worker gave no verdict. */
const refusedPauseMs = 20_000;

export interface AutomaticChecks {
  /** Replaces the queue by the codes in view that were not checked yet. */
  request(codes: readonly string[]): void;
  end(): void;
}

/**
 * Checks codes in view without a click. It sends one request after the other, with a pause so that the agent's own
 * checks come first. It does not wait for the answers, which the worker delays until a page may see them.
 * @param check asks the worker about a code; resolves without a chip if there is no verdict
 * @param busy the chip of a code that is being checked
 */
export function createAutomaticChecks(
  chips: DrawnChips,
  check: (code: string) => Promise<Chip | null | undefined>,
  busy: Chip,
): AutomaticChecks {
  const queue = new Set<string>();
  /** The codes for which the worker has just given no verdict. */
  const refused = new Set<string>();
  let running = false;
  let resting = false;
  let ended = false;

  /** Shows that the codes in the queue are not about to be checked. */
  function resetQueue(): void {
    for (const code of queue) chips.reset(code);
  }

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (const code of queue) {
      queue.delete(code);
      if (document.hidden || chips.chipOf(code) !== undefined) continue;
      chips.show(code, busy);
      void check(code).then((chip) => {
        if (chip) chips.show(code, chip);
        else {
          chips.reset(code);
          refused.add(code);
        }
      });
      await delay(pauseMs);
      if (refused.delete(code)) {
        resting = true;
        resetQueue();
        await delay(refusedPauseMs);
        resting = false;
      }
      if (ended) return;
    }
    running = false;
  }

  return {
    request(codes) {
      queue.clear();
      for (const code of codes) if (chips.chipOf(code) === undefined) queue.add(code);
      if (resting) resetQueue();
      if (queue.size > 0) void run();
    },
    end() {
      ended = true;
    },
  };
}

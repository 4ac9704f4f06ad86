import type { DrawnChips } from '#components/chips/drawn-chips';
import { delay } from '#core/time/index';
import type { Chip } from '#components/chips/chip-style';

/** Milliseconds between two questions. */
const pauseMs = 300;
/** Milliseconds without a question after the worker gave no verdict. */
const refusedPauseMs = 20_000;

export interface AutomaticChecks {
  /** Queues the codes in view that were not checked yet, in place of all that were queued before. */
  request(codes: readonly string[]): void;
  end(): void;
}

/**
 * Checks codes in view without a click. It asks about one after the other, with a pause between them so that the
 * agent's own checks come first, and without a wait for the answers, which the worker gives no sooner than a page may
 * see them.
 * @param check asks the worker about a code; resolves with no chip when it gave no verdict
 * @param busy the chip of a code that is being checked
 */
export function createAutomaticChecks(
  chips: DrawnChips,
  check: (code: string) => Promise<Chip | null | undefined>,
  busy: Chip,
): AutomaticChecks {
  const queue = new Set<string>();
  /** The codes about which the worker gave no verdict just now. */
  const refused = new Set<string>();
  let running = false;
  let ended = false;

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
      if (refused.delete(code)) await delay(refusedPauseMs);
      if (ended) return;
    }
    running = false;
  }

  return {
    request(codes) {
      queue.clear();
      for (const code of codes) if (chips.chipOf(code) === undefined) queue.add(code);
      if (queue.size > 0) void run();
    },
    end() {
      ended = true;
    },
  };
}

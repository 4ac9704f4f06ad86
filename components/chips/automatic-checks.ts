import type { DrawnChips } from '#components/chips/drawn-chips';
import type { Chip } from '#messaging/topics/ticket';

/** Milliseconds between two checks. */
const pauseMs = 300;
/** Milliseconds without a check after the worker gave no verdict. */
const refusedPauseMs = 20_000;

export interface AutomaticChecks {
  /** Queues the codes in view that were not checked yet, in place of all that were queued before. */
  request(codes: readonly string[]): void;
  end(): void;
}

/**
 * Checks codes in view without a click, one after the other and with a pause, so that the agent's own checks come first.
 * @param check asks the worker about a code; resolves with no chip when it gave no verdict
 * @param busy the chip of a code that is being checked
 */
export function createAutomaticChecks(
  chips: DrawnChips,
  check: (code: string) => Promise<Chip | null | undefined>,
  busy: Chip,
): AutomaticChecks {
  const queue = new Set<string>();
  let running = false;
  let ended = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (const code of queue) {
      queue.delete(code);
      if (document.hidden || chips.chipOf(code) !== undefined) continue;
      chips.show(code, busy);
      const chip = await check(code);
      if (chip) chips.show(code, chip);
      else chips.reset(code);
      await new Promise((done) => setTimeout(done, chip ? pauseMs : refusedPauseMs));
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

/** Milliseconds after which positions are read again, in case something moved unnoticed. */
const minRepeatMs = 1000;
/** Milliseconds between a change of the page and its layout. */
const minDelayMs = 60;
/**
 * The wait as a multiple of a layout's duration: below 0.7 % of a core, so that together with the scan it stays below 2
 * %.
 */
const costRatio = 160;
/** The longest wait for a layout, in milliseconds. */
const maxWaitMs = 10_000;
/** Events after which a code or the words around it may be somewhere else. */
const moves = ['scroll', 'resize', 'load', 'transitionend'];

export interface LayoutSchedule {
  /** Runs a layout some time after a change of the page; the more a layout costs, the later. */
  readonly changed: () => void;
  readonly end: () => void;
}

/**
 * Decides when chips are laid out: in the next frame after the page moved, delayed after it changed, and about once a
 * second.
 * @param layout called with true if only the whole page was scrolled since the last layout
 * @param isNeeded tells whether there is any chip to lay out
 */
export function scheduleLayouts(
  layout: (onlyScrolled: boolean) => void,
  isNeeded: () => boolean,
): LayoutSchedule {
  let frame: number | undefined;
  let repeat: ReturnType<typeof setTimeout> | undefined;
  let delayed: ReturnType<typeof setTimeout> | undefined;
  /**
   * The durations of the last two layouts. The shorter one counts, because a busy machine may have slowed the other.
   */
  let costsMs: readonly [before: number, last: number] = [0, 0];
  let ended = false;
  let onlyScrolled = true;

  function request(): void {
    if (ended || !isNeeded()) return;
    frame ??= requestAnimationFrame(run);
  }

  function requestAnew(): void {
    onlyScrolled = false;
    request();
  }

  function handleMove({ type, target }: Event): void {
    if (type === 'scroll' && target === document) request();
    else requestAnew();
  }

  /** @param leastMs milliseconds to wait after a layout that took no time */
  function waitMs(leastMs: number): number {
    return Math.min(maxWaitMs, Math.max(leastMs, Math.min(...costsMs) * costRatio));
  }

  function run(): void {
    frame = undefined;
    const started = performance.now();
    layout(onlyScrolled);
    onlyScrolled = true;
    clearTimeout(repeat);
    costsMs = [costsMs[1], performance.now() - started];
    repeat = setTimeout(requestAnew, waitMs(minRepeatMs));
  }

  for (const move of moves) addEventListener(move, handleMove, { capture: true, passive: true });

  return {
    changed() {
      if (ended || !isNeeded()) return;
      delayed ??= setTimeout(() => {
        delayed = undefined;
        requestAnew();
      }, waitMs(minDelayMs));
    },

    end() {
      ended = true;
      for (const move of moves) removeEventListener(move, handleMove, { capture: true });
      clearTimeout(repeat);
      clearTimeout(delayed);
      if (frame !== undefined) cancelAnimationFrame(frame);
    },
  };
}

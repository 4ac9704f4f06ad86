/** Where stepping from code to code has come to in one document. */
export interface StepState {
  /** How many codes the document shows. */
  readonly count: number;
  /** The index of the code whose chip has the focus; -1 for none. */
  readonly at: number;
}

/** Steps through the codes of one document. */
export interface StepHandle {
  readonly stepState: () => StepState;
  /** Scrolls to a code and moves the focus to its chip. */
  readonly focusCode: (index: number) => void;
}

export interface FrameState extends StepState {
  readonly frameId: number;
}

/**
 * Returns the code after the focused one, through all frames of a tab; the first follows the last.
 * @returns undefined if no frame shows a code
 */
export function nextCode(
  frames: readonly FrameState[],
): { readonly frameId: number; readonly index: number } | undefined {
  const codes = frames.flatMap(({ frameId, count, at }) =>
    Array.from({ length: count }, (_, index) => ({ frameId, index, isFocused: index === at })),
  );
  const next = codes[(codes.findIndex(({ isFocused }) => isFocused) + 1) % codes.length];
  return next && { frameId: next.frameId, index: next.index };
}

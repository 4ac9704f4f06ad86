/** Holds the moments of a certificate, epoch milliseconds. */
export interface Moments {
  readonly issuedAt?: number | undefined;
  readonly nextValidationAt: number;
  readonly graceUntil: number;
}

/** Gives the span a timeline draws, in epoch milliseconds at whole seconds, and the steps of its keys. */
export interface TimelineSpan {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly leap: number;
}

/** Returns a span with every moment and the present in it, and a margin on both sides. */
export function timelineSpan(
  { issuedAt, nextValidationAt, graceUntil }: Moments,
  present: number,
): TimelineSpan {
  const moments = [issuedAt ?? nextValidationAt, nextValidationAt, graceUntil, present];
  const first = Math.min(...moments);
  const length = Math.max(Math.max(...moments) - first, 60_000);
  const step = roundStep(length / 100);
  return {
    from: Math.floor((first - length * 0.06) / 1000) * 1000,
    to: Math.ceil((first + length * 1.16) / 1000) * 1000,
    step,
    leap: step * 10,
  };
}

const second = 1000;
const steps = [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 86_400, 604_800, 2_592_000].map(
  (seconds) => seconds * second,
);

/** Returns the longest step people count in that is no longer than the given one. */
function roundStep(wanted: number): number {
  return steps.findLast((step) => step <= wanted) ?? second;
}

/** Returns a moment's place on the span from 0 to 1, clamped. */
export function shareOf(moment: number, { from, to }: TimelineSpan): number {
  return Math.min(1, Math.max(0, (moment - from) / (to - from)));
}

export function momentAtShare(share: number, { from, to }: TimelineSpan): number {
  return Math.round(from + Math.min(1, Math.max(0, share)) * (to - from));
}

/** Returns the moment a key moves the handle to; undefined for any other key. */
export function movedBy(key: string, moment: number, span: TimelineSpan): number | undefined {
  const held = (to: number): number => Math.min(span.to, Math.max(span.from, to));
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return held(moment + span.step);
    case 'ArrowLeft':
    case 'ArrowDown':
      return held(moment - span.step);
    case 'PageUp':
      return held(moment + span.leap);
    case 'PageDown':
      return held(moment - span.leap);
    case 'Home':
      return span.from;
    case 'End':
      return span.to;
    default:
      return undefined;
  }
}

/** The moments of a certificate, epoch milliseconds. */
export interface Moments {
  readonly issuedAt?: number | undefined;
  readonly nextValidationAt: number;
  readonly graceUntil: number;
}

/** The span that a timeline draws, in epoch milliseconds at whole seconds, and the steps of its keys. */
export interface TimelineSpan {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly leap: number;
}

/** Returns a span that holds every moment and the present, with a margin after the last. */
export function timelineSpan(
  { issuedAt, nextValidationAt, graceUntil }: Moments,
  present: number,
): TimelineSpan {
  const moments = [issuedAt ?? nextValidationAt, nextValidationAt, graceUntil, present];
  const first = Math.min(...moments);
  const length = Math.max(Math.max(...moments) - first, 60_000);
  const step = roundStep(length / 100);
  return {
    from: Math.floor(first / 1000) * 1000,
    to: Math.ceil((first + length * 1.16) / 1000) * 1000,
    step,
    leap: step * 10,
  };
}

const second = 1000;
const steps = [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 86_400, 604_800, 2_592_000].map(
  (seconds) => seconds * second,
);

/** Returns the longest step in common units of time that is no longer than the given one. */
function roundStep(wanted: number): number {
  return steps.findLast((step) => step <= wanted) ?? second;
}

/** Returns a moment's place on the span, from 0 to 1, clamped. */
export function shareOf(moment: number, { from, to }: TimelineSpan): number {
  return Math.min(1, Math.max(0, (moment - from) / (to - from)));
}

export function momentAtShare(share: number, { from, to }: TimelineSpan): number {
  return Math.round(from + Math.min(1, Math.max(0, share)) * (to - from));
}

/** Returns the moment that a key moves the handle to; undefined if the key moves nothing. */
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

/** A label to be placed below the line, in pixels. */
export interface Label {
  /** The place of the label's mark on the line. */
  readonly x: number;
  readonly width: number;
}

/**
 * The place of a label: its row below the line, from 0, its horizontal extent, and which part of it is below its mark.
 */
export interface LabelPlace {
  readonly row: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly left: number;
  readonly right: number;
}

/** The pixels between a label and another label, or another label's mark. */
const gap = 6;

/**
 * Places labels at their marks so that none meets another, nor the line that leads from a mark to a label below it. It
 * takes as few rows as it can and prefers a label that begins at its mark. If labels cannot be placed like this, each
 * gets a row of its own, which a line may cross.
 * @param labels in the order of their marks
 * @param width of the drawing; no label is wider than that
 */
export function placeLabels(labels: readonly Label[], width: number): LabelPlace[] {
  for (let rows = 1; rows <= labels.length; rows += 1) {
    const places = placeRest(labels, [], { rows, width });
    if (places !== undefined) return places;
  }
  return labels.map(({ x, width: own }, row) => ({ row, ...extentsOf(x, own, width)[0] }));
}

function placeRest(
  labels: readonly Label[],
  placed: readonly LabelPlace[],
  room: { readonly rows: number; readonly width: number },
): LabelPlace[] | undefined {
  const label = labels[placed.length];
  if (label === undefined) return [...placed];
  for (let row = 0; row < room.rows; row += 1) {
    for (const extent of extentsOf(label.x, label.width, room.width)) {
      const place = { row, ...extent };
      if (placed.some((other, at) => meet(place, label.x, other, labels[at]?.x ?? 0))) continue;
      const places = placeRest(labels, [...placed, place], room);
      if (places !== undefined) return places;
    }
  }
  return undefined;
}

type Stretch = Pick<LabelPlace, 'left' | 'right'>;
type Extent = Omit<LabelPlace, 'row'>;

/**
 * Returns the extents that a label may have within the drawing: it begins at its mark, ends there, or has its middle
 * there.
 */
function extentsOf(x: number, own: number, width: number): [Extent, Extent, Extent] {
  const at = (left: number, anchor: LabelPlace['anchor']): Extent => {
    const kept = Math.max(0, Math.min(left, width - own));
    return { anchor, left: kept, right: kept + own };
  };
  const [after, before] = [at(x, 'start'), at(x - own, 'end')];
  const middle = at(x - own / 2, 'middle');
  return x + own > width ? [before, middle, after] : [after, middle, before];
}

function meet(one: LabelPlace, oneX: number, other: LabelPlace, otherX: number): boolean {
  if (one.row === other.row) return one.left < other.right + gap && other.left < one.right + gap;
  const [upper, lowerX] = one.row < other.row ? [one, otherX] : [other, oneX];
  // A label touches its own line without a gap.
  const [before, after] = ['start', 'end'].map((side) => (upper.anchor === side ? 0 : gap / 2));
  return lowerX > upper.left - (before ?? 0) && lowerX < upper.right + (after ?? 0);
}

/**
 * Returns the middle of the widest free place for a section's name on the line; undefined if the name fits nowhere.
 * @param marks the extents of what is already on the line
 */
export function placeName(
  stretch: Stretch,
  width: number,
  marks: readonly Stretch[],
): number | undefined {
  const edges = marks
    .filter(({ left, right }) => right > stretch.left && left < stretch.right)
    .toSorted((a, b) => a.left - b.left);
  let from = stretch.left;
  const free: Stretch[] = [];
  for (const { left, right } of edges) {
    free.push({ left: from, right: left });
    from = Math.max(from, right);
  }
  free.push({ left: from, right: stretch.right });
  const widest = free.reduce((best, one) =>
    one.right - one.left > best.right - best.left ? one : best,
  );
  return widest.right - widest.left < width + gap ? undefined : (widest.left + widest.right) / 2;
}

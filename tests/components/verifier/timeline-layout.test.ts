import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Label, type LabelPlace, placeLabels, placeName } from '#components/verifier/timeline';

/**
 * Tells whether four labels or more stand in a row each, in the middle under their marks: a line may cross them then.
 */
function isLastResort(
  places: readonly LabelPlace[],
  labels: readonly Label[],
  width: number,
): boolean {
  return (
    labels.length > 3 &&
    labels.every(({ x, width: own }, at) => {
      const isFirst = x + own <= width;
      return places[at]?.row === at && (places[at].anchor === 'start') === isFirst;
    })
  );
}

describe('labels', () => {
  test('stand in one row and begin at their marks, where there is room', () => {
    expect(
      placeLabels(
        [
          { x: 100, width: 80 },
          { x: 300, width: 80 },
        ],
        600,
      ),
    ).toEqual([
      { row: 0, anchor: 'start', left: 100, right: 180 },
      { row: 0, anchor: 'start', left: 300, right: 380 },
    ]);
  });

  test('end at their marks where the drawing ends', () => {
    const [first, last] = placeLabels(
      [
        { x: 8, width: 80 },
        { x: 592, width: 80 },
      ],
      600,
    );
    expect(first).toMatchObject({ anchor: 'start', left: 8 });
    expect(last).toMatchObject({ anchor: 'end', right: 592 });
  });

  test('never meet another label, nor the line to a label below them while rows can part them', () => {
    const drawing = fc.integer({ min: 264, max: 900 }).chain((width) =>
      fc.record({
        width: fc.constant(width),
        labels: fc
          .array(
            fc.record({
              x: fc.integer({ min: 8, max: width - 8 }),
              width: fc.integer({ min: 50, max: 126 }),
            }),
            { minLength: 1, maxLength: 5 },
          )
          .map((labels) => labels.toSorted((a, b) => a.x - b.x)),
      }),
    );
    fc.assert(
      fc.property(drawing, ({ labels, width }) => {
        const places = placeLabels(labels, width);
        const isStacked = isLastResort(places, labels, width);
        for (const [i, one] of places.entries()) {
          expect(one.left).toBeGreaterThanOrEqual(0);
          expect(one.right).toBeLessThanOrEqual(width);
          for (const [j, other] of places.entries()) {
            if (i === j) continue;
            if (one.row === other.row)
              expect(one.right <= other.left || other.right <= one.left).toBe(true);
            const x = labels[j]?.x ?? 0;
            if (other.row > one.row && !isStacked)
              expect(x <= one.left || x >= one.right).toBe(true);
          }
        }
      }),
    );
  });
});

test('labels that lie close are parted by rows', () => {
  const labels = [
    { x: 8, width: 67 },
    { x: 69, width: 117 },
    { x: 150, width: 73 },
    { x: 154, width: 121 },
  ];
  expect(placeLabels(labels, 273).map(({ row }) => row)).toEqual([0, 1, 0, 1]);
});

describe('the name of a stretch', () => {
  const stretch = { left: 100, right: 300 };

  test('stands in its middle', () => {
    expect(placeName(stretch, 60, [])).toBe(200);
    expect(placeName(stretch, 60, [{ left: 320, right: 350 }])).toBe(200);
  });

  test('goes beside what stands there, to the wider side', () => {
    expect(placeName(stretch, 60, [{ left: 190, right: 220 }])).toBe(145);
    expect(placeName(stretch, 60, [{ left: 120, right: 150 }])).toBe(225);
    expect(placeName(stretch, 60, [{ left: 90, right: 120 }])).toBe(210);
  });

  test('is left out where nothing is wide enough', () => {
    expect(placeName(stretch, 110, [{ left: 190, right: 220 }])).toBeUndefined();
    expect(placeName({ left: 0, right: 60 }, 60, [])).toBeUndefined();
  });
});

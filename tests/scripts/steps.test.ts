import { describe, expect, test } from 'vitest';

import { addUp, wordsOf } from '#scripts/steps';

describe('the closing line', () => {
  test('names passed and failed always', () => {
    expect(wordsOf({ passed: 0, failed: 0, skipped: 0 })).toBe('0 passed, 0 failed');
  });

  test('names the skipped where there are any', () => {
    expect(wordsOf({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });

  test('adds up what each step saw', () => {
    expect(
      addUp([
        { passed: 1, failed: 0, skipped: 0 },
        { passed: 20, failed: 2, skipped: 3 },
      ]),
    ).toEqual({ passed: 21, failed: 2, skipped: 3 });
    expect(addUp([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});

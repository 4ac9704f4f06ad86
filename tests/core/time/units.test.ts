import { expect, test } from 'vitest';

import { wasTurnedBack } from '#core/time/clock';

test.each([
  ['went on', 1, false],
  ['stood still', 0, false],
  ['was corrected by less than a minute', -59_999, false],
  ['was turned back by a minute', -60_000, true],
])('a clock that %s', (_, by, turnedBack) => {
  const shown = 1_800_000_000_000;
  expect(wasTurnedBack(shown, shown + by)).toBe(turnedBack);
});

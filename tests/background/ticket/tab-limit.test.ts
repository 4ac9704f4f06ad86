import { describe, expect, it } from 'vitest';

import { createTabLimit } from '#background/ticket/tab-limit';

const minute = 60_000;

describe('createTabLimit', () => {
  it('allows so many in any minute, each tab by itself', () => {
    const limit = createTabLimit(3);
    expect([0, 10, 20, 30].map((now) => limit.take(1, now))).toEqual([true, true, true, false]);
    expect(limit.take(2, 30)).toBe(true);
    expect(limit.take(1, minute - 1)).toBe(false);
    expect(limit.take(1, minute)).toBe(true);
    expect(limit.take(1, minute + 1)).toBe(false);
  });

  it('does not count what was refused', () => {
    const limit = createTabLimit(1);
    expect(limit.take(1, 0)).toBe(true);
    expect(limit.take(1, minute - 1)).toBe(false);
    expect(limit.take(1, minute)).toBe(true);
  });

  it('counts several points at once or none, and gives some back', () => {
    const limit = createTabLimit(5);
    expect([limit.take(1, 0, 4), limit.take(1, 0, 4)]).toEqual([true, false]);
    limit.giveBack(1, 3);
    expect([limit.take(1, 1, 4), limit.take(1, 2)]).toEqual([true, false]);
    limit.giveBack(1, 0);
    expect(limit.take(1, 3)).toBe(false);
  });

  it('forgets what lies in the future of a clock that was turned back', () => {
    const limit = createTabLimit(1);
    expect(limit.take(1, minute)).toBe(true);
    expect(limit.take(1, 0)).toBe(true);
  });

  it('remembers 200 tabs, and forgets the first of more', () => {
    const limit = createTabLimit(1);
    for (let tab = 0; tab <= 200; tab += 1) limit.take(tab, 0);
    expect(limit.take(200, 1)).toBe(false);
    expect(limit.take(0, 1)).toBe(true);
  });
});

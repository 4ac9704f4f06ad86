import { expect, test, vi } from 'vitest';

import { withVerifierPorts } from '#tests/stores/verifier/verifier-ports';
import { useUpdates } from '#stores/updates';

test('a new version starts only on the agent’s word, and once', () => {
  const updates = useUpdates(withVerifierPorts());
  const start = vi.fn();
  updates.offer(start);
  expect([updates.waiting, updates.starting]).toEqual([true, false]);
  expect(start).not.toHaveBeenCalled();
  updates.accept();
  expect(updates.starting).toBe(true);
  expect(start).toHaveBeenCalledOnce();
});

test('without a new version there is nothing to start', () => {
  const updates = useUpdates(withVerifierPorts());
  updates.accept();
  expect(updates.starting).toBe(false);
});

test('a notice that is dismissed is gone, and the version waits', () => {
  const updates = useUpdates(withVerifierPorts());
  const start = vi.fn();
  updates.offer(start);
  updates.dismiss();
  expect(updates.waiting).toBe(false);
  expect(start).not.toHaveBeenCalled();
});

test('that the site works offline is said, and not for ever', () => {
  vi.useFakeTimers();
  const updates = useUpdates(withVerifierPorts());
  updates.announceOffline();
  expect(updates.offlineReady).toBe(true);
  vi.advanceTimersByTime(6_000);
  expect(updates.offlineReady).toBe(false);
  vi.useRealTimers();
});

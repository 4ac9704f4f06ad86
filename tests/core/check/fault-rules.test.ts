import { expect, it } from 'vitest';

import type { Fault } from '#core/marketplaces/index';
import { isTemporary } from '#core/check/fault-rules';

it.each<[Fault, boolean]>([
  [{ kind: 'offline' }, true],
  [{ kind: 'rate-limited', retryAt: 1, by: 'server' }, true],
  [{ kind: 'rate-limited', retryAt: 1, by: 'server', search: { asked: 1, of: 2 } }, false],
  [{ kind: 'relay-unavailable', reason: 'outage' }, true],
  [{ kind: 'relay-unavailable', reason: 'no-key' }, false],
  [{ kind: 'refused', msg: '', about: 'key' }, false],
  [{ kind: 'locked' }, false],
  [{ kind: 'no-key', reason: 'never-entered' }, false],
  [{ kind: 'relay-sign-in', reason: 'revoked' }, false],
  [{ kind: 'mismatch' }, false],
])('an earlier answer counts beside %j: %s', (fault, counts) => {
  expect(isTemporary(fault)).toBe(counts);
});

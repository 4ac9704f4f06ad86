import { expect, test } from 'vitest';

import { useSelfTest } from '#stores/verifier/self-test';
import { createInProcessVerify, withVerifierPorts } from '#tests/stores/verifier/verifier-ports';

test('every case is answered as expected by every engine', async () => {
  const selfTest = useSelfTest(withVerifierPorts());
  const running = selfTest.run();
  expect(selfTest.state).toBe('running');
  await running;
  expect(selfTest.state).toBe('done');
  const { rows = [], engines = [] } = selfTest.report ?? {};
  expect(rows.length).toBeGreaterThan(10);
  expect(engines).toContain('noble');
  for (const { id, expected, answers } of rows)
    expect([id, answers]).toEqual([id, engines.map(() => expected)]);
});

test('a lost worker is no passed test', async () => {
  const verify = createInProcessVerify();
  verify.lose(true);
  const selfTest = useSelfTest(withVerifierPorts({ verify }));
  await selfTest.run();
  expect([selfTest.state, selfTest.report]).toEqual(['lost', undefined]);
});

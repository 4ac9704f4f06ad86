import { expect, test } from 'vitest';

import { fail, succeed } from '#core/result';
import type { SecretState } from '#core/connections/index';
import { useSecrets } from '#stores/connections/secrets';
import { scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

const open: SecretState = { mode: 'passphrase', locked: false, lockAfterMinutes: 15 };

function opened() {
  const worker = scriptedWorker({
    'secrets.state': () => ({ ...open, locked: true }),
    'secrets.unlock': ({ passphrase }) =>
      passphrase === 'right' ? succeed(open) : fail({ kind: 'wrong-passphrase' }),
    'secrets.lock': () => ({ ...open, locked: true }),
    'secrets.reset': () => ({ ...open, mode: 'device' }),
  });
  return useSecrets(withPorts({ ask: worker.ask }));
}

test('the right passphrase opens, and takes an earlier complaint away', async () => {
  const secrets = opened();
  await secrets.load();
  expect(await secrets.unlock('wrong')).toBe(false);
  expect(secrets.fault).toEqual({ kind: 'wrong-passphrase' });
  expect(secrets.state?.locked).toBe(true);
  expect(await secrets.unlock('right')).toBe(true);
  expect(secrets.fault).toBeUndefined();
  expect(secrets.state?.locked).toBe(false);
});

test('locking and throwing the keys away show at once', async () => {
  const secrets = opened();
  await secrets.lock();
  expect(secrets.state?.locked).toBe(true);
  await secrets.reset();
  expect(secrets.state?.mode).toBe('device');
});

import { expect, test } from 'vitest';

import { succeed } from '#core/result';
import { useConnectionTest } from '#stores/connections/connection-test';
import { useConnections } from '#stores/connections/connections';
import { code, connection } from '#tests/stores/check/samples';
import { scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

const dialect = { ...connection().dialect, codePattern: 'CSC-999999' };

async function opened() {
  const worker = scriptedWorker({
    'connections.list': () => [connection({ dialect })],
    'connections.detect': () => succeed(dialect),
  });
  const pinia = withPorts({ ask: worker.ask });
  await useConnections(pinia).load();
  return { trials: useConnectionTest(pinia), asked: () => worker.bodies('connections.detect') };
}

test.each([
  [' known ', 'known'],
  [`Purchase code: ${code.replaceAll('-', '\u2011')}\u200b.`, code],
  ['it was CSC-123456, I think', 'CSC-123456'],
  ['LIC-2024-XY', 'LIC-2024-XY'],
])('a code known to be good is taken out of %j', async (text, known) => {
  const { trials, asked } = await opened();
  expect(await trials.detect('market', text)).toBe(true);
  expect(asked()).toEqual([{ id: 'market', code: known }]);
  expect(trials.dialects.get('market')).toEqual({ busy: false, result: succeed(dialect) });
});

test.each(['no code in this', 'x'.repeat(129), ' '])(
  'nothing is asked about %.20j',
  async (text) => {
    const { trials, asked } = await opened();
    expect(await trials.detect('market', text)).toBe(false);
    expect(asked()).toEqual([]);
  },
);

test.each(['test', 'detect'] as const)(
  'a %s that is never answered leaves nothing busy',
  async (kind) => {
    const worker = scriptedWorker({
      'connections.list': () => [connection({ dialect })],
      'connections.test': () => Promise.reject(new Error('silent')),
      'connections.detect': () => Promise.reject(new Error('silent')),
    });
    const pinia = withPorts({ ask: worker.ask });
    await useConnections(pinia).load();
    const trials = useConnectionTest(pinia);
    await expect(trials[kind]('market', code)).rejects.toThrow('silent');
    expect([...trials.accounts, ...trials.dialects]).toEqual([]);
  },
);

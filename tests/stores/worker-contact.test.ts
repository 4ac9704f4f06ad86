import { expect, test, vi } from 'vitest';

import { createAsk } from '#messaging/index';
import { useWorkerContact } from '#stores/worker-contact';
import { scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

function watching(script: Parameters<typeof scriptedWorker>[0]) {
  const { ask } = scriptedWorker(script);
  const contact = useWorkerContact(withPorts({ ask }));
  return { contact, ask: contact.watched(ask) };
}

test('an answer is passed on, and nothing is lost', async () => {
  const { contact, ask } = watching({ 'connections.list': () => [] });
  expect(await ask('connections.list', {})).toEqual([]);
  expect(contact.lost).toBe(false);
});

test('a worker of another build is told apart, and the extension is to be started anew', async () => {
  const contact = useWorkerContact(withPorts({ ask: scriptedWorker({}).ask }));
  const restart = vi.fn();
  const refused = createAsk(() => Promise.resolve({ answered: false, reason: 'other-build' }));
  const ask = contact.watched(refused, restart);
  await expect(ask('connections.list', {})).rejects.toThrow('other-build');
  expect([contact.lost, restart.mock.calls.length]).toEqual([true, 1]);
});

test('no answer at all is noticed, and still the asker’s to know', async () => {
  const { contact, ask } = watching({});
  await expect(ask('connections.list', {})).rejects.toThrow();
  expect(contact.lost).toBe(true);
});

import { expect, test } from 'vitest';

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

test('no answer at all is noticed, and still the asker’s to know', async () => {
  const { contact, ask } = watching({});
  await expect(ask('connections.list', {})).rejects.toThrow();
  expect(contact.lost).toBe(true);
});

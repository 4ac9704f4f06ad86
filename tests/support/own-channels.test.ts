import { Worker } from 'node:worker_threads';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import { announce, listen } from '#adapters/browser/announcements';
import { waitForAbsence } from '#tests/support/waits';

test('a test file hears what is announced in its thread, and nothing of another thread', async () => {
  const heard: string[] = [];
  const stop = listen('lists', (list) => heard.push(list));
  const other = new Worker(
    `const channel = new BroadcastChannel('counterfoil-lists');
     channel.postMessage('authorities');
     channel.close();`,
    { eval: true },
  );
  await once(other, 'exit');
  announce('lists', 'pinned-keys');
  await expect.poll(() => heard).toContain('pinned-keys');
  await waitForAbsence(50);
  expect(heard).toEqual(['pinned-keys']);
  stop();
});

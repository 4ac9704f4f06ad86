import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { type RelayFiles, relayFiles } from '#tests/relay/support/relay';

let files: RelayFiles;
beforeEach(() => {
  files = relayFiles();
  // The relay's own waits go on.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
  files.remove();
});

test('a reply that has expired is gone within a minute, though nobody asks again', async () => {
  const relay = await files.start();
  const database = new DatabaseSync(files.database);
  const put = database.prepare("INSERT INTO cached_reply VALUES (?, 'shop', 1, ?, x'00')");
  put.run('shop:1:old', Date.now());
  put.run('shop:1:new', Date.now() + 600_000);
  const keys = (): unknown[] =>
    database
      .prepare('SELECT key FROM cached_reply')
      .all()
      .map(({ key }) => key);
  vi.advanceTimersByTime(60_000);
  await vi.waitFor(() => {
    expect(keys()).toEqual(['shop:1:new']);
  });
  database.close();
  await relay.stop();
});

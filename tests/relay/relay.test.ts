import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { type RelayFiles, type StartedRelay, relayFiles } from '#tests/relay/support/relay';

let files: RelayFiles;
let relay: StartedRelay;
beforeEach(async () => {
  files = relayFiles();
  relay = await files.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await relay.stop();
  files.remove();
});

test('a relay that is told twice to stop stops once', async () => {
  await Promise.all([relay.stop(), relay.stop()]);
  const stopped = relay.logged().match(/"event":"(?:draining|stopped)"/g);
  expect(stopped).toEqual(['"event":"draining"', '"event":"stopped"']);
});

test('a HEAD is answered once, whoever answers it', async () => {
  const complained = vi.spyOn(console, 'error').mockReturnValue();
  const head = async (path: string): Promise<number> =>
    (await fetch(relay.origin + path, { method: 'HEAD' })).status;
  expect(await head('/healthz')).toBe(200);
  expect(await head('/c/shop/api/account/details')).toBe(401);
  expect(await head('/nowhere')).toBe(403);
  expect(complained.mock.calls).toEqual([]);
});

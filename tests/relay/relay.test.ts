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

test('a relay whose clock is far ahead drops nothing of the audit, and says so', async () => {
  await files.admin('audit keep 12');
  await relay.stop();
  const ahead = { now: () => Date.now() + 700 * 86_400_000, paceNow: () => Date.now() };
  relay = await files.start({ clocks: ahead });
  await expect.poll(() => relay.logged()).toContain('"event":"audit-drop-refused"');
  expect(await files.admin('audit csv')).toContain(',audit-kept-12-months,');
});

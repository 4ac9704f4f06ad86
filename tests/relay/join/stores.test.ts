import { afterEach, expect, test } from 'vitest';

import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { joinForToken } from '#tests/relay/support/joining';
import {
  type RelayFiles,
  type StartedRelay,
  callThrough,
  relayOn,
  stores,
  validation,
} from '#tests/relay/support/relay';

let seller: CountingUpstream;
let files: RelayFiles;
let relay: StartedRelay;
afterEach(async () => {
  await relay.stop();
  await seller.close();
  files.remove();
});

test.each(stores)('an agent joins, checks a code and leaves on %s', async (store) => {
  const email = 'ada@fenwick.test';
  seller = await countingUpstream();
  files = await relayOn(store);
  await files.connect('shop', seller.origin, 'key-0123456789');
  await files.admin(`agents add ${email}`);
  relay = await files.start();

  const token = await joinForToken(relay.origin, await files.admin(`invites add ${email}`));
  const check = (): Promise<Response> =>
    callThrough(`${relay.origin}/c/shop`, token, validation, { code: 'c' });
  expect((await check()).status).toBe(200);

  const headers = { authorization: `Bearer ${token}` };
  const left = await fetch(`${relay.origin}/relay/v1/token`, { method: 'DELETE', headers });
  expect(left.status).toBe(204);
  const after = await check();
  expect(after.headers.get('counterfoil-relay-failure')).toBe('token-revoked');
  expect(await files.admin('tokens list')).toContain('revoked at');
  expect(await files.admin('audit csv')).toContain('admin,token-revoked');
});

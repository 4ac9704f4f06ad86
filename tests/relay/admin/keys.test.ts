import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import {
  type RelayFiles,
  callThrough,
  relayOn,
  stores,
  validation,
} from '#tests/relay/support/relay';

const [former, next] = ['former-key-0123456789', 'next-key-0123456789'];

describe.each(stores)('a new API key on %s', (store) => {
  let seller: CountingUpstream;
  let files: RelayFiles;
  beforeEach(async () => {
    seller = await countingUpstream();
    files = await relayOn(store);
    await files.connect('shop', seller.origin, former);
  });
  afterEach(async () => {
    await seller.close();
    files.remove();
  });

  const keyOfShop = async (): Promise<string | undefined> =>
    /key \d+$/m.exec(await files.admin('connections list'))?.[0];

  test('is stored once the marketplace has taken it, which the audit shows', async () => {
    expect(await files.admin('keys set shop', next)).toContain('The marketplace takes it.');
    expect(await keyOfShop()).toBe('key 2');
    const rows = await files.admin('audit csv');
    expect(rows).toMatch(/,intent,interactive,[^,]+,admin,,shop,account,/);
    expect(rows).toMatch(/,outcome,success,[^,]+,admin,,shop,account,/);
    expect(rows).not.toContain(next);
  });

  test('that the marketplace refuses leaves the former one, with which agents go on', async () => {
    const token = await files.join('ada@fenwick.test');
    const relay = await files.start();
    seller.replyWith({ status: 403, body: '{"status":"error","msg":"Invalid API key"}' });
    await expect(files.admin('keys set shop', next)).rejects.toThrow(
      /refuses the key, with status 403\..* The former key of shop goes on to hold\./,
    );
    seller.replyWith(undefined);
    const reply = await callThrough(`${relay.origin}/c/shop`, token, validation, { code: 'c' });
    expect([reply.status, await keyOfShop()]).toEqual([200, 'key 1']);
    await relay.stop();
  });

  test('is not stored where the connection was edited while it was tested', async () => {
    const release = seller.hold();
    const told = files.admin('keys set shop', next).catch((error: unknown) => String(error));
    await expect.poll(() => seller.arrived.length).toBe(1);
    await files.admin(`connections edit shop --address ${seller.origin}/other`);
    release();
    expect(await told).toContain('shop was edited meanwhile');
    expect(await files.admin('connections list')).toMatch(/no key$/m);
  });

  test('is stored untested when that is asked for, and only then', async () => {
    await seller.close();
    const told = files.admin('keys set shop', next);
    await expect(told).rejects.toThrow('cannot be reached: nothing listens there.');
    await expect(told).rejects.toThrow('admin keys set shop --anyway');
    expect(await keyOfShop()).toBe('key 1');
    expect(await files.admin('keys set shop --anyway', next)).toContain('It was not tested.');
    expect(await keyOfShop()).toBe('key 2');
  });

  test('that is too short to be looked for in replies is refused unless told to', async () => {
    await expect(files.admin('keys set shop', 'key-0123')).rejects.toThrow('fewer than 12 char');
    await files.admin('keys set shop --anyway', 'key-0123');
    expect(await keyOfShop()).toBe('key 2');
  });

  test('is tested in the pace of the connection', async () => {
    await files.connect('slow', seller.origin, former, '--limit 2 --window 3600');
    // It may be refused already: where this process stands still, it misses its slot, which counts all the same.
    await files.admin('keys set slow', next).catch(() => undefined);
    await expect(files.admin('keys set slow', former)).rejects.toThrow('no further call until 20');
    expect(seller.arrived.length).toBeLessThan(2);
  });

  test.each([
    [{ status: 302, headers: { location: '/' }, body: '' }, 'redirects elsewhere'],
    [{ status: 404, body: '<html>' }, 'with status 404, and not as a seller API does'],
    [{ status: 429, body: '{}' }, 'takes no further call now (upstream-rate-limited)'],
    [{ status: 200, body: JSON.stringify({ debug: next }) }, 'sends the key back in its reply'],
  ])('is not stored when the marketplace answers %o', async (reply, sentence) => {
    seller.replyWith(reply);
    await expect(files.admin('keys set shop', next)).rejects.toThrow(sentence);
    expect(await keyOfShop()).toBe('key 1');
  });
});

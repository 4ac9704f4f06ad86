import { hostname, userInfo } from 'node:os';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { joinForToken } from '#tests/relay/support/joining';
import {
  callThrough,
  type RelayFiles,
  relayOn,
  stores,
  validation,
} from '#tests/relay/support/relay';
import { pipeAdmin } from '#tests/relay/support/relay-process';

const account = `${userInfo().username}@${hostname()}`;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe.each(stores)('on %s', (name) => {
  let files: RelayFiles;
  beforeEach(async () => {
    files = await relayOn(name);
  });
  afterEach(() => {
    files.remove();
  });

  test('two laptops of one agent are told apart', async () => {
    const seller = await countingUpstream();
    await files.connect('shop', seller.origin, 'key-0123456789');
    await files.join('ada@team.test');
    const relay = await files.start();
    const invite = await files.admin('invites add ada@team.test');
    const token = await joinForToken(relay.origin, invite, { 'user-agent': firefox });
    const before = Date.now() - 1_000;
    for (const asked of ['first-code-0123', 'second-code-0123']) {
      await callThrough(`${relay.origin}/c/shop`, token, validation, { code: asked });
    }
    await relay.stop();
    await seller.close();

    const rows = (await files.admin('tokens list')).split('\n').map((row) => row.split('\t'));
    expect(rows.map(([, email]) => email)).toEqual(['ada@team.test', 'ada@team.test']);
    expect(rows[0]?.slice(3)).toEqual([account, expect.stringMatching(/^not used since 20/)]);
    const [id, , , browser, first = '', last = ''] = rows[1] ?? [];
    expect([id, browser]).toEqual([token.split('_')[1], 'Firefox on Linux']);
    const [firstAt, lastAt] = [first, last].map((text) => Date.parse(text.split(' ').at(-1) ?? ''));
    expect(firstAt).toBeGreaterThan(before);
    expect(lastAt).toBeGreaterThanOrEqual(firstAt ?? Infinity);
  });

  test('what is changed at the command line has the account and the host in the audit', async () => {
    expect(pipeAdmin(files, 'roles set lead balance', 'cat').status).toBe(0);
    expect(pipeAdmin(files, 'agents add ada@team.test', 'cat').status).toBe(0);
    const rows = (await files.admin('audit csv')).split('\r\n').slice(1);
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row.split(',').at(-1)?.split(' ')[0]).toBe(account);
  });
});

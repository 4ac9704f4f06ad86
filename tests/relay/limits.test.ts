import { describe, expect, test } from 'vitest';

import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { callThrough, shopRelay, stores, validation } from '#tests/relay/support/relay';

describe.each(stores)('on %s', (store) => {
  const shop = shopRelay(store, '', (files) => files.admin('roles set lead report'));
  const check = (code: string, by = shop.token): Promise<Response> =>
    callThrough(`${shop.relay.origin}/c/shop`, by, validation, { code });
  const failureOf = (reply: Response): unknown => reply.headers.get('counterfoil-relay-failure');

  test('a connection for other roles gives an agent no answer, not even one that is there', async () => {
    const lead = await shop.files.join('lea@fenwick.test', 'lead');
    expect((await check('code-0001')).status).toBe(200);
    await shop.files.admin('connections edit shop --roles lead');
    const refused = await check('code-0001');
    expect([refused.status, failureOf(refused)]).toEqual([403, 'not-for-role']);
    expect((await check('code-0001', lead)).status).toBe(200);
    expect(shop.seller.arrived).toHaveLength(1);
    await expect(shop.files.admin('connections edit shop --roles boss')).rejects.toThrow(
      'no role boss',
    );
    expect(await shop.files.admin('connections list')).toContain('\tfor lead\t');
    await shop.files.admin('connections edit shop --roles all --limit 90 --name Mall');
    expect((await check('code-0001')).status).toBe(200);
    expect(await shop.files.admin('connections list')).toContain('\t90 in 60 s\tkey 1');
  });

  test('a quota is over after so many questions to the seller, until the next day in UTC', async () => {
    await shop.files.admin('quotas set ada@fenwick.test 2');
    expect([(await check('code-0001')).status, (await check('code-0002')).status]).toEqual([
      200, 200,
    ]);
    expect(await shop.files.admin('agents list')).toMatch(/^ada@fenwick\.test\t.*\t2 of 2 today$/m);
    const over = await check('code-0003');
    expect([over.status, failureOf(over)]).toEqual([429, 'quota']);
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    const until = Date.now() + Number(over.headers.get('retry-after')) * 1_000;
    expect(Math.abs(until - midnight)).toBeLessThan(10_000);
    expect((await check('code-0001')).status).toBe(200);
    await shop.files.admin('quotas set ada@fenwick.test none');
    expect((await check('code-0003')).status).toBe(200);
  });

  test('another agent’s quota is not that of whoever asks the same at the same time', async () => {
    const bob = await shop.files.join('bob@fenwick.test');
    await shop.files.admin('quotas set ada@fenwick.test 0');
    for (let n = 0; n < 10; n += 1) {
      const code = `code-000${String(n)}`;
      const [, other] = await Promise.all([check(code), check(code, bob)]);
      expect(other.status).toBe(200);
    }
    expect(failureOf(await check('code-of-ada-alone'))).toBe('quota');
  });

  test('why a seller cannot be reached stands in the log, and in what a lead is told', async () => {
    const lead = await shop.files.join('lea@fenwick.test', 'lead');
    await shop.seller.close();
    const told = await check('code-0001', lead);
    expect([failureOf(told), told.headers.get('counterfoil-relay-cause')]).toEqual([
      'upstream-unreachable',
      'refused',
    ]);
    expect(await told.json()).toMatchObject({
      counterfoil_relay: { cause: { what: 'refused', code: 'ECONNREFUSED' } },
    });
    const agent = await check('code-0001');
    expect(agent.headers.get('counterfoil-relay-cause')).toBeNull();
    expect(await agent.text()).not.toContain('cause');
    const logged = /"cause":"refused","errorCode":"ECONNREFUSED"/g;
    // The line is written once the reply has left.
    await expect.poll(() => shop.relay.logged().match(logged)?.length).toBe(2);
    shop.seller = await countingUpstream();
  });
});

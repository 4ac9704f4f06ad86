import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { writeToken } from '#relay/rules/token';
import type { Stored } from '#relay/store/records';
import { auditRows } from '#tests/relay/support/audit-rows';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { rawSeller } from '#tests/relay/support/raw-seller';
import { account, callThrough, shopRelay, stores, validation } from '#tests/relay/support/relay';

const items = '/api/items/all';
const apiKey = 'canary-key-0123456789';

/** Calls that come at the same time share statements: what one of them is made of must not fail the others. */
describe.each(stores)('beside a call of somebody else, on %s', (store) => {
  let eve: string;
  const shop = shopRelay(store, '--limit 100000', async (files) => {
    eve = await files.join('eve@fenwick.test');
  });

  const audit = (): Promise<readonly Stored<'audit'>[]> => shop.files.administer(auditRows);
  let next = 0;
  const check = (): Promise<Response> =>
    callThrough(`${shop.relay.origin}/c/shop`, shop.token, validation, {
      code: `code-of-ada-${String((next += 1))}`,
    });

  /** Returns what a call is answered with, a failure of the relay by its name. */
  async function answerOf(reply: Promise<Response>): Promise<string> {
    const { status, headers } = await reply;
    return headers.get('counterfoil-relay-failure') ?? String(status);
  }

  /** Makes a call several times, each time beside a check of Ada's; returns the different answers. */
  async function besideChecks(
    call: () => Promise<Response>,
  ): Promise<{ readonly call: readonly string[]; readonly checks: readonly string[] }> {
    const both = await Promise.all(
      Array.from({ length: 10 }, () => Promise.all([answerOf(call()), answerOf(check())])),
    );
    return {
      call: [...new Set(both.map(([one]) => one))],
      checks: [...new Set(both.map(([, other]) => other))],
    };
  }

  describe.each(['%00', 'shop%00', '%EF%BF%BD', 'x'.repeat(41)])(
    'to the connection %s, which none is called',
    (name) => {
      test('a stranger is told about the token, and an agent about the connection', async () => {
        const stranger = writeToken(randomBytes(8), randomBytes(32));
        for (const [token, failure] of [
          [stranger, 'token-unknown'],
          [eve, 'no-such-connection'],
        ] as const) {
          const call = (): Promise<Response> =>
            callThrough(`${shop.relay.origin}/c/${name}`, token, items);
          expect(await besideChecks(call)).toEqual({ call: [failure], checks: ['200'] });
        }
        const refused = (await audit()).filter(({ result }) => result === 'no-such-connection');
        expect(new Set(refused.map(({ connection }) => connection))).toEqual(new Set(['']));
        expect(refused).toHaveLength(10);
      });
    },
  );

  test.each([
    ['that ends with an emoji and three letters', '0123-4567-89ab-\u{1f3ab}xyz', '\u{1f3ab}xyz'],
    ['with half an emoji', '0123-4567-89ab-\udfabxyz', '\ufffdxyz'],
    ['with a NUL', '0123-4567-89ab-x\0yz', 'x\ufffdyz'],
  ])('about a code %s', async (_name, code, last4) => {
    const headers = { authorization: `Bearer ${eve}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ purchase_code: code });
    const call = (): Promise<Response> =>
      fetch(`${shop.relay.origin}/c/shop${validation}`, { method: 'POST', headers, body });
    expect(await besideChecks(call)).toEqual({ call: ['200'], checks: ['200'] });
    const token = eve.split('_')[1];
    const rows = (await audit()).filter((row) => row.token === token && row.kind !== 'admin');
    expect(new Set(rows.map(({ codeLast4 }) => codeLast4))).toEqual(new Set([last4]));
  });

  test('a call that misses its slot, since the process stood still, takes another one', async () => {
    const standStill = (): void => {
      unsubscribe('http.client.request.created', standStill);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    };
    subscribe('http.client.request.created', standStill);
    expect(await answerOf(check())).toBe('200');
    expect(shop.seller.arrived).toHaveLength(1);
    const rows = (await audit()).filter(({ kind }) => kind !== 'admin');
    expect(rows.map(({ kind, result }) => `${kind} ${result}`)).toEqual([
      'intent interactive',
      'outcome slot-missed',
      'intent interactive',
      'outcome success',
      'reply asked',
    ]);
  });

  test('to a seller whose status no reply has', async () => {
    const odd = await rawSeller('HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\n{}');
    await shop.files.connect('odd', odd.origin, apiKey, '--limit 100000');
    const call = (): Promise<Response> => callThrough(`${shop.relay.origin}/c/odd`, eve, account);
    const { call: failures, checks } = await besideChecks(call);
    expect(checks).toEqual(['200']);
    expect(failures).toContain('upstream-unreadable');
    // After five of them the relay asks no more for a while.
    expect(failures.filter((one) => one !== 'upstream-paused')).toEqual(['upstream-unreadable']);
    const ofShop = (await audit()).filter(({ connection }) => connection === 'shop');
    for (const kind of ['outcome', 'reply']) {
      expect(ofShop.filter((row) => row.kind === kind)).toHaveLength(10);
    }
    await odd.close();
  });

  describe('for a list', () => {
    const item = { id: 1, name: 'Lantern', price: { regular: 29, extended: 99 } };
    /** Returns a list of so many bytes. */
    const listOf = (bytes: number): string => {
      const empty = JSON.stringify({ status: 'success', items: [item], rest: '' });
      return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
    };
    let lists: CountingUpstream;
    beforeEach(async () => {
      lists = await countingUpstream();
      await shop.files.connect('lists', lists.origin, apiKey, '--limit 100000');
    });
    afterEach(() => lists.close());

    test.each([
      ['1 MiB, which is kept', 1024 * 1024, 1, 'success'],
      ['a byte more, which is not', 1024 * 1024 + 1, 2, '200'],
      ['24 MiB', 24 * 1024 * 1024, 2, '200'],
    ])('of %s, and arrives whole', async (_name, bytes, asked, result) => {
      const list = listOf(bytes);
      lists.replyWith({ status: 200, body: list });
      const call = (): Promise<Response> => callThrough(`${shop.relay.origin}/c/lists`, eve, items);
      for (let round = 0; round < 2; round += 1) {
        const [reply, ...checks] = await Promise.all([
          call().then(async (got) => [got.status, (await got.text()) === list]),
          ...Array.from({ length: 10 }, () => answerOf(check())),
        ]);
        expect(reply).toEqual([200, true]);
        expect(new Set(checks)).toEqual(new Set(['200']));
      }
      expect(lists.arrived).toHaveLength(asked);
      const outcomes = (await audit()).filter(
        ({ kind, connection }) => kind === 'outcome' && connection === 'lists',
      );
      expect(outcomes.map((row) => row.result)).toEqual(
        Array.from({ length: asked }, () => result),
      );
    });
  });
});

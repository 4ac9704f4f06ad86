import { randomBytes } from 'node:crypto';
import type { Clocks } from '#relay/machine/clocks';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { marketplaceIds } from '#core/marketplaces/index';
import type { Stored } from '#relay/store/records';
import { keepExpiredJoinMs, maxJoins } from '#relay/store/join-store';
import type { SlotAnswer, SlotRequest, Store } from '#relay/store/store';
import { auditRows } from '#tests/relay/support/audit-rows';
import { mostInAnyWindow } from '#tests/relay/support/counting-upstream';
import { checkAtShop, shop as connection } from '#tests/relay/support/records';

/** Opens stores on one database, which is new for each test. */
export interface StoreFactory {
  /** Opens another store on the same database, as another instance or the command line does. */
  open(clocks: Clocks): Promise<Store>;
  /** Removes the database. */
  remove(): Promise<void>;
}

type CallFindings = Awaited<ReturnType<Store['findCall']>>;

const start = Date.UTC(2026, 10, 15);

/** Gives a record's hash the type that the tests write it in, since drivers return others. */
function bytesOf<T extends { readonly hash: Uint8Array }>(record: T | undefined): T | undefined {
  return record && { ...record, hash: Buffer.from(record.hash) };
}

/** Tests what every dialect of the store promises. */
export function describeStore(name: string, create: () => Promise<StoreFactory>): void {
  describe(name, () => {
    let factory: StoreFactory;
    let store: Store;
    let other: Store;
    let now: number;
    const clocks: Clocks = { now: () => now, paceNow: () => now };

    const subject = (fields: Partial<Stored<'auditSubject'>> = {}): Stored<'auditSubject'> => ({
      ...checkAtShop,
      ...fields,
    });
    const slot = (fields: Partial<SlotRequest> = {}): SlotRequest => ({
      connection,
      bulk: false,
      deadlineMs: 2_000,
      subject: subject(),
      unlessCached: true,
      lease: { key: randomBytes(4).toString('hex'), holder: 'one', forMs: 10_000 },
      ...fields,
    });
    const token = (fields: Partial<Stored<'token'>> = {}): Omit<Stored<'token'>, 'agent'> => ({
      id: 't1',
      hash: Buffer.alloc(32, 1),
      signedInAt: now,
      expiresAt: now + 1_000,
      revokedAt: 0,
      ...fields,
    });
    const kinds = async (): Promise<string[]> =>
      (await auditRows(store)).map(({ kind, result }) => `${kind} ${result}`);

    beforeEach(async () => {
      now = start;
      factory = await create();
      store = await factory.open(clocks);
      other = await factory.open(clocks);
      await store.addConnection(connection);
      await store.addAgent({ id: 'ada', email: 'ada@fenwick.test', role: 'agent' });
      const hash = Buffer.alloc(32, 9);
      const invite = { id: 'i1', agent: 'ada', hash, createdAt: now, expiresAt: now + 1_000 };
      await store.addInvite(invite);
      expect(await store.redeemInvite('i1', hash, token())).toBe(true);
    });
    afterEach(async () => {
      await Promise.all([store.close(), other.close()]);
      await factory.remove();
    });

    test('gives back what it was given', async () => {
      const lookup = { token: 't1', connection: 'shop', cacheKeyEnd: '' };
      expect(await other.findCall(lookup)).toEqual({
        token: await other.findToken('t1'),
        connection,
        key: undefined,
        cached: undefined,
      });
      expect(await other.findCall({ ...lookup, token: 't2', connection: 'none' })).toEqual({
        token: undefined,
        connection: undefined,
        key: undefined,
        cached: undefined,
      });
      expect(await other.findToken('t1')).toMatchObject({ agent: 'ada', revokedAt: 0 });
      expect((await other.findToken('t1'))?.role).toEqual({ name: 'agent', maySee: [] });
      expect(await other.findToken('t2')).toBeUndefined();
      await store.putRole({ name: 'lead', maySee: ['balance', 'email'] });
      expect(await store.setRole('ada', 'lead')).toBe(true);
      expect((await other.findToken('t1'))?.role.maySee).toEqual(['balance', 'email']);
      expect(await kinds()).toContain('admin role-set lead: balance email');
      await store.extendToken('t1', now + 5_000);
      expect((await other.findToken('t1'))?.expiresAt).toBe(now + 5_000);
    });

    test('keeps the newest key of a connection alone', async () => {
      const key = {
        connection: 'shop',
        masterKeyId: 'm',
        wrappedDataKey: Buffer.of(1),
        sealed: Buffer.of(2),
      };
      await store.putKey({ ...key, version: 1 });
      await store.putKey({ ...key, version: 2 });
      expect((await other.keys()).map(({ version }) => version)).toEqual([2]);
      const find = async (): Promise<CallFindings> =>
        other.findCall({ token: 't1', connection: 'shop', cacheKeyEnd: '' });
      const { key: found } = await find();
      expect(found).toMatchObject({ connection: 'shop', version: 2, masterKeyId: 'm' });
      expect(found && Buffer.from(found.sealed)).toEqual(Buffer.of(2));
      expect(await store.removeConnection('shop')).toBe(true);
      expect((await find()).key).toBeUndefined();
    });

    test('changes a connection, whose key goes with its address alone', async () => {
      const key = { connection: 'shop', version: 1, masterKeyId: 'm' };
      await store.putKey({ ...key, wrappedDataKey: Buffer.of(1), sealed: Buffer.of(2) });
      const changed = { ...connection, name: 'Mall', limit: 30, roles: ['agent', 'lead'] };
      expect(await other.editConnection(changed)).toBe(true);
      expect(await store.connections()).toEqual([changed]);
      expect(await store.keys()).toHaveLength(1);
      const lookup = { token: 't1', connection: 'shop', cacheKeyEnd: '' };
      expect((await other.findCall(lookup)).connection).toEqual(changed);
      const moved = { ...changed, baseAddress: 'https://mall.test' };
      expect(await other.editConnection(moved)).toBe(true);
      expect((await store.findCall(lookup)).key).toBeUndefined();
      expect(await store.editConnection({ ...moved, id: 'none' })).toBe(false);
      const [marketplace = 'envato'] = marketplaceIds;
      for (const place of [{ marketplace }, { marketplace, store: '4711' }, {}]) {
        await store.putKey({ ...key, wrappedDataKey: Buffer.of(1), sealed: Buffer.of(2) });
        expect(await other.editConnection({ ...moved, ...place })).toBe(true);
        const found = await store.findCall(lookup);
        expect(found.connection).toEqual({ ...moved, ...place });
        expect(found.key).toBeUndefined();
      }
      expect(await kinds()).toContainEqual(
        expect.stringMatching(
          /^admin connection-edited https:\/\/mall.test, [a-z-]+, 4711, 30 in 60 s, agent, lead$/,
        ),
      );
    });

    test('wraps keys anew, but none that was set meanwhile', async () => {
      const key = { connection: 'shop', version: 1, masterKeyId: 'old' };
      const [before, after, meanwhile] = [Buffer.of(1), Buffer.of(3), Buffer.of(4)];
      await store.putKey({ ...key, wrappedDataKey: before, sealed: Buffer.of(2) });
      const anew = { connection: 'shop', before, masterKeyId: 'new', wrappedDataKey: after };
      expect(await store.rewrap([anew], [])).toBe(1);
      const [wrapped] = await other.keys();
      expect(wrapped).toMatchObject({ version: 1, masterKeyId: 'new' });
      expect([wrapped?.wrappedDataKey[0], wrapped?.sealed[0]]).toEqual([3, 2]);
      // Of the same version, as after the connection was removed and added again.
      await other.putKey({ ...key, wrappedDataKey: meanwhile, sealed: Buffer.of(5) });
      expect(await store.rewrap([anew], [])).toBe(0);
      const [kept] = await other.keys();
      expect(kept).toMatchObject({ version: 1, masterKeyId: 'old' });
      expect(kept?.wrappedDataKey[0]).toBe(4);
      const changes = (await kinds()).filter((each) => each === 'admin master-key-rotated');
      expect(changes).toHaveLength(1);
    });

    test('takes an invite once, before it expires, with its secret', async () => {
      const hash = Buffer.alloc(32, 5);
      const invite = { id: 'i2', agent: 'ada', hash, createdAt: now, expiresAt: now + 1_000 };
      await store.addInvite(invite);
      expect(await store.redeemInvite('i2', Buffer.alloc(32, 6), token({ id: 't2' }))).toBe(false);
      const both = [store, other].map((one, n) =>
        one.redeemInvite('i2', hash, token({ id: `r${String(n)}` })),
      );
      expect((await Promise.all(both)).toSorted()).toEqual([false, true]);
      await store.addInvite({ ...invite, id: 'i3' });
      now += 1_000;
      expect(await store.redeemInvite('i3', hash, token({ id: 't4' }))).toBe(false);
    });

    test('takes all invites of an agent back, and no others', async () => {
      const hash = Buffer.alloc(32, 5);
      const invite = { id: 'i2', agent: 'ada', hash, createdAt: now, expiresAt: now + 1_000 };
      await store.addAgent({ id: 'bob', email: 'bob@fenwick.test', role: 'agent' });
      await store.addInvite(invite);
      await store.addInvite({ ...invite, id: 'i3' });
      await store.addInvite({ ...invite, id: 'i4', agent: 'bob', expiresAt: now + 2_000 });
      expect((await other.invites()).map(({ id }) => id)).toEqual(['i2', 'i3', 'i4']);
      expect(await other.revokeInvites('ada')).toBe(true);
      expect(await store.redeemInvite('i2', hash, token({ id: 't2' }))).toBe(false);
      expect((await store.invites()).map(bytesOf)).toEqual([
        { ...invite, id: 'i4', agent: 'bob', expiresAt: now + 2_000 },
      ]);
      expect(await store.revokeInvites('ada')).toBe(false);
      expect((await kinds()).at(-1)).toBe('admin invite-revoked');
    });

    describe('a join', () => {
      const join = (id: string): Stored<'join'> => ({
        id,
        hash: Buffer.alloc(32, 3),
        state: 'state',
        challenge: 'challenge',
        expiresAt: now + 600_000,
      });
      const code = (id: string): Stored<'joinCode'> => ({
        id,
        hash: Buffer.alloc(32, 4),
        expiresAt: now + 60_000,
      });

      test('keeps what it began with, and who has signed in', async () => {
        expect(await store.beginJoin(join('j1'))).toBe(true);
        expect(bytesOf(await other.findJoin('j1'))).toEqual(join('j1'));
        await other.identifyJoin('j1', 'ada');
        expect(bytesOf(await store.findJoin('j1'))).toEqual({ ...join('j1'), agent: 'ada' });
        await store.endJoin('j1');
        expect(await other.findJoin('j1')).toBeUndefined();
      });

      test('is found for an hour after it has expired, and not confirmed', async () => {
        await store.beginJoin(join('j1'));
        await store.identifyJoin('j1', 'ada');
        now += 600_000;
        expect(await other.confirmJoin('j1', code('c1'))).toBe(false);
        expect(await other.findJoin('j1')).toBeDefined();
        now += keepExpiredJoinMs;
        await store.beginJoin(join('j2'));
        expect(await other.findJoin('j1')).toBeUndefined();
      });

      test('is not begun beside too many others, until they expire', async () => {
        const others = Array.from({ length: maxJoins }, (_, n) => join(`other-${String(n)}`));
        await Promise.all(others.map((one) => store.beginJoin(one)));
        expect(await other.beginJoin(join('j1'))).toBe(false);
        now += 600_000;
        expect(await other.beginJoin(join('j1'))).toBe(true);
      });

      test('counts wrong invites', async () => {
        await store.beginJoin(join('j1'));
        expect(await store.countWrongInvite('j1')).toBe(1);
        expect(await other.countWrongInvite('j1')).toBe(2);
      });

      test('is confirmed once, only after a sign-in', async () => {
        await store.beginJoin(join('j1'));
        expect(await store.confirmJoin('j1', code('c1'))).toBe(false);
        await store.identifyJoin('j1', 'ada');
        const both = [store, other].map((one, n) => one.confirmJoin('j1', code(`c${String(n)}`)));
        expect((await Promise.all(both)).toSorted()).toEqual([false, true]);
        expect(await kinds()).toContain('admin join-confirmed-by-sign-in');
      });

      test('uses an invite up when it is confirmed, and not before', async () => {
        const hash = Buffer.alloc(32, 5);
        const invite = { id: 'i2', agent: 'ada', hash, createdAt: now, expiresAt: now + 700_000 };
        await store.addInvite(invite);
        expect(bytesOf(await other.findInvite('i2'))).toEqual(invite);
        await store.beginJoin(join('j1'));
        await store.beginJoin(join('j2'));
        await store.identifyJoin('j1', 'ada', 'i2');
        await store.identifyJoin('j2', 'ada', 'i2');
        expect(await other.findInvite('i2')).toBeDefined();
        const both = [store, other].map((one, n) =>
          one.confirmJoin(`j${String(n + 1)}`, code(`c${String(n)}`)),
        );
        expect((await Promise.all(both)).toSorted()).toEqual([false, true]);
        expect(await other.findInvite('i2')).toBeUndefined();
        await store.addInvite({ ...invite, id: 'i3', expiresAt: now + 1_000 });
        await store.beginJoin(join('j3'));
        await store.identifyJoin('j3', 'ada', 'i3');
        now += 1_000;
        expect(await other.findInvite('i3')).toBeUndefined();
        expect(await store.confirmJoin('j3', code('c3'))).toBe(false);
      });

      const confirmed = async (id: string): Promise<void> => {
        await store.beginJoin(join(id));
        await store.identifyJoin(id, 'ada');
        expect(await store.confirmJoin(id, code(id))).toBe(true);
      };
      const redeem = (
        one: Store,
        id: string,
        challenge = 'challenge',
        secret = 4,
      ): Promise<Stored<'agent'> | undefined> =>
        one.redeemCode({ id, hash: Buffer.alloc(32, secret) }, challenge, token({ id: `t-${id}` }));

      test('gives a token for its code, once', async () => {
        await confirmed('c1');
        const both = await Promise.all([redeem(store, 'c1'), redeem(other, 'c1')]);
        const ada = { id: 'ada', email: 'ada@fenwick.test', role: 'agent' };
        expect(both.filter((agent) => agent !== undefined)).toEqual([ada]);
        expect(await other.findToken('t-c1')).toMatchObject({ agent: 'ada', revokedAt: 0 });
        expect(await kinds()).toContain('admin joined');
      });

      test('puts the browser into the audit, where the uses of its token are', async () => {
        await confirmed('c1');
        const secret = { id: 'c1', hash: Buffer.alloc(32, 4) };
        await store.redeemCode(secret, 'challenge', token({ id: 'laptop' }), 'Firefox on Linux');
        const reply = (result: string): Promise<string> =>
          store.release(subject({ token: 'laptop' }), result, () => undefined);
        const uses = async (id: string): Promise<unknown[]> => {
          const found = (await other.tokens()).find((one) => one.id === id);
          return [found?.actor, found?.firstAt, found?.lastAt];
        };
        expect(await uses('laptop')).toEqual(['Firefox on Linux', undefined, undefined]);
        now += 10;
        await reply('asked');
        now += 20;
        await reply('cached');
        now += 1_000;
        expect(await reply('asked')).toBe('withheld');
        expect(await uses('laptop')).toEqual(['Firefox on Linux', start + 10, start + 30]);
        expect((await uses('t1')).slice(1)).toEqual([undefined, undefined]);
      });

      test('gives none for another secret or challenge, nor too late', async () => {
        await confirmed('c1');
        expect(await redeem(store, 'c1', 'challenge', 5)).toBeUndefined();
        expect(await redeem(store, 'c1', 'another')).toBeUndefined();
        expect(await redeem(store, 'c1')).toBeUndefined();
        await confirmed('c2');
        now += 60_000;
        expect(await redeem(store, 'c2')).toBeUndefined();
        expect(await other.findToken('t-c2')).toBeUndefined();
      });

      test('ends with its agent', async () => {
        await confirmed('c1');
        await store.beginJoin(join('j2'));
        await store.identifyJoin('j2', 'ada');
        await other.removeAgent('ada');
        expect(await store.findJoin('j2')).toBeUndefined();
        expect(await redeem(store, 'c1')).toBeUndefined();
      });
    });

    test('keeps the newest settings of the team alone', async () => {
      const settings = (version: number, payload = '{}'): Stored<'settings'> => ({
        version,
        payload,
        signature: 'ab',
        key: 'cd',
      });
      expect(await other.findSettings()).toBeUndefined();
      expect(await store.putSettings(settings(2))).toBe(true);
      expect(await other.putSettings(settings(1, '{"a":1}'))).toBe(false);
      expect(await other.putSettings(settings(2, '{"a":1}'))).toBe(false);
      expect(await other.findSettings()).toEqual(settings(2));
      expect(await other.putSettings(settings(3, '{"a":1}'))).toBe(true);
      expect(await store.findSettings()).toEqual(settings(3, '{"a":1}'));
      expect((await kinds()).filter((kind) => kind === 'admin settings-set')).toHaveLength(2);
    });

    describe('slots', () => {
      test('are counted once for all instances, and a refusal writes nothing', async () => {
        const taken: number[] = [];
        for (let n = 0; n < 400; n += 1) {
          const answers = await Promise.all([store, other].map((one) => one.takeSlot(slot())));
          for (const { granted } of answers) if (granted) taken.push(now);
          now += 250;
        }
        expect(mostInAnyWindow(taken, 60_000)).toBeLessThanOrEqual(60);
        expect(taken.length).toBeGreaterThan(80);
        const intents = (await kinds()).filter((kind) => kind === 'intent interactive');
        expect(intents).toHaveLength(taken.length);
      });

      test('are shared between agents who ask at the same time', async () => {
        const eve = slot({ subject: subject({ agent: 'eve' }) });
        await store.takeSlot(eve);
        let taken = 0;
        while ((await store.takeSlot(slot())).granted) taken += 1;
        expect(taken).toBe(4);
        const beside = { ...eve, lease: { ...eve.lease, key: 'beside' } };
        expect((await other.takeSlot(beside)).granted).toBe(true);
      });

      test('whose replies are there are free a window later, the others once their deadline is over as well', async () => {
        const shop = { ...connection, limit: 2, windowMs: 1_000 };
        const take = (): Promise<SlotAnswer> => store.takeSlot(slot({ connection: shop }));
        const first = await take();
        now += 500;
        const second = await take();
        expect([first.granted, second.granted]).toEqual([true, true]);
        const lease = { key: 'a', holder: 'one', forMs: 10_000 };
        for (const answer of [first, second]) {
          const given = answer.granted ? { slot: answer.slot } : {};
          const report = { subject: subject(), lease, result: 'success', health: 'up' } as const;
          await store.reportCall({ ...report, ...given });
        }
        now += 1_100;
        // This one takes into account what has ended.
        expect((await other.takeSlot(slot({ connection: shop }))).granted).toBe(false);
        expect((await take()).granted).toBe(false);
        now += 2_000;
        expect((await take()).granted).toBe(true);
      });

      test('are refused to an agent who has asked as often as a day allows', async () => {
        const quota = 2;
        expect(await store.setQuota({ role: 'agent' }, quota)).toBe(true);
        expect((await other.findToken('t1'))?.quota).toBe(2);
        // At once, of two connections and two instances.
        await store.addConnection({ ...connection, id: 'mall' });
        const asked = ['shop', 'mall', 'shop', 'mall'].map((id, n) =>
          (n % 2 === 0 ? store : other).takeSlot(
            slot({ connection: { ...connection, id }, quota }),
          ),
        );
        const answers = await Promise.all(asked);
        expect(answers.filter(({ granted }) => granted)).toHaveLength(quota);
        const tomorrow = Date.UTC(2026, 10, 16);
        // A question that missed its slot has counted already.
        const missed = slot({ connection: { ...connection, id: 'mall' } });
        expect((await store.takeSlot(missed)).granted).toBe(true);
        expect(await store.takeSlot(slot({ quota }))).toEqual({
          granted: false,
          at: tomorrow,
          reason: 'quota',
        });
        expect(await other.roles()).toEqual([{ name: 'agent', maySee: [], quota }]);
        expect(await other.agents()).toMatchObject([{ id: 'ada', quota, today: quota }]);
        now = tomorrow;
        // The first is decided alone, and the others together while it is stored.
        const together = [slot(), slot({ quota }), slot()].map((one) => store.takeSlot(one));
        expect((await Promise.all(together)).every(({ granted }) => granted)).toBe(true);
        expect(await store.setQuota({ agent: 'ada' }, 9)).toBe(true);
        expect(await other.agents()).toMatchObject([{ id: 'ada', quota: 9, today: 1 }]);
        expect(await store.setQuota({ agent: 'ada' }, undefined)).toBe(true);
        expect((await other.findToken('t1'))?.quota).toBe(2);
        expect(await store.setQuota({ agent: 'nobody' }, 1)).toBe(false);
        const set = (await kinds()).filter((kind) => kind.includes('-quota-set'));
        expect(set).toEqual([
          'admin role-quota-set agent: 2',
          'admin agent-quota-set 9',
          'admin agent-quota-set none',
        ]);
      });

      test('are granted to others when an agent with a quota was removed meanwhile', async () => {
        await store.removeAgent('ada');
        const asked = [slot({ quota: 9 }), slot({ subject: subject({ agent: 'eve' }) })].map(
          (one) => store.takeSlot(one),
        );
        const [, granted] = await Promise.allSettled(asked);
        expect(granted).toMatchObject({ value: { granted: true } });
      });

      test('are held back by an upstream that answered 429', async () => {
        const lease = { key: 'a', holder: 'one', forMs: 10_000 };
        await store.takeSlot(slot({ lease }));
        const heldUntil = now + 30_000;
        await store.reportCall({
          subject: subject(),
          lease,
          heldUntil,
          result: '429',
          health: 'up',
        });
        now += 29_999;
        expect(await other.takeSlot(slot())).toEqual({
          granted: false,
          at: heldUntil,
          reason: 'held',
        });
        now += 1;
        expect((await other.takeSlot(slot())).granted).toBe(true);
      });

      test('are held back until the later of two moments that an upstream names', async () => {
        const lease = { key: 'a', holder: 'one', forMs: 10_000 };
        const report = { subject: subject(), lease, result: '429', health: 'up' } as const;
        await store.reportCall({ ...report, heldUntil: now + 9_000 });
        await other.reportCall({ ...report, heldUntil: now + 5_000 });
        expect(await store.takeSlot(slot())).toMatchObject({ reason: 'held', at: now + 9_000 });
      });

      test('are paused after five failures in a row for ten seconds, and one call tries', async () => {
        const lease = { key: 'a', holder: 'one', forMs: 10_000 };
        const report = { subject: subject(), lease, result: 'upstream-unreachable' };
        const tellEach = async (...told: readonly ('up' | 'down' | 'unknown')[]): Promise<void> => {
          for (const health of told) await store.reportCall({ ...report, health });
        };
        await tellEach(
          'down',
          'down',
          'down',
          'down',
          'up',
          'down',
          'down',
          'unknown',
          'down',
          'down',
        );
        expect((await other.takeSlot(slot())).granted).toBe(true);
        await tellEach('down');
        const paused = { granted: false, reason: 'upstream-paused', at: now + 10_000 };
        expect(await other.takeSlot(slot())).toEqual(paused);
        await tellEach('unknown');
        expect(await other.takeSlot(slot())).toEqual(paused);
        now += 10_000;
        const tryBoth = async (): Promise<readonly SlotAnswer[]> => {
          const answers = [store, other].map((one) => one.takeSlot(slot()));
          return (await Promise.all(answers)).filter(({ granted }) => granted);
        };
        expect(await tryBoth()).toHaveLength(1);
        expect(await other.takeSlot(slot())).toMatchObject({ at: now + 15_000 });
        // The one that tried did not get there: another may.
        await tellEach('unknown');
        expect(await tryBoth()).toHaveLength(1);
        await tellEach('up');
        expect((await other.takeSlot(slot())).granted).toBe(true);
        expect((await other.takeSlot(slot())).granted).toBe(true);
      });

      test('are paused for one agent alone while nobody else has failed, and then for all', async () => {
        const lease = { key: 'a', holder: 'one', forMs: 10_000 };
        const ofEve = subject({ agent: 'eve' });
        const tell = async (about: Stored<'auditSubject'>, health: 'up' | 'down'): Promise<void> =>
          store.reportCall({ subject: about, lease, result: 'upstream-unreachable', health });
        const ask = async (about: Stored<'auditSubject'>): Promise<unknown> => {
          const answer = await other.takeSlot(slot({ subject: about }));
          return answer.granted || answer.reason;
        };
        const failFiveTimes = async (): Promise<void> => {
          for (let n = 0; n < 5; n += 1) await tell(subject(), 'down');
        };
        await failFiveTimes();
        expect([await ask(subject()), await ask(ofEve)]).toEqual(['upstream-paused', true]);
        // What goes through for others may have been the one agent's own code.
        await tell(ofEve, 'up');
        expect(await ask(subject())).toBe(true);
        await failFiveTimes();
        await tell(ofEve, 'down');
        expect([await ask(subject()), await ask(ofEve)]).toEqual(Array(2).fill('upstream-paused'));
        await tell(ofEve, 'up');
        await failFiveTimes();
        // The administrator's own trial of a key.
        await tell(subject({ agent: 'admin', token: '' }), 'down');
        expect(await ask(ofEve)).toBe('upstream-paused');
      });

      test('wait for another instance that asks the same, until its lease ends', async () => {
        const lease = { key: 'same', holder: 'one', forMs: 10_000 };
        const foreign = { ...lease, holder: 'two' };
        expect((await store.takeSlot(slot({ lease }))).granted).toBe(true);
        expect(await other.takeSlot(slot({ lease: foreign }))).toMatchObject({ reason: 'leased' });
        await store.reportCall({ subject: subject(), lease, result: 'success', health: 'up' });
        expect((await other.takeSlot(slot({ lease: foreign }))).granted).toBe(true);
        now += 10_000;
        expect((await store.takeSlot(slot({ lease }))).granted).toBe(true);
      });

      test('do not wait for a lease that a clock has written which was far ahead', async () => {
        const lease = { key: 'same', holder: 'one', forMs: 10_000 };
        await store.takeSlot(slot({ lease: { ...lease, forMs: 86_400_000 } }));
        expect((await other.takeSlot(slot({ lease: { ...lease, holder: 'two' } }))).granted).toBe(
          true,
        );
      });

      test('wait for as long as the one that asks renews its lease', async () => {
        const lease = { key: 'same', holder: 'one', forMs: 4_000 };
        const foreign = { ...lease, holder: 'two' };
        await store.takeSlot(slot({ lease }));
        now += 3_000;
        await Promise.all([store.renewLease(lease), other.renewLease({ ...foreign, forMs: 0 })]);
        now += 3_000;
        expect(await other.takeSlot(slot({ lease: foreign }))).toMatchObject({ reason: 'leased' });
        now += 1_000;
        expect((await other.takeSlot(slot({ lease: foreign }))).granted).toBe(true);
      });

      test('leave no lease behind that nobody has ended', async () => {
        const lease = { key: 'same', holder: 'one', forMs: 4_000 };
        await store.takeSlot(slot({ lease }));
        now += 4_000;
        await store.dropExpiredReplies();
        await store.renewLease(lease);
        const foreign = { ...lease, holder: 'two' };
        expect((await other.takeSlot(slot({ lease: foreign }))).granted).toBe(true);
      });
    });

    describe('a reply', () => {
      test('is begun while the token holds', async () => {
        const begun: string[] = [];
        const answer = await store.release(subject(), 'asked', () => begun.push('reply'));
        expect([answer, begun]).toEqual(['begun', ['reply']]);
        expect(await kinds()).toContain('reply asked');
      });

      test.each([
        ['was revoked', async (): Promise<unknown> => other.revokeToken('t1')],
        ['has expired', (): Promise<unknown> => Promise.resolve((now += 1_000))],
        ['went with its agent', async (): Promise<unknown> => other.removeAgent('ada')],
      ])('is withheld once the token %s', async (_name, end) => {
        await end();
        const begin = (): never => {
          throw new Error('No reply may begin.');
        };
        expect(await store.release(subject(), 'asked', begin)).toBe('withheld');
        expect(await kinds()).toContain('reply withheld');
      });

      test('that throws when it begins is recorded so, and takes nothing of the others along', async () => {
        const lease = { key: 'k', holder: 'one', forMs: 10_000 };
        const failing = (): never => {
          throw new Error('This reply does not begin.');
        };
        const release = (callId: string, begin: () => void): Promise<string> =>
          store.release(subject({ callId }), 'asked', begin);
        const ended = await Promise.allSettled([
          store.reportCall({ subject: subject(), lease, result: 'success', health: 'up' }),
          release('before', () => undefined),
          release('failing', failing),
          release('after', () => undefined),
        ]);
        expect(ended).toMatchObject([
          { status: 'fulfilled' },
          { value: 'begun' },
          { reason: { message: 'This reply does not begin.' } },
          { value: 'begun' },
        ]);
        const rows = (await auditRows(store)).filter(({ kind }) => kind !== 'admin');
        expect(
          rows.map(({ callId, kind, result }) => `${callId ?? ''} ${kind} ${result}`).toSorted(),
        ).toEqual([
          'after reply asked',
          'before reply asked',
          'call outcome success',
          'failing reply asked',
          'failing reply not-begun',
        ]);
      });

      test('of two instances and a revocation never begins after the commit', async () => {
        await Promise.all([
          ...Array.from({ length: 50 }, () => store.release(subject(), 'asked', () => undefined)),
          other.revokeToken('t1'),
          ...Array.from({ length: 50 }, () => other.release(subject(), 'asked', () => undefined)),
        ]);
        const after = (await kinds()).slice((await kinds()).indexOf('admin token-revoked'));
        expect(after).not.toContain('reply asked');
      });
    });

    test('keeps a cached reply until it expires', async () => {
      const cache = { key: 'k', storedAt: now, expiresAt: now + 1_000, sealed: Buffer.from('x') };
      const lease = { key: 'k', holder: 'one', forMs: 10_000 };
      await store.reportCall({ subject: subject(), lease, cache, result: 'success', health: 'up' });
      expect(await other.findCached('k')).toMatchObject({ storedAt: now });
      const late = slot({ lease: { ...lease, holder: 'two' } });
      expect(await other.takeSlot(late)).toMatchObject({ granted: false, reason: 'leased' });
      expect((await other.takeSlot({ ...late, unlessCached: false })).granted).toBe(true);
      now += 1_000;
      expect(await other.findCached('k')).toBeUndefined();
    });

    test('removes the cached replies that have expired, and no others', async () => {
      for (const [n, expiresAt] of [now + 500, now + 1_000, now + 1_001].entries()) {
        const lease = { key: `shop:1:r${String(n)}`, holder: 'one', forMs: 10 };
        const cache = { key: lease.key, storedAt: now, expiresAt, sealed: Buffer.from('x') };
        await store.reportCall({ subject: subject(), lease, cache, result: '200', health: 'up' });
      }
      now += 1_000;
      expect(await other.dropExpiredReplies()).toBe(2);
      expect(await store.findCached('shop:1:r2')).toBeDefined();
      expect(await store.dropExpiredReplies()).toBe(0);
    });

    test('finds a cached reply with the call, under the newest key alone', async () => {
      const key = { connection: 'shop', masterKeyId: 'm', wrappedDataKey: Buffer.of(1) };
      const [sealed, sealedAnew] = [Buffer.alloc(40, 0xaa), Buffer.alloc(40, 0xbb)];
      await store.putKey({ ...key, sealed, version: 3 });
      const lease = { key: `shop:${'aa'.repeat(12)}:validation:abc`, holder: 'one', forMs: 10_000 };
      const cache = { key: lease.key, storedAt: now, expiresAt: now + 1_000 };
      await store.reportCall({
        subject: subject(),
        lease,
        result: 'success',
        health: 'up',
        cache: { ...cache, sealed: Buffer.from('x') },
      });
      const find = async (cacheKeyEnd: string): Promise<CallFindings['cached']> =>
        (await other.findCall({ token: 't1', connection: 'shop', cacheKeyEnd })).cached;
      const cached = await find('validation:abc');
      expect(cached).toMatchObject(cache);
      expect(cached && Buffer.from(cached.sealed).toString()).toBe('x');
      expect(await find('validation:abd')).toBeUndefined();
      expect(await find('')).toBeUndefined();
      await store.putKey({ ...key, sealed: sealedAnew, version: 3 });
      expect(await find('validation:abc')).toBeUndefined();
      await store.putKey({ ...key, sealed, version: 4 });
      now += 1_000;
      expect(await find('validation:abc')).toBeUndefined();
    });

    test('finds what each of many calls at once asks for', async () => {
      const calls = ['t1', 't2', 't1', 't3'].flatMap((id) =>
        ['shop', 'none'].map(async (shop) => {
          const found = await other.findCall({ token: id, connection: shop, cacheKeyEnd: 'x' });
          return [id, shop, found.token?.id, found.connection?.id];
        }),
      );
      for (const [id, shop, token, connection] of await Promise.all(calls)) {
        expect(token).toBe(id === 't1' ? 't1' : undefined);
        expect(connection).toBe(shop === 'shop' ? 'shop' : undefined);
      }
    });

    describe('the checks of a month', () => {
      let calls = 0;
      /** Records a check as the calls do: the outcome where the seller was asked, then the reply. */
      const check = async (
        fields: Partial<Stored<'auditSubject'>>,
        reply: string,
        outcome?: string,
      ): Promise<void> => {
        const about = subject({ callId: `c${String((calls += 1))}`, ...fields });
        if (outcome !== undefined) {
          const lease = { key: about.callId, holder: 'one', forMs: 1_000 };
          await store.reportCall({ subject: about, result: outcome, health: 'up', lease });
        }
        await store.release(about, reply, () => undefined);
      };
      const part = async (name: string, month = '2026-11') =>
        (await other.countMonth(month)).filter((line) => line.part === name);

      test.each([
        ['success', 'found'],
        ['404', 'not found'],
        ['not-found', 'not found'],
        ['200', 'other answer'],
        ['500', 'other answer'],
      ] as const)('one whose call ended with %s is "%s"', async (outcome, verdict) => {
        await store.takeSlot(slot());
        await check({}, 'asked', outcome);
        expect(await part('total')).toMatchObject([{ checks: 1, [verdict]: 1, agents: 1 }]);
      });

      test('one that joined another call has the verdict of that call', async () => {
        await check({}, 'asked', '404');
        await check({ agent: 'bob' }, 'shared');
        await check({ agent: 'bob', codeHmac: 'other' }, 'asked', '500');
        const bob = { name: 'bob', checks: 2, 'not found': 1, 'other answer': 1 };
        expect(await part('agent')).toMatchObject([bob, { name: 'ada' }]);
        expect(await part('connection')).toMatchObject([{ name: 'shop', checks: 3, agents: 2 }]);
      });

      test('one that was withheld or not begun counts once, as no answer', async () => {
        await store
          .release(subject(), 'cached', () => {
            throw new Error('gone');
          })
          .catch(() => undefined);
        await check({ token: 'none' }, 'asked', 'success');
        await check({}, 'pace');
        expect(await part('total')).toMatchObject([{ checks: 3, found: 0, 'no answer': 3 }]);
      });

      test('are those of validation, in this month', async () => {
        await check({ call: 'items' }, 'asked', 'success');
        await check({}, 'cached');
        now = Date.UTC(2026, 11, 1);
        await store.extendToken('t1', now + 1_000);
        await check({}, 'cached');
        expect(await part('total')).toMatchObject([{ checks: 1 }]);
        expect(await part('day')).toMatchObject([{ name: '2026-11-15' }]);
        expect(await part('total', '2026-10')).toMatchObject([{ checks: 0 }]);
      });

      test('that are answered over midnight of the last day count once, with their last reply', async () => {
        const midnight = Date.UTC(2026, 11, 1);
        await store.extendToken('t1', midnight + 10_000);
        now = midnight - 1;
        const lease = { key: 'call', holder: 'one', forMs: 1_000 };
        await store.reportCall({ subject: subject(), result: '404', health: 'up', lease });
        const late = subject({ callId: 'late', agent: 'bob', codeHmac: 'other' });
        await store.release(late, 'cached', () => undefined);
        now = midnight;
        await store.release(late, 'not-begun', () => undefined);
        await store.release(subject(), 'asked', () => undefined);
        await store.release(subject({ callId: 'joined' }), 'shared', () => undefined);
        expect(await part('total')).toMatchObject([{ checks: 0 }]);
        const ada = { name: 'ada', checks: 2, 'not found': 2 };
        const bob = { name: 'bob', checks: 1, 'no answer': 1 };
        expect(await part('agent', '2026-12')).toMatchObject([ada, bob]);
      });

      test('name the ten codes that most agents asked, then those asked most often', async () => {
        const ask = async (code: string, ...agents: readonly string[]): Promise<void> => {
          for (const agent of agents) await check({ agent, codeHmac: code }, 'cached');
        };
        for (let n = 0; n < 11; n += 1) await ask(`two-${String(n).padStart(2, '0')}`, 'a', 'b');
        await ask('three', 'a', 'b', 'c');
        await ask('often', 'a', 'b', 'a');
        await ask('alone', 'a', 'a', 'a', 'a');
        await ask('', 'a', 'b', 'c', 'd');
        const codes = await part('code');
        expect(codes).toHaveLength(10);
        expect(codes.slice(0, 3).map(({ name }) => name)).toEqual(['three', 'often', 'two-00']);
        expect(codes[0]).toMatchObject({ last4: '1234', agents: 3, checks: 3 });
      });

      test('are read by an agent only with a row of the audit', async () => {
        await store.countMonth('2026-11');
        const before = await kinds();
        await store.countMonth('2026-11', { agent: 'ada', token: 't1' });
        expect((await kinds()).slice(before.length)).toEqual(['admin report-read-2026-11']);
        expect((await auditRows(store)).at(-1)).toMatchObject({ agent: 'ada', token: 't1' });
      });
    });

    test('drops the months that are not kept, and keeps all until it is told', async () => {
      await store.release(subject(), 'asked', () => undefined);
      now = Date.UTC(2026, 11, 31);
      await store.takeSlot(slot());
      expect([await store.keptMonths(), await store.dropOldAudit()]).toEqual([undefined, 0]);
      await store.keepAudit(1);
      expect([await other.keptMonths(), await store.dropOldAudit()]).toEqual([1, 0]);
      now = Date.UTC(2027, 0, 1);
      expect(await store.dropOldAudit()).toBeGreaterThan(0);
      expect(await other.dropOldAudit()).toBe(0);
      const rows = await auditRows(other);
      expect(rows.map(({ kind }) => kind)).toEqual(['intent', 'admin', 'admin']);
      expect(rows.at(-1)).toMatchObject({ actor: 'retention' });
      expect(rows.at(-1)?.result).toBe('audit-dropped');
      await store.keepAudit(undefined);
      now = Date.UTC(2030, 0, 1);
      expect(await store.dropOldAudit()).toBe(0);
    });

    test('doubts that old months are to be dropped where the clock may be ahead', async () => {
      const day = 86_400_000;
      await store.release(subject(), 'asked', () => undefined);
      await store.keepAudit(1);
      expect(await store.auditInDoubt()).toBe(false);
      now += 700 * day;
      expect(await store.auditInDoubt()).toBe(true);
      await store.takeSlot(slot());
      now += day / 2;
      expect(await other.auditInDoubt()).toBe(true);
      now += day;
      expect(await other.auditInDoubt()).toBe(false);
    });

    test('knows an agent by what a provider calls them, and no two by the same', async () => {
      expect(await store.setSubject('ada', 't/1')).toBe(true);
      const bob = { id: 'bob', email: 'bob@fenwick.test', role: 'agent', subject: 't/2' };
      await store.addAgent(bob);
      expect(await other.agents()).toEqual([
        { id: 'ada', email: 'ada@fenwick.test', role: 'agent', subject: 't/1' },
        bob,
      ]);
      await expect(store.setSubject('bob', 't/1')).rejects.toThrow();
      expect(await store.setSubject('none', 't/3')).toBe(false);
    });

    test('gives an agent the role of their groups, and records a change alone', async () => {
      await store.putRole({ name: 'lead', maySee: ['balance'] });
      const before = await kinds();
      await store.followGroups('ada', 'lead');
      await store.followGroups('ada', 'lead');
      expect((await other.findToken('t1'))?.role.maySee).toEqual(['balance']);
      await store.followGroups('ada', 'agent');
      expect((await other.findToken('t1'))?.role.maySee).toEqual([]);
      const change = 'admin agent-role-set';
      expect((await kinds()).slice(before.length)).toEqual([`${change} lead`, `${change} agent`]);
      expect((await auditRows(store)).at(-1)).toMatchObject({ agent: 'ada', actor: 'sign-in' });
      await expect(store.followGroups('ada', 'none')).rejects.toThrow();
    });

    test('undoes one failed change alone', async () => {
      const agent = { id: 'bob', email: 'ada@fenwick.test', role: 'agent' };
      const [failed, done] = await Promise.allSettled([
        store.addAgent(agent),
        store.addAgent({ ...agent, email: 'bob@fenwick.test' }),
      ]);
      expect([failed.status, done.status]).toEqual(['rejected', 'fulfilled']);
      expect(await other.agents()).toHaveLength(2);
    });
  });
}

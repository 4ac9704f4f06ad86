import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { CheckReport } from '#core/check/index';
import type { HistoryEntry } from '#core/history/index';
import { fail, succeed } from '#core/result';
import { dayMs } from '#core/time/index';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { rowsFor } from '#core/jobs/index';
import type { HistorySettings } from '#core/preferences/index';

const { supported, lapsed } = sampleCodes('/market');
const masked = (code: string): string => `${code.slice(0, 4)}…${code.slice(-4)}`;

let harness: WorkerHarness;
let connectionId: string;
beforeEach(async () => {
  harness = await createWorkerHarness();
  ({ id: connectionId } = await harness.connect('/market', { name: 'Harbour' }));
});
afterEach(() => harness.close());

async function check(code: string, ticket?: string, id = connectionId): Promise<CheckReport> {
  harness.pass(1000);
  const asked = { connectionId: id, code, fresh: true };
  return harness.ask('check', ticket === undefined ? asked : { ...asked, ticket });
}

/** Returns the entries, the latest first, once there are as many. */
async function entries(count: number): Promise<HistoryEntry[]> {
  await expect.poll(async () => (await harness.history.latest(99)).length).toBe(count);
  return harness.history.latest(99);
}

async function change(changes: Partial<HistorySettings>): Promise<void> {
  await harness.history.changeSettings(changes);
}

async function bulkCheck(code: string): Promise<void> {
  const id = crypto.randomUUID();
  const connectionIds = [connectionId];
  const job = { id, name: '', createdAt: Date.now(), connectionIds, state: 'running' } as const;
  await harness.jobs.add(job, rowsFor(id, [{ code, line: 1, times: 1 }], connectionIds));
  await harness.ask('bulk.drive', {});
}

it('has an answer from the cache beside a new one of another connection, though the worker stopped in between', async () => {
  const { id: otherId } = await harness.connect('/demo');
  await check(supported);
  await entries(1);
  const question = { id: 'both', asked: [connectionId, otherId], kept: [] };
  const ask = (id: string): Promise<CheckReport> =>
    harness.ask('check', { connectionId: id, code: supported, fresh: false, question });
  expect(await ask(connectionId)).toMatchObject({ cached: true });
  await harness.restart();
  expect(await ask(otherId)).toMatchObject({ cached: false });
  const both = (await entries(3)).filter((entry) => entry.question === 'both');
  expect(both.map((entry) => entry.connectionId).toSorted()).toEqual(
    [connectionId, otherId].toSorted(),
  );
});

describe('what an answer leaves in the history', () => {
  it('is the masked code, the connection’s name, the answer and its moment', async () => {
    const { checkedAt } = await check(supported);
    const [entry] = await entries(1);
    const [ids] = await harness.history.idsOf([{ code: supported, spelling: supported }]);
    expect(entry).toMatchObject({
      ...ids,
      code: masked(supported),
      connectionId,
      connectionName: 'Harbour',
      checkedAt,
      by: 'agent',
      answer: { kind: 'purchase' },
    });
    expect(entry).not.toHaveProperty('ticket');
  });

  it('of many codes at once costs one read of the key that names them', async () => {
    await harness.history.idsOf([]);
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const codes = Array.from(
      { length: 40 },
      (_, at) => `${supported.slice(0, -2)}${String(at + 10)}`,
    );
    const ids = await harness.history.idsOf(codes.map((code) => ({ code, spelling: code })));
    expect(new Set(ids.map(({ codeId }) => codeId)).size).toBe(codes.length);
    expect(transaction).toHaveBeenCalledTimes(1);
    transaction.mockRestore();
  });

  it('is the whole code where the agent wants it', async () => {
    await change({ codes: 'whole' });
    await check(supported);
    expect(await entries(1)).toMatchObject([{ code: supported }]);
  });

  it('is one entry for all who shared the check, and none for a cached reply or a fault', async () => {
    const asked = { connectionId, code: supported, fresh: false };
    await Promise.all([harness.ask('check', asked), harness.ask('check', asked)]);
    await harness.ask('check', asked);
    await harness.injectFault({ fault: 'other-code', base: '/market' });
    expect(await check(supported)).toMatchObject({ outcome: { ok: false } });
    await check(lapsed);
    expect((await entries(2)).map(({ code }) => code)).toEqual([masked(lapsed), masked(supported)]);
  });

  it('is a gap that the next check tells of, once, where the disk was full', async () => {
    harness.setDiskFull(true);
    expect(await check(supported)).not.toHaveProperty('unrecorded');
    harness.setDiskFull(false);
    await expect.poll(() => harness.session.get('historyGap')).toEqual({ historyGap: true });
    expect(await check(lapsed)).toMatchObject({ unrecorded: true });
    expect(await check(lapsed)).not.toHaveProperty('unrecorded');
    await entries(2);
  });

  it('is a gap that the next check tells of, where the history could not be read', async () => {
    const lookUp = vi.spyOn(harness.history, 'lookUp').mockRejectedValueOnce(new Error('closed'));
    expect(await check(supported)).toMatchObject({ outcome: { ok: true } });
    lookUp.mockRestore();
    expect(await check(lapsed)).toMatchObject({ unrecorded: true });
  });

  it('is a gap that the next check tells of, where a bulk check could not store its answers', async () => {
    const add = vi.spyOn(harness.history, 'add').mockRejectedValueOnce(new Error('unreadable'));
    await bulkCheck(lapsed);
    add.mockRestore();
    expect(await check(supported)).toMatchObject({ unrecorded: true });
  });

  it('is nothing while the history is off', async () => {
    await check(lapsed);
    await entries(1);
    await change({ days: 0 });
    const report = await check(lapsed);
    expect(report).toMatchObject({ outcome: { ok: true } });
    expect(report).not.toHaveProperty('earlier');
    await change({ days: 30 });
    await check(supported);
    expect((await entries(2)).map(({ code }) => code)).toEqual([masked(supported), masked(lapsed)]);
  });
});

describe('a code that is kept masked', () => {
  const again = async () => {
    const [{ id } = { id: 0 }] = await entries(1);
    harness.pass(1000);
    return harness.ask('history.again', { id });
  };

  it.each([
    ['an agent', check],
    ['a bulk check', bulkCheck],
  ])(
    'is checked again by its entry for seven days, stored by %s, and stands nowhere in clear',
    async (_name, ask) => {
      await ask(supported);
      const [entry] = await entries(1);
      expect(entry?.sealed).toBeDefined();
      expect(JSON.stringify(entry)).not.toContain(supported);
      expect(await again()).toMatchObject(succeed({ code: supported, cached: false }));
      expect(await entries(2)).toMatchObject([{ answer: { kind: 'purchase' } }, { id: entry?.id }]);
    },
  );

  it('is masked for good after that, and no entry is lost', async () => {
    await bulkCheck(supported);
    harness.pass(6 * dayMs);
    await harness.start();
    expect((await entries(1))[0]?.sealed).toBeDefined();
    harness.pass(dayMs + 1000);
    await harness.start();
    const [entry] = await entries(1);
    expect(entry).toMatchObject({ code: masked(supported) });
    expect(entry).not.toHaveProperty('sealed');
    expect(await again()).toEqual(fail({ kind: 'masked' }));
  });

  it('is masked twice in one millisecond, and after the clock was set back', async () => {
    await check(supported);
    expect((await entries(1))[0]).toHaveProperty('sealed');
    const after = Date.now() + 2000;
    await harness.history.mask(after);
    await harness.history.mask(after);
    await harness.history.mask(after - dayMs);
    expect((await entries(1))[0]).not.toHaveProperty('sealed');
    await check(lapsed);
    expect((await entries(2))[0]).toHaveProperty('sealed');
    await harness.history.mask(after + dayMs);
    expect((await entries(2))[0]).not.toHaveProperty('sealed');
  });

  it('is masked at once where the agent wants that', async () => {
    await change({ wholeDays: 0 });
    await check(supported);
    expect((await entries(1))[0]).not.toHaveProperty('sealed');
    expect(await again()).toEqual(fail({ kind: 'masked' }));
  });

  it('waits for the keys to be unlocked, and is lost where they are stored otherwise', async () => {
    const passphrase = 'correct horse battery';
    await harness.ask('secrets.set-mode', { mode: 'passphrase', passphrase });
    await check(supported);
    await entries(1);
    await harness.ask('secrets.lock', {});
    expect(await again()).toEqual(fail({ kind: 'locked' }));
    await harness.ask('secrets.unlock', { passphrase });
    expect(await again()).toMatchObject({ ok: true });
    const id = (await entries(2)).at(-1)?.id ?? 0;
    await harness.ask('secrets.set-mode', { mode: 'device', passphrase });
    expect(await harness.ask('history.again', { id })).toEqual(fail({ kind: 'masked' }));
  });

  it('is checked again as it stands where the agent keeps codes whole', async () => {
    await change({ codes: 'whole' });
    await check(supported);
    expect(await again()).toMatchObject(succeed({ code: supported }));
  });

  it('cannot be checked again once its entry is gone', async () => {
    expect(await harness.ask('history.again', { id: 99 })).toEqual(fail({ kind: 'gone' }));
  });
});

describe('what a connection answered last', () => {
  it('stands beside a fault that passes, with its moment', async () => {
    const { checkedAt } = await check(supported);
    await entries(1);
    await harness.injectFault({ fault: 'truncated', base: '/market', times: 9 });
    const report = await check(supported);
    expect(report).toMatchObject({
      outcome: { ok: false },
      lastKnown: { checkedAt, answer: { kind: 'purchase' } },
    });
    expect(await check(lapsed)).not.toHaveProperty('lastKnown');
  });

  it('is not told once the keys are locked, or where another connection gave it', async () => {
    await check(supported);
    await entries(1);
    const { id: other } = await harness.connect('/demo');
    await harness.injectFault({ fault: 'truncated', base: '/demo', times: 9 });
    expect(await check(supported, undefined, other)).not.toHaveProperty('lastKnown');
    await harness.ask('secrets.set-mode', { mode: 'passphrase', passphrase: 'correct horse' });
    await harness.ask('secrets.lock', {});
    const report = await check(supported);
    expect(report).toMatchObject({ outcome: fail({ kind: 'locked' }) });
    expect(report).not.toHaveProperty('lastKnown');
  });
});

describe('what a bulk check leaves in the history', () => {
  it('is the code as the agent wants it', async () => {
    await bulkCheck(supported);
    await change({ codes: 'whole' });
    await bulkCheck(lapsed);
    expect((await entries(2)).map(({ code, by }) => [code, by])).toEqual([
      [lapsed, 'bulk'],
      [masked(supported), 'bulk'],
    ]);
  });

  it('is nothing while the history is off', async () => {
    await change({ days: 0 });
    await bulkCheck(supported);
    expect(await harness.history.latest(9)).toEqual([]);
  });
});

describe('the ticket that a check was asked from', () => {
  const [first, second] = ['https://desk.example/1', 'https://desk.example/2'];

  it('is not stored, and no other is named, unless the agent allows it', async () => {
    await check(supported, first);
    expect((await entries(1))[0]).not.toHaveProperty('ticket');
    await change({ tickets: true });
    await check(supported, first);
    await check(supported);
    const [latest, before] = await entries(3);
    expect(before).toMatchObject({ ticket: first });
    expect(latest).not.toHaveProperty('ticket');
    await change({ tickets: false });
    expect(await check(supported, second)).toMatchObject({ earlier: { tickets: [] } });
  });

  it('is stored with a check that was asked for by an entry', async () => {
    await change({ tickets: true });
    await check(supported);
    const [{ id } = { id: 0 }] = await entries(1);
    harness.pass(1000);
    await harness.ask('history.again', { id, ticket: first });
    expect((await entries(2))[0]).toMatchObject({ ticket: first });
    harness.pass(1000);
    await harness.ask('history.again', { id });
    expect((await entries(3))[0]).not.toHaveProperty('ticket');
  });

  it('is named to whoever meets the code in another one, the latest first, each once', async () => {
    await change({ tickets: true });
    await check(supported, first);
    await check(supported, second);
    await check(supported, first);
    await check(supported);
    await check(lapsed, 'https://desk.example/9');
    await entries(5);
    expect((await check(supported, 'https://desk.example/3')).earlier?.tickets).toEqual([
      first,
      second,
    ]);
    expect((await check(supported, first)).earlier?.tickets).toEqual([
      'https://desk.example/3',
      second,
    ]);
  });
});

describe('the answer before', () => {
  it('is the last one of this connection, never that of another', async () => {
    const { id: other } = await harness.connect('/market', { name: 'Other' });
    const before = await check(supported);
    const elsewhere = await check(supported, undefined, other);
    expect(elsewhere).not.toHaveProperty('earlier');
    await entries(2);
    expect((await check(supported)).earlier).toMatchObject({
      checkedAt: before.checkedAt,
      sameSpelling: true,
    });
  });

  it('about another spelling of a code that was found is not about the same', async () => {
    await check(supported);
    await entries(1);
    expect(await check(supported.toUpperCase())).toMatchObject({
      earlier: { sameSpelling: false },
    });
  });
});

describe('the entries of a connection', () => {
  const undoMs = 30_000;

  it.each([
    [true, 0],
    [false, 1],
  ])('go with it for good where the agent wants that: %s', async (goesWithConnection, left) => {
    await change({ goesWithConnection });
    await check(supported);
    await entries(1);
    await harness.ask('connections.delete', { id: connectionId });
    await entries(1);
    harness.pass(undoMs);
    await harness.runAlarms();
    expect(await harness.history.latest(9)).toHaveLength(left);
  });
});

it('entries older than the agent allows are removed when the worker starts', async () => {
  await check(supported);
  const [entry] = await entries(1);
  if (entry === undefined) throw new Error('There is no entry.');
  const { id, ...copy } = entry;
  const ago = (days: number) => ({ ...copy, checkedAt: entry.checkedAt - days * dayMs });
  await harness.history.add([ago(29), ago(31)]);
  await harness.restart();
  expect(await entries(2)).toMatchObject([{ id }, { checkedAt: ago(29).checkedAt }]);
});

it('an entry that was stored while the history was switched off is removed when the worker starts', async () => {
  await check(supported);
  await entries(1);
  await change({ days: 0 });
  await harness.restart();
  expect(await harness.history.latest(9)).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { deriveInOneRound } from '#tests/support/one-round';
import { rowsFor } from '#core/jobs/index';

const { supported, unknown } = sampleCodes('/market');
const passphrase = 'seven grey herons';
const locked = { ok: false, fault: { kind: 'locked' } };

deriveInOneRound();

let harness: WorkerHarness;
let id: string;
beforeEach(async () => {
  harness = await createWorkerHarness();
  ({ id } = await harness.connect('/market'));
  await harness.ask('secrets.set-mode', { mode: 'passphrase', passphrase });
  await harness.requests();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await harness.close();
});

const check = (code = supported, connectionId = id) =>
  harness.ask('check', { connectionId, code, fresh: false });
const lock = (): Promise<unknown> => harness.ask('secrets.lock', {});
const unlock = (): Promise<unknown> => harness.ask('secrets.unlock', { passphrase });

/** Does something while the answers to requests are on their way. */
function duringAnswers(path: string, action: () => Promise<unknown>): void {
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const reply = await fetch(input, init);
    if (address.includes(path)) await action();
    return reply;
  });
}

/** Locks while a value is being written to session storage. */
function lockDuringWrite(kind: string, revision = 1, turn = 1): void {
  const { session } = harness;
  const set = session.set.bind(session);
  let left = turn;
  vi.spyOn(session, 'set').mockImplementation(async (items) => {
    if (
      Object.keys(items).some(
        (key) => key.startsWith(`cache:["${kind}"`) && key.includes(`",${String(revision)}`),
      )
    ) {
      left -= 1;
      if (left === 0) await lock();
    }
    await set(items);
  });
}

/** Locks while a value is being read from session storage. */
function lockDuringRead(kind: string): void {
  const { session } = harness;
  const get = session.get.bind(session);
  vi.spyOn(session, 'get').mockImplementation(async (keys) => {
    if (typeof keys === 'string' && keys.startsWith(`cache:["${kind}"`)) await lock();
    return get(keys);
  });
}

/** @param known the kinds of records that were there before the lock and stay */
async function expectNothingKept(...known: string[]): Promise<void> {
  const stored = JSON.parse(harness.session.dump()) as [key: string, value: string][];
  const kinds = stored.map(([key]) => /^cache:\["(\w+)"/u.exec(key)?.[1] ?? key);
  expect(kinds).toEqual(known);
  expect(await harness.history.latest(10)).toEqual([]);
}

describe('a check that is overtaken by a lock', () => {
  it.each([
    ['by hand', lock],
    [
      'by the timer',
      async () => {
        harness.pass(15 * 60_000);
        await harness.runAlarms();
      },
    ],
    ['because the keys were thrown away', () => harness.ask('secrets.reset', {})],
  ])('%s says so, and nothing of its answer is kept', async (_, action) => {
    duringAnswers('/purchases/validation', action);
    expect((await check()).outcome).toEqual(locked);
    await expectNothingKept();
    expect(await harness.ask('connections.list', {})).toMatchObject([
      { revision: 1, dialect: { proven: false } },
    ]);
  });

  it('stops asking with the key', async () => {
    duringAnswers('/purchases/validation', lock);
    expect((await check(unknown)).outcome).toEqual(locked);
    expect(await harness.requests()).toHaveLength(1);
  });

  it('asks nothing when the lock comes before the request', async () => {
    lockDuringRead('reply');
    expect((await check()).outcome).toEqual(locked);
    expect(await harness.requests()).toEqual([]);
    await expectNothingKept();
  });

  it('keeps no pace of a request that left while the lock came', async () => {
    lockDuringWrite('pace', 0);
    expect((await check()).outcome).toEqual(locked);
    await expectNothingKept();
  });

  it.each([
    ['the account check', '/market', unknown, 'account', 1, 1],
    ['the pace after the first success', '/dialect/json-only', supported, 'pace', 0, 4],
    ['the account check after the first success', '/dialect/json-only', supported, 'account', 2, 1],
  ] as const)(
    'leaves nothing of %s that is being written',
    async (_, base, code, kind, revision, turn) => {
      const { id: other } = await harness.connect(base);
      lockDuringWrite(kind, revision, turn);
      expect((await check(code, other)).outcome).toEqual(locked);
      await expectNothingKept();
    },
  );

  it('leaves nothing of the reply, which nobody waits for', async () => {
    lockDuringWrite('reply', 2);
    await check();
    await expect.poll(() => harness.session.dump()).toBe('[]');
  });

  it('leaves nothing of the wait that the server asked for', async () => {
    const command = { base: '/market', fault: 'busy-503', retryAfter: 30, times: 3 } as const;
    await harness.injectFault(command);
    lockDuringWrite('pace', 0, 2);
    expect((await check()).outcome).toEqual(locked);
    await expectNothingKept();
  });

  it('is not written to the history, however late the lock comes', async () => {
    const lookUp = harness.history.lookUp.bind(harness.history);
    vi.spyOn(harness.history, 'lookUp').mockImplementation(async (...wanted) => {
      const known = await lookUp(...wanted);
      await lock();
      return known;
    });
    expect((await check()).outcome).toEqual(locked);
    await expectNothingKept();
  });

  it('is joined by no check after the next unlock', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let answers = 0;
    duringAnswers('/purchases/validation', () => {
      answers += 1;
      return answers === 1 ? released : Promise.resolve();
    });
    const first = check();
    await expect.poll(() => answers).toBe(1);
    await lock();
    await unlock();
    const second = check();
    await expect.poll(() => answers).toBe(2);
    release();
    expect((await first).outcome).toEqual(locked);
    expect((await second).outcome).toMatchObject({ ok: true });
  });

  it('is not overtaken where no passphrase locks anything', async () => {
    await harness.ask('secrets.set-mode', { mode: 'device', passphrase });
    duringAnswers('/purchases/validation', lock);
    expect((await check()).outcome).toMatchObject({ ok: true });
  });
});

describe('other questions that are overtaken by a lock', () => {
  it('test no connection and detect no dialect', async () => {
    duringAnswers('/api/', lock);
    expect(await harness.ask('connections.test', { id })).toEqual(locked);
    await unlock();
    expect(await harness.ask('connections.detect', { id, code: supported })).toEqual(locked);
    await expectNothingKept();
  });

  it('keep no items', async () => {
    duringAnswers('/api/items/', lock);
    expect(await harness.ask('items.all', { connectionId: id })).toEqual(locked);
    await unlock();
    expect(await harness.ask('items.item', { connectionId: id, itemId: 101 })).toEqual(locked);
    expect((await harness.items.read(id)).items).toEqual([]);
    await expectNothingKept();
  });

  it('leave the rows of a bulk check waiting, and pause it', async () => {
    const jobId = crypto.randomUUID();
    const rows = rowsFor(jobId, [{ code: supported, line: 1, times: 1 }], [id]);
    const job = {
      id: jobId,
      name: '',
      createdAt: 1,
      connectionIds: [id],
      state: 'running',
    } as const;
    await harness.jobs.add(job, rows);
    duringAnswers('/purchases/validation', lock);
    await harness.ask('bulk.drive', {});
    expect(await harness.jobs.job(jobId)).toMatchObject({
      state: 'paused',
      pausedBy: { kind: 'fault', fault: { kind: 'locked' } },
    });
    expect((await harness.jobs.rows(jobId))[0]).not.toHaveProperty('outcome');
    // The check of the key came before.
    await expectNothingKept('account');
  });

  it('end no bulk check whose not-founds wait for its key, and the next unlock lets it go on', async () => {
    const dialect = { ...defaultDialect, proven: true };
    const market = await harness.connect('/market', { dialect });
    const jobId = crypto.randomUUID();
    const rows = rowsFor(jobId, [{ code: unknown, line: 1, times: 1 }], [market.id]);
    const job = { id: jobId, name: '', createdAt: 1, connectionIds: [market.id] };
    await harness.jobs.add({ ...job, state: 'running' }, rows);
    await harness.ask('connections.test', { id: market.id });
    const busy = { fault: 'too-many-429', endpoint: 'account', retryAfter: 60 } as const;
    await harness.injectFault({ base: '/market', ...busy, times: 9 });
    await harness.ask('bulk.drive', {});
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'running' });
    await harness.clearFaults();
    await lock();
    harness.pass(61_000);
    await harness.ask('bulk.drive', {});
    expect(await harness.jobs.job(jobId)).toMatchObject({
      state: 'paused',
      pausedBy: { fault: { kind: 'locked' } },
    });
    await unlock();
    await harness.ask('bulk.set', { jobId, to: 'running' });
    await harness.ask('bulk.drive', {});
    expect(await harness.jobs.job(jobId)).toMatchObject({ state: 'done' });
    expect(await harness.history.latest(1)).toMatchObject([{ question: jobId }]);
  });

  it('lend no verdict from before the lock to a chip', async () => {
    const { id: other } = await harness.connect('/demo', { dialect: defaultDialect });
    const origin = 'http://localhost:4000';
    await harness.ask('sites.allow', { origin });
    const asker = { name: 'ticket-script', origin, tabId: 1, windowId: 1, frameId: 0 } as const;
    await harness.ask('ticket.open', { code: supported }, crypto.randomUUID(), asker);
    await check();
    await expect
      .poll(() => harness.ticket.sent.at(-1))
      .toMatchObject({ message: { chip: { label: 'chip_supported' } } });
    const sent = harness.ticket.sent.length;
    await lock();
    await check(supported, other);
    expect(harness.ticket.sent).toHaveLength(sent);
    await check();
    await expect
      .poll(() => harness.ticket.sent.at(-1))
      .toMatchObject({ message: { chip: { label: 'chip_locked' } } });
  });
});

import { DatabaseSync } from 'node:sqlite';

import { beforeEach, describe, expect, test } from 'vitest';

import { inTurns } from '#relay/store/sqlite/disk-sync';
import { createWriteQueue, type WriteQueue } from '#relay/store/sqlite/write-queue';

/** Syncs that the test lets end, in their order. */
let syncs: ((error: Error | null) => void)[];
let database: DatabaseSync;
let queue: WriteQueue;

beforeEach(() => {
  syncs = [];
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE thing (id TEXT PRIMARY KEY)');
  const onDisk = inTurns((done) => syncs.push(done));
  queue = createWriteQueue(database, onDisk);
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await turn();
};
const add = (id: string): Promise<string> =>
  queue.write(() => {
    database.prepare('INSERT INTO thing VALUES (?)').run(id);
    return id;
  });
const stored = (): unknown[] =>
  database
    .prepare('SELECT id FROM thing')
    .all()
    .map(({ id }) => id);

/** Tells how a promise stands. */
function follow(promise: Promise<unknown>): () => string {
  let state = 'pending';
  promise.then(
    () => (state = 'done'),
    () => (state = 'rejected'),
  );
  return () => state;
}

describe('a write', () => {
  test('is committed at once, and counts when it is on the disk', async () => {
    const state = follow(add('one'));
    await turns();
    expect([stored(), state(), syncs.length]).toEqual([['one'], 'pending', 1]);
    syncs[0]?.(null);
    await turns();
    expect(state()).toBe('done');
  });

  test('that comes while another is being synced waits for a sync of its own', async () => {
    const first = follow(add('one'));
    await turns();
    const later = [follow(add('two')), follow(add('three'))];
    await turns();
    expect([stored().length, syncs.length]).toEqual([3, 1]);
    syncs[0]?.(null);
    await turns();
    expect([first(), ...later.map((state) => state()), syncs.length]).toEqual([
      'done',
      'pending',
      'pending',
      2,
    ]);
    syncs[1]?.(null);
    await turns();
    expect(later.map((state) => state())).toEqual(['done', 'done']);
  });

  test('is rejected when it cannot be brought to the disk, and the next one is tried', async () => {
    const failed = follow(add('one'));
    await turns();
    const next = follow(add('two'));
    await turns();
    syncs[0]?.(new Error('EIO'));
    await turns();
    expect([failed(), next()]).toEqual(['rejected', 'pending']);
    syncs[1]?.(null);
    await turns();
    expect(next()).toBe('done');
  });

  test('that fails is undone alone', async () => {
    const states = [follow(add('one')), follow(add('one')), follow(add('two'))];
    await turns();
    syncs[0]?.(null);
    await turns();
    expect(states.map((state) => state())).toEqual(['done', 'rejected', 'done']);
    expect(stored()).toEqual(['one', 'two']);
  });

  test('that finds no room says so, and the next one is tried', async () => {
    await Promise.all([add('one'), turns().then(() => syncs[0]?.(null))]);
    const [pages] = Object.values(database.prepare('PRAGMA page_count').get() ?? {});
    database.exec(`PRAGMA max_page_count = ${String(pages)}`);
    const texts = ['x'.repeat(9_000), 'y'.repeat(9_000)];
    const failed = texts.map((text) => add(text).catch((error: unknown) => error));
    expect(await Promise.all(failed)).toMatchObject([{ name: 'DiskFull' }, { name: 'DiskFull' }]);
    const next = add('two');
    await turns();
    syncs[1]?.(null);
    expect([await next, stored()]).toEqual(['two', ['one', 'two']]);
  });

  test('that changes nothing waits for no disk', async () => {
    expect(await queue.write(() => stored().length)).toBe(0);
    expect(syncs).toEqual([]);
  });
});

describe('what holds the lock alone', () => {
  test('comes before the writes of its group, and waits for no disk', async () => {
    const seen: unknown[] = [];
    const writing = add('one');
    await queue.hold(() => seen.push(...stored(), database.isTransaction));
    expect([seen, stored(), syncs.length]).toEqual([[true], ['one'], 1]);
    syncs[0]?.(null);
    await writing;
  });

  test('is done also when the transaction that it shares fails, or another of its kind', async () => {
    const held = [
      queue.hold(() => {
        throw new Error('not this');
      }),
      queue.hold(() => 'this'),
    ];
    const writing = queue.write(() => {
      // As SQLite may by itself for want of room.
      database.exec('ROLLBACK');
      throw new Error('nor this');
    });
    const results = await Promise.allSettled([...held, writing]);
    expect(results).toMatchObject([
      { reason: { message: 'not this' } },
      { value: 'this' },
      { reason: { message: 'nor this' } },
    ]);
    expect(database.isTransaction).toBe(false);
  });
});

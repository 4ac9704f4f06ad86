import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fail, succeed } from '#core/result';
import { useConnections } from '#stores/connections/connections';
import { connection, demo, now } from '#tests/stores/check/samples';
import { type Script, scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

const third = connection({ id: 'third', name: 'Third' });
const script: Script = {
  'connections.list': () => [connection(), demo, third],
  'connections.reorder': ({ ids }) =>
    ids.map((id) => [connection(), demo, third].find((each) => each.id === id) ?? third),
  'connections.delete': () => ({ undoUntil: now + 10_000 }),
  'connections.restore': () => succeed(demo),
};

async function opened(changes: Script = {}, access?: (baseAddress: string) => Promise<boolean>) {
  const worker = scriptedWorker({ ...script, ...changes });
  const connections = useConnections(
    withPorts({ ask: worker.ask, ...(access === undefined ? {} : { access }) }),
  );
  await connections.load();
  return { connections, worker, ids: () => connections.list?.map(({ id }) => id) };
}

beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

test('one moves by a place, and all ids are told in their new order', async () => {
  const { connections, worker, ids } = await opened();
  await connections.move('demo', -1);
  expect(ids()).toEqual(['demo', 'market', 'third']);
  expect(worker.bodies('connections.reorder')).toEqual([{ ids: ['demo', 'market', 'third'] }]);
});

test('beyond either end nothing moves', async () => {
  const { connections, worker, ids } = await opened();
  await connections.move('market', -1);
  await connections.move('third', 1);
  expect(ids()).toEqual(['market', 'demo', 'third']);
  expect(worker.bodies('connections.reorder')).toEqual([]);
});

test('a deletion can be taken back', async () => {
  const { connections, worker, ids } = await opened();
  await connections.remove('demo');
  expect(ids()).toEqual(['market', 'third']);
  expect(connections.deleted).toMatchObject({ id: 'demo', name: 'Demo' });
  await connections.undoRemove();
  expect(worker.bodies('connections.restore')).toEqual([{ id: 'demo' }]);
  expect(ids()).toEqual(['market', 'demo', 'third']);
  expect(connections.deleted).toBeUndefined();
});

test('the offer to take it back ends when the worker says so', async () => {
  const { connections } = await opened();
  await connections.remove('demo');
  await vi.advanceTimersByTimeAsync(9999);
  expect(connections.deleted).toBeDefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(connections.deleted).toBeUndefined();
});

test('the browser is asked in the task of the click', async () => {
  const asked: string[] = [];
  const { connections } = await opened({}, (baseAddress) => {
    asked.push(baseAddress);
    return Promise.resolve(true);
  });
  void connections.allow('demo');
  expect(asked).toEqual(['https://demo.test']);
});

test('a cure that failed says why', async () => {
  const { connections } = await opened({
    'connections.plain-user-agent': () => fail({ kind: 'not-permitted', origin: 'x' }),
  });
  expect(await connections.setPlainUserAgent('demo', true)).toBe(false);
  expect(connections.faults.get('demo')).toEqual({ kind: 'not-permitted', origin: 'x' });
});

test('a cure that is in force shows on its connection', async () => {
  const cured = { ...demo, dialect: { ...demo.dialect, plainUserAgent: true } };
  const { connections } = await opened({ 'connections.plain-user-agent': () => succeed(cured) });
  expect(await connections.setPlainUserAgent('demo', true)).toBe(true);
  expect(connections.find('demo')?.dialect.plainUserAgent).toBe(true);
});

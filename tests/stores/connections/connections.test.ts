import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fail, succeed } from '#core/result';
import { useConnections } from '#stores/connections/connections';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { connection, demo, now } from '#tests/stores/check/samples';
import { type Script, scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

const third = connection({ id: 'third', name: 'Third' });
const script: Script = {
  'connections.list': () => [connection(), demo, third],
  'connections.reorder': ({ ids }) =>
    succeed(ids.map((id) => [connection(), demo, third].find((each) => each.id === id) ?? third)),
  'connections.delete': () => succeed({ undoUntil: now + 10_000 }),
  'connections.restore': () => succeed(demo),
};

async function opened(changes: Script = {}, access?: (baseAddress: string) => Promise<boolean>) {
  const worker = scriptedWorker({ ...script, ...changes });
  const pinia = withPorts({ ask: worker.ask, ...(access === undefined ? {} : { access }) });
  const connections = useConnections(pinia);
  await connections.load();
  return {
    connections,
    undo: useUndoOffer(pinia),
    worker,
    ids: () => connections.list?.map(({ id }) => id),
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a move by one place sends all ids in their new order', async () => {
  const { connections, worker, ids } = await opened();
  await connections.move('demo', -1);
  expect(ids()).toEqual(['demo', 'market', 'third']);
  expect(worker.bodies('connections.reorder')).toEqual([{ ids: ['demo', 'market', 'third'] }]);
});

test('a move that was not stored is taken back, and the fault says why', async () => {
  const full = fail({ kind: 'storage-full' } as const);
  const { connections, ids } = await opened({ 'connections.reorder': () => full });
  await connections.move('demo', -1);
  expect(ids()).toEqual(['market', 'demo', 'third']);
  expect(connections.fault).toEqual({ kind: 'storage-full' });
});

test('a deletion that was not stored leaves its entry, and offers no undo', async () => {
  const full = fail({ kind: 'storage-full' } as const);
  const { connections, undo, ids } = await opened({ 'connections.delete': () => full });
  await connections.remove('demo');
  expect(ids()).toEqual(['market', 'demo', 'third']);
  expect(undo.offer).toBeUndefined();
  expect(connections.fault).toEqual({ kind: 'storage-full' });
});

test('beyond either end nothing moves', async () => {
  const { connections, worker, ids } = await opened();
  await connections.move('market', -1);
  await connections.move('third', 1);
  expect(ids()).toEqual(['market', 'demo', 'third']);
  expect(worker.bodies('connections.reorder')).toEqual([]);
});

test('a deletion is undone by the worker', async () => {
  const { connections, undo, worker, ids } = await opened();
  await connections.remove('demo');
  expect(ids()).toEqual(['market', 'third']);
  expect(undo.offer).toMatchObject({ list: 'connections', id: 'demo', name: 'Demo' });
  expect(await undo.accept()).toBe('demo');
  expect(worker.bodies('connections.restore')).toEqual([{ id: 'demo' }]);
  expect(ids()).toEqual(['market', 'demo', 'third']);
});

test('an undo that the worker refuses is reported', async () => {
  const { connections, undo } = await opened({
    'connections.restore': () => fail({ kind: 'no-connection' }),
  });
  await connections.remove('demo');
  expect(await undo.accept()).toBeUndefined();
  expect(undo.offer).toEqual({
    list: 'connections',
    id: 'demo',
    name: 'Demo',
    fault: { kind: 'no-connection' },
  });
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

test('a plain User-Agent that could not be set says why', async () => {
  const { connections } = await opened({
    'connections.plain-user-agent': () => fail({ kind: 'not-permitted', origin: 'x' }),
  });
  expect(await connections.setPlainUserAgent('demo', true)).toBe(false);
  expect(connections.faults.get('demo')).toEqual({ kind: 'not-permitted', origin: 'x' });
});

test('a plain User-Agent that was set shows on its connection', async () => {
  const changed = { ...demo, dialect: { ...demo.dialect, plainUserAgent: true } };
  const { connections } = await opened({ 'connections.plain-user-agent': () => succeed(changed) });
  expect(await connections.setPlainUserAgent('demo', true)).toBe(true);
  expect(connections.find('demo')?.dialect.plainUserAgent).toBe(true);
});

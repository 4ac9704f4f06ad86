import { createApp } from 'vue';
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fail, type Result, succeed } from '#core/result';
import { accessPort, clockPort } from '#stores/ports';
import { type EditableList, useEditableList } from '#stores/ui/editable-list';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { createHeldAnswers, type HeldAnswers } from '#tests/stores/held-answers';

interface Entry {
  readonly id: string;
  readonly name: string;
}
const [one, two, three]: readonly [Entry, Entry, Entry] = [
  { id: '1', name: 'One' },
  { id: '2', name: 'Two' },
  { id: '3', name: 'Three' },
];

const now = 1_000_000;
let answers: HeldAnswers;
let stored: Entry[];
let entries: EditableList<Entry>;
let undo: ReturnType<typeof useUndoOffer>;
let restoring: Result<undefined, { kind: string }>;

beforeEach(() => {
  vi.useFakeTimers({ now });
  answers = createHeldAnswers();
  stored = [one, two, three];
  restoring = succeed(undefined);
  const app = createApp({})
    .use(createPinia())
    .provide(clockPort, () => Date.now())
    .provide(accessPort, () => Promise.resolve(true));
  app.runWithContext(() => {
    undo = useUndoOffer();
    entries = useEditableList<Entry>({
      name: 'connections',
      idOf: ({ id }) => id,
      nameOf: ({ name }) => name,
      addressOf: ({ id }) => `https://${id}.test`,
      load: () => answers.hold([...stored]),
      remove: ({ id }) => {
        stored = stored.filter((entry) => entry.id !== id);
        return Promise.resolve({ undoUntil: Date.now() + 10_000 });
      },
      restore: (entry) => {
        if (restoring.ok) stored = [...stored, entry];
        return Promise.resolve(restoring);
      },
    });
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const ids = (): string | undefined => entries.list.value?.map(({ id }) => id).join('');

async function loaded(): Promise<void> {
  const load = entries.load();
  await answers.release();
  await load;
}

test('the slower of two loads never replaces the newer one', async () => {
  void entries.load();
  stored = [one];
  void entries.load();
  await answers.release(1);
  await answers.release();
  expect(ids()).toBe('1');
});

test('a load from before a deletion does not bring the entry back', async () => {
  await loaded();
  void entries.load();
  await entries.remove('2');
  await answers.release();
  expect(ids()).toBe('13');
});

test('a load from before a save does not bring the old entry back', async () => {
  await loaded();
  void entries.load();
  entries.put({ id: '2', name: 'Renamed' });
  await answers.release();
  expect(entries.find('2')?.name).toBe('Renamed');
});

test('an entry that is saved before the first answer does not stand for the whole list', async () => {
  const load = entries.load();
  entries.put(one);
  expect(entries.list.value).toBeUndefined();
  await answers.release();
  await load;
  expect(ids()).toBe('123');
});

test('a saved entry replaces its former self in place, and a new one comes last', async () => {
  await loaded();
  entries.put({ id: '2', name: 'Renamed' });
  entries.put({ id: '4', name: 'Four' });
  expect(ids()).toBe('1234');
});

test('the answer to the first of two moves does not undo the second', async () => {
  await loaded();
  const reorder = (wanted: string[]): Promise<Entry[]> =>
    answers.hold(wanted.map((id) => [one, two, three].find((entry) => entry.id === id) ?? one));
  void entries.move('1', 1, reorder);
  void entries.move('1', 1, reorder);
  expect(ids()).toBe('231');
  await answers.release();
  expect(ids()).toBe('231');
});

test('a deletion is undone within its time', async () => {
  await loaded();
  await entries.remove('2');
  expect(undo.offer).toMatchObject({ list: 'connections', id: '2', name: 'Two' });
  const accepted = undo.accept();
  expect(undo.offer).toBeUndefined();
  await vi.advanceTimersByTimeAsync(0);
  await answers.release();
  expect(await accepted).toBe('2');
  expect(ids()).toBe('132');
});

test('the offer ends when the deletion becomes final', async () => {
  await loaded();
  await entries.remove('2');
  await vi.advanceTimersByTimeAsync(9999);
  expect(undo.offer).toMatchObject({ list: 'connections', id: '2', name: 'Two' });
  await vi.advanceTimersByTimeAsync(1);
  expect(undo.offer).toBeUndefined();
});

test('an offer is replaced by the next, and then lasts as long as that one', async () => {
  await loaded();
  await entries.remove('1');
  await vi.advanceTimersByTimeAsync(5000);
  await entries.remove('2');
  await vi.advanceTimersByTimeAsync(6000);
  expect(undo.offer?.id).toBe('2');
});

test('an undo that fails is reported for a while, and cannot be tried again', async () => {
  await loaded();
  await entries.remove('2');
  restoring = fail({ kind: 'no-connection' });
  const accepted = undo.accept();
  await vi.advanceTimersByTimeAsync(0);
  await answers.release();
  expect(await accepted).toBeUndefined();
  expect(undo.offer).toEqual({
    list: 'connections',
    id: '2',
    name: 'Two',
    fault: { kind: 'no-connection' },
  });
  expect(await undo.accept()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(undo.offer).toBeUndefined();
});

test('an undo that met a full disk says so, and can be tried again', async () => {
  await loaded();
  await entries.remove('2');
  restoring = fail({ kind: 'storage-full' });
  const accepted = undo.accept();
  await vi.advanceTimersByTimeAsync(0);
  await answers.release();
  expect(await accepted).toBeUndefined();
  expect(undo.offer?.fault).toEqual({ kind: 'storage-full' });
  restoring = succeed(undefined);
  const again = undo.accept();
  await vi.advanceTimersByTimeAsync(0);
  await answers.release();
  expect(await again).toBe('2');
});

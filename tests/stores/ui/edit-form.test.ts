import { createPinia } from 'pinia';
import { createApp, reactive } from 'vue';
import { beforeEach, expect, test } from 'vitest';

import { fail, succeed, type Result } from '#core/result';
import { accessPort } from '#stores/ports';
import { type EditForm, useEditForm } from '#stores/ui/edit-form';
import { createHeldAnswers, type HeldAnswers, settled } from '#tests/stores/held-answers';

interface Entry {
  readonly id: string;
  readonly name: string;
}
interface Draft {
  readonly id?: string;
  readonly name: string;
}
interface Fault {
  readonly kind: 'full' | 'unfinished';
}
interface Form extends EditForm<Entry, 'name', Fault> {
  readonly typed: { name: string };
}

let answers: HeldAnswers;
let events: string[];
let outcome: (draft: Draft) => Result<Entry, Fault>;
let unfinished: Fault | undefined;
/** The entry whose form stood in its place while the save was finished. */
let heldId: string | undefined;
let form: Form;
let other: Form;
let put: Entry[];

beforeEach(() => {
  answers = createHeldAnswers();
  events = [];
  put = [];
  unfinished = heldId = undefined;
  outcome = ({ id, name }) => succeed({ id: id ?? 'new', name });
  const app = createApp({})
    .use(createPinia())
    .provide(accessPort, (address) => {
      events.push(`access to ${address}`);
      return Promise.resolve(true);
    });
  const createForm = (): Form => {
    const typed = reactive({ name: '' });
    const made: EditForm<Entry, 'name', Fault> = useEditForm({
      list: {
        find: (id) => put.find((entry) => entry.id === id),
        put: (entry: Entry) => put.push(entry),
        load: () => Promise.resolve(),
      },
      typed,
      blank: (entry?: Entry) => ({ name: entry?.name ?? '' }),
      findProblems: (): ReadonlySet<'name'> => new Set(typed.name === '' ? ['name'] : []),
      draft: (): Draft => ({
        ...(made.editing.value === undefined ? {} : { id: made.editing.value.id }),
        name: typed.name,
      }),
      addressOf: ({ name }: Draft) => name,
      send: (draft: Draft): Promise<Result<Entry, Fault>> => {
        events.push(`send ${draft.name}`);
        return answers.hold(outcome(draft));
      },
      prepareFinish: () => {
        const { name } = typed;
        return () => {
          events.push(`finish ${name}`);
          heldId = form.heldId.value;
          return Promise.resolve(unfinished);
        };
      },
    });
    return { ...made, typed };
  };
  app.runWithContext(() => {
    form = createForm();
    other = createForm();
  });
});

test('the draft is sent before the browser is asked, both in one task', () => {
  form.start();
  form.typed.name = 'a';
  void form.save();
  expect(events).toEqual(['send a', 'access to a']);
});

test('a saved form is closed, blank, and names what was saved', async () => {
  form.start();
  form.typed.name = 'a';
  const saved = form.save();
  expect(form.saving.value).toBe(true);
  await answers.release();
  expect(await saved).toEqual({ id: 'new', name: 'a' });
  expect(form.open.value).toBeUndefined();
  expect(form.savedId.value).toBe('new');
  expect(form.saving.value).toBe(false);
  expect(form.typed.name).toBe('');
});

test('nothing is sent while a field is wrong, or twice', async () => {
  form.start();
  expect(await form.save()).toBeUndefined();
  expect(form.tried.value).toBe(true);
  form.typed.name = 'a';
  void form.save();
  expect(await form.save()).toBeUndefined();
  expect(events).toEqual(['send a', 'access to a']);
});

test('a refusal keeps the form open with its fault', async () => {
  outcome = () => fail({ kind: 'full' });
  form.start();
  form.typed.name = 'a';
  void form.save();
  await answers.release();
  expect(form.fault.value).toEqual({ kind: 'full' });
  expect(form.typed.name).toBe('a');
  expect(form.saving.value).toBe(false);
  expect(put).toEqual([]);
});

test('what cannot be finished keeps the form open, on the entry that now exists', async () => {
  unfinished = { kind: 'unfinished' };
  form.start();
  form.typed.name = 'a';
  void form.save();
  await answers.release();
  expect(heldId).toBe('new');
  expect(form.open.value).toEqual({ id: 'new' });
  expect(form.fault.value).toEqual({ kind: 'unfinished' });
  expect(form.saving.value).toBe(false);
  expect(form.heldId.value).toBeUndefined();
});

test('a slow save does not close the form that was opened meanwhile', async () => {
  form.start();
  form.typed.name = 'first';
  void form.save();
  form.start({ id: '2', name: 'second' });
  expect(form.saving.value).toBe(false);
  await answers.release();
  expect(form.open.value).toEqual({ id: '2' });
  expect(form.typed.name).toBe('second');
  expect(put).toEqual([{ id: 'new', name: 'first' }]);
});

test('a slow refusal does not show in the form that was opened meanwhile', async () => {
  outcome = () => fail({ kind: 'full' });
  form.start();
  form.typed.name = 'first';
  void form.save();
  form.start({ id: '2', name: 'second' });
  await answers.release();
  expect(form.fault.value).toBeUndefined();
});

test('a save that was left is finished with what was typed for it', async () => {
  form.start();
  form.typed.name = 'first';
  void form.save();
  form.close();
  await answers.release();
  await settled();
  expect(events).toContain('finish first');
  expect(form.savedId.value).toBeUndefined();
});

test('one form is open at a time', () => {
  form.start();
  other.start();
  expect(form.open.value).toBeUndefined();
  form.start();
  expect(other.open.value).toBeUndefined();
  form.start({ id: '2', name: 'second' });
  expect(form.open.value).toEqual({ id: '2' });
});

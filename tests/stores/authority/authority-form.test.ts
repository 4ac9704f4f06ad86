import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { expect, test } from 'vitest';

import type { PinnedKey } from '#core/keys/index';
import { fail, succeed } from '#core/result';
import type { AuthorityState } from '#core/authority/index';
import { useAuthorities } from '#stores/authority/authorities';
import { useAuthorityForm } from '#stores/authority/authority-form';
import { accessPort, askPort, clockPort } from '#stores/ports';
import { keyRingPort } from '#stores/verifier/ports';
import { type Script, scriptedWorker } from '#tests/stores/scripted-worker';

const main: AuthorityState = {
  id: 'a',
  name: 'Main',
  address: 'https://licenses.test',
  kind: 'live',
  products: ['orbit-crm'],
  permitted: true,
};

const keyOf = (id: string, authority?: string): PinnedKey => ({
  id,
  label: id,
  raw: id.repeat(64).slice(0, 64),
  fingerprint: id.repeat(64).slice(0, 64),
  revoked: false,
  kind: 'live',
  ...(authority !== undefined && { authority }),
});

function opened(script: Script = {}) {
  const events: string[] = [];
  let isFull = false;
  let ring: readonly PinnedKey[] = [
    keyOf('1'),
    keyOf('2', 'https://licenses.test'),
    keyOf('3', 'https://others.test'),
  ];
  const worker = scriptedWorker({
    'authorities.list': () => [main],
    'authorities.save': ({ id, ...fields }) => succeed({ ...main, ...fields, id: id ?? 'new' }),
    ...script,
  });
  const pinia = createPinia();
  createApp({})
    .use(pinia)
    .provide(askPort, (topic, body) => {
      events.push(topic);
      return worker.ask(topic, body);
    })
    .provide(clockPort, () => 0)
    .provide(accessPort, (address) => {
      events.push(`access to ${address}`);
      return Promise.resolve(false);
    })
    .provide(keyRingPort, {
      read: () => Promise.resolve([...ring]),
      change: (change) =>
        Promise.resolve(
          isFull ? fail({ kind: 'not-stored' }) : succeed([...(ring = change(ring))]),
        ),
      unused: () => Promise.resolve({ unreadable: 0, newer: false }),
      removeUnreadable: () => Promise.resolve(),
      watch: () => () => undefined,
    });
  return {
    form: useAuthorityForm(pinia),
    authorities: useAuthorities(pinia),
    events,
    saves: () => worker.bodies('authorities.save'),
    tied: () => ring.map(({ id, authority }) => [id, authority]),
    fill: (full: boolean) => void (isFull = full),
    changeElsewhere: (keys: readonly PinnedKey[]) => void (ring = keys),
  };
}

test('the intent is on its way before the browser is asked, both in one task', async () => {
  const { form, events } = opened();
  await form.start();
  Object.assign(form.typed, { name: 'New', address: 'new.test/api/license/v1/validate' });
  void form.save();
  expect(events).toEqual(['authorities.save', 'access to https://new.test']);
});

test('chosen keys are tied to the authority, and those let go are free again', async () => {
  const { form, authorities, tied, saves } = opened();
  await authorities.load();
  await form.start(main);
  expect(form.typed.keys).toEqual(['2']);
  form.typed.keys = ['1'];
  form.typed.products = 'orbit-crm, lunar-cms  orbit-crm';
  expect(await form.save()).toMatchObject({ id: 'a' });
  expect(tied()).toEqual([
    ['1', 'https://licenses.test'],
    ['2', undefined],
    ['3', 'https://others.test'],
  ]);
  expect(saves()).toMatchObject([{ id: 'a', products: ['orbit-crm', 'lunar-cms'] }]);
});

test('keys move along when the address does', async () => {
  const { form, authorities, tied } = opened();
  await authorities.load();
  await form.start(main);
  form.typed.address = 'https://moved.test';
  await form.save();
  expect(tied()[1]).toEqual(['2', 'https://moved.test']);
});

test('a key that was tied in another window while the form was open stays tied', async () => {
  const { form, authorities, tied, changeElsewhere } = opened();
  await authorities.load();
  await form.start(main);
  form.typed.keys = ['1'];
  changeElsewhere([
    keyOf('1'),
    keyOf('2', 'https://licenses.test'),
    keyOf('3', 'https://licenses.test'),
    keyOf('4', 'https://licenses.test'),
  ]);
  await form.save();
  expect(tied()).toEqual([
    ['1', 'https://licenses.test'],
    ['2', undefined],
    ['3', 'https://licenses.test'],
    ['4', 'https://licenses.test'],
  ]);
});

test('a key that was let go in another window while the form was open stays free', async () => {
  const { form, authorities, tied, changeElsewhere } = opened();
  await authorities.load();
  await form.start(main);
  form.typed.keys.push('1');
  changeElsewhere([keyOf('1'), keyOf('2'), keyOf('3', 'https://others.test')]);
  await form.save();
  expect(tied()).toEqual([
    ['1', 'https://licenses.test'],
    ['2', undefined],
    ['3', 'https://others.test'],
  ]);
});

test('every key moves along when the address does, those that the form does not offer too', async () => {
  const { form, authorities, tied, changeElsewhere } = opened();
  await authorities.load();
  const revoked = { ...keyOf('5', 'https://licenses.test'), revoked: true };
  changeElsewhere([keyOf('2', 'https://licenses.test'), revoked]);
  await form.start(main);
  form.typed.address = 'https://moved.test';
  changeElsewhere([
    keyOf('2', 'https://licenses.test'),
    revoked,
    keyOf('4', 'https://licenses.test'),
  ]);
  await form.save();
  expect(tied()).toEqual([
    ['2', 'https://moved.test'],
    ['5', 'https://moved.test'],
    ['4', 'https://moved.test'],
  ]);
});

test('a new authority at an address that has keys already unties none of them', async () => {
  const { form, tied } = opened();
  await form.start();
  Object.assign(form.typed, { name: 'Again', address: 'https://licenses.test', keys: ['1'] });
  await form.save();
  expect(tied()).toEqual([
    ['1', 'https://licenses.test'],
    ['2', 'https://licenses.test'],
    ['3', 'https://others.test'],
  ]);
});

test('keys that could not be stored are tied when the form is saved once more', async () => {
  const { form, authorities, tied, fill } = opened();
  await authorities.load();
  await form.start(main);
  Object.assign(form.typed, { address: 'https://moved.test', keys: ['1', '2'] });
  fill(true);
  await form.save();
  expect(form.fault).toEqual({ kind: 'keys-not-stored' });
  fill(false);
  await form.save();
  expect(tied().slice(0, 2)).toEqual([
    ['1', 'https://moved.test'],
    ['2', 'https://moved.test'],
  ]);
});

test('a key of the policy stays tied as the policy says', async () => {
  const { form, authorities, tied, changeElsewhere } = opened();
  await authorities.load();
  changeElsewhere([
    { ...keyOf('2', 'https://licenses.test'), byPolicy: true },
    { ...keyOf('3'), byPolicy: true },
  ]);
  await form.start(main);
  expect(form.typed.keys).toEqual(['2']);
  form.typed.keys = ['3'];
  await form.save();
  expect(tied()).toEqual([
    ['2', 'https://licenses.test'],
    ['3', undefined],
  ]);
});

test('what is missing or was removed meanwhile is said, and nothing typed is lost', async () => {
  const { form, saves } = opened({ 'authorities.save': () => fail({ kind: 'no-authority' }) });
  await form.start();
  expect(await form.save()).toBeUndefined();
  expect([...form.problems]).toEqual(['name', 'address']);
  expect(saves()).toEqual([]);
  Object.assign(form.typed, { name: 'N', address: 'https://n.test' });
  expect(await form.save()).toBeUndefined();
  expect(form.fault).toEqual({ kind: 'no-authority' });
  expect(form.typed.name).toBe('N');
});

test('a save that is quicker than the key ring unties no key', async () => {
  const { form, authorities, tied } = opened();
  await authorities.load();
  await form.start(main);
  void form.start(main);
  await form.save();
  expect(tied()[1]).toEqual(['2', 'https://licenses.test']);
});

test('keys that are read late do not fill the form of another authority', async () => {
  const { form, authorities } = opened();
  await authorities.load();
  const first = form.start(main);
  const second = form.start();
  await Promise.all([first, second]);
  expect(form.typed.keys).toEqual([]);
});

import { expect, test } from 'vitest';

import { fail, succeed } from '#core/result';
import type { SaveFault } from '#messaging/topics/connections';
import { useConnectionForm } from '#stores/connections/connection-form';
import { useConnections } from '#stores/connections/connections';
import { connection } from '#tests/stores/check/samples';
import { type Script, scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

const saving: Script = {
  'connections.list': () => [connection()],
  'connections.save': ({ id, name, baseAddress, dialect }) =>
    succeed(connection({ id: id ?? 'new', name, baseAddress, dialect })),
};

function opened(script: Script = saving) {
  const events: string[] = [];
  const worker = scriptedWorker(script);
  const pinia = withPorts({
    ask: (topic, body) => {
      events.push(topic);
      return worker.ask(topic, body);
    },
    access: (baseAddress) => {
      events.push(`access to ${baseAddress}`);
      return Promise.resolve(false);
    },
  });
  const form = useConnectionForm(pinia);
  const connections = useConnections(pinia);
  return { form, connections, events, saves: () => worker.bodies('connections.save') };
}

test('the intent is on its way before the browser is asked, both in one task', () => {
  const { form, events } = opened();
  form.start();
  Object.assign(form.typed, {
    name: 'Market',
    baseAddress: 'https://market.test/api/',
    apiKey: 'k',
  });
  void form.save();
  expect(events).toEqual(['connections.save', 'access to https://market.test']);
});

test('what is pasted is trimmed, and the key is gone from the form once it is saved', async () => {
  const { form, saves } = opened();
  form.start();
  Object.assign(form.typed, {
    name: ' Market ',
    baseAddress: ' https://market.test/shop/api/ ',
    apiKey: '\n key-1 ',
  });
  await form.save();
  expect(saves()).toMatchObject([
    { name: 'Market', baseAddress: 'https://market.test/shop', apiKey: 'key-1' },
  ]);
  expect(form.typed.apiKey).toBe('');
  expect(form.open).toBeUndefined();
});

test('a refusal of the browser does not undo the save', async () => {
  const { form, connections } = opened();
  form.start();
  Object.assign(form.typed, { name: 'Market', baseAddress: 'https://market.test', apiKey: 'k' });
  await form.save();
  expect(connections.list).toHaveLength(1);
});

test('a key that no request could carry is told while it is pasted, and not saved', async () => {
  const { form, events } = opened();
  form.start();
  Object.assign(form.typed, { name: 'M', baseAddress: 'https://m.test', apiKey: 'key—1' });
  expect(form.keyProblem).toEqual({ kind: 'odd-character', character: '—' });
  await form.save();
  expect([...form.problems]).toEqual(['apiKey']);
  expect(events).toEqual([]);
});

test('changing one keeps its key by leaving it out', async () => {
  const { form, connections, saves } = opened();
  await connections.load();
  form.start(connection());
  form.typed.name = 'Other name';
  await form.save();
  expect(saves()).toEqual([
    expect.objectContaining({ id: 'market', name: 'Other name' }) as unknown,
  ]);
  expect(saves()[0]).not.toHaveProperty('apiKey');
});

test.each(['https://other.test/shop', 'https://market.test/elsewhere'])(
  'at %s the key must be entered again',
  async (address) => {
    const { form, connections, saves } = opened();
    await connections.load();
    form.start(connection());
    form.typed.baseAddress = `${connection().baseAddress}/api/`;
    expect(form.keepsKey).toBe(true);
    form.typed.baseAddress = address;
    expect(form.keepsKey).toBe(false);
    await form.save();
    expect(saves()).toEqual([]);
    expect([...form.problems]).toEqual(['apiKey']);
  },
);

test.each([
  ['baseAddress', { baseAddress: 'http://market.test' }],
  ['requestsPerMinute', { requestsPerMinute: 0 }],
  ['requestsPerMinute', { requestsPerMinute: 1.5 }],
  ['requestsPerMinute', { requestsPerMinute: '' }],
  ['codePattern', { codePattern: 'A' }],
] as const)('%s keeps %j from being saved', async (field, change) => {
  const { form, events } = opened();
  form.start();
  Object.assign(form.typed, { name: 'M', baseAddress: 'https://m.test', apiKey: 'k' }, change);
  await form.save();
  expect([...form.problems]).toEqual([field]);
  expect(events).toEqual([]);
});

test('a save that came to nothing stays open, with what was typed', async () => {
  const fault: SaveFault = { kind: 'locked' };
  const { form } = opened({ ...saving, 'connections.save': () => fail(fault) });
  form.start();
  Object.assign(form.typed, { name: 'M', baseAddress: 'https://m.test', apiKey: 'k' });
  await form.save();
  expect(form.fault).toEqual(fault);
  expect(form.typed.apiKey).toBe('k');
});

test('a connection without a name is called by its address, until its account has one', async () => {
  const { form, saves } = opened();
  form.start();
  Object.assign(form.typed, { name: ' ', baseAddress: 'https://m.test:8443/shop', apiKey: 'k' });
  await form.save();
  expect(saves()).toMatchObject([{ name: 'm.test:8443' }]);
});

test('a marketplace fills in its address and its name, and its key goes in a header', async () => {
  const { form, saves, events } = opened();
  form.start();
  form.chooseMarketplace('gumroad');
  form.typed.apiKey = 'k';
  await form.save();
  expect(saves()).toMatchObject([
    {
      name: 'Gumroad',
      marketplace: 'gumroad',
      baseAddress: 'https://api.gumroad.com',
      dialect: { keyPlacement: 'Authorization' },
    },
  ]);
  expect(events.filter((event) => event.startsWith('access'))).toEqual([
    'access to https://api.gumroad.com',
  ]);
});

test('an address and a name of one’s own stay when the marketplace is chosen anew', () => {
  const { form } = opened();
  form.start();
  form.chooseMarketplace('envato');
  form.chooseMarketplace('lemon-squeezy');
  expect(form.typed).toMatchObject({
    baseAddress: 'https://api.lemonsqueezy.com',
    name: 'Lemon Squeezy',
  });
  form.typed.name = 'Our shop';
  form.typed.baseAddress = 'http://localhost:8787/lemon-squeezy';
  form.chooseMarketplace('own');
  expect(form.typed).toMatchObject({
    baseAddress: 'http://localhost:8787/lemon-squeezy',
    name: 'Our shop',
  });
});

test('a seller API that is chosen again asks for its address and its name', async () => {
  const { form, saves } = opened();
  form.start();
  form.chooseMarketplace('envato');
  form.chooseMarketplace('own');
  expect(form.typed).toMatchObject({ baseAddress: '', name: '', keyPlacement: 'parameter' });
  Object.assign(form.typed, { baseAddress: 'https://market.test', apiKey: 'k' });
  await form.save();
  expect(saves()[0]).not.toHaveProperty('marketplace');
});

test('a store is asked for where the marketplace answers for every store', async () => {
  const { form, saves } = opened();
  form.start();
  form.chooseMarketplace('lemon-squeezy');
  form.typed.apiKey = 'k';
  await form.save();
  expect([...form.problems]).toEqual(['store']);
  form.typed.store = ' 4711 ';
  await form.save();
  expect(saves()).toMatchObject([{ marketplace: 'lemon-squeezy', store: '4711' }]);
});

test('a connection that is edited keeps its marketplace and its store', async () => {
  const { form, saves, connections } = opened({
    ...saving,
    'connections.list': () => [
      connection({ marketplace: 'lemon-squeezy', store: '4711', hasKey: true }),
    ],
  });
  await connections.load();
  form.start(connections.list?.[0]);
  expect(form.typed).toMatchObject({ marketplace: 'lemon-squeezy', store: '4711' });
  form.typed.name = 'Another';
  await form.save();
  expect(saves()).toMatchObject([{ name: 'Another', marketplace: 'lemon-squeezy', store: '4711' }]);
});

test('a key may be left out where the marketplace answers without one', async () => {
  const { form, saves } = opened();
  form.start();
  form.chooseMarketplace('lemon-squeezy');
  expect(form.keyProblem).toEqual({ kind: 'empty' });
  form.chooseMarketplace('polar');
  expect(form.keyProblem).toBeUndefined();
  form.typed.store = '3f9a52c4-6d0b-4a57-8f21-0c6c9d1e7b55';
  await form.save();
  expect(saves()).toMatchObject([{ marketplace: 'polar' }]);
  expect(saves()[0]).not.toHaveProperty('apiKey');
});

test('a shop has an address of its own, which must be entered', async () => {
  const { form, saves } = opened();
  form.start();
  form.chooseMarketplace('easy-digital-downloads');
  expect(form.problems.has('baseAddress')).toBe(true);
  await form.save();
  expect(saves()).toEqual([]);
  form.typed.baseAddress = 'https://shop.test/';
  await form.save();
  expect(saves()).toMatchObject([
    { marketplace: 'easy-digital-downloads', baseAddress: 'https://shop.test' },
  ]);
});

test('a key that is stored is not left behind at another address', async () => {
  const { form, connections } = opened({
    ...saving,
    'connections.list': () => [connection({ marketplace: 'polar', store: 'o-1', hasKey: true })],
  });
  await connections.load();
  form.start(connections.list?.[0]);
  form.typed.baseAddress = 'https://other.test';
  expect(form.keyProblem).toEqual({ kind: 'empty' });
});

test('what another window changes meanwhile stays, beside what was typed here', async () => {
  let stored = connection({ name: 'Market' });
  const { form, connections, saves } = opened({
    ...saving,
    'connections.list': () => [stored],
  });
  await connections.load();
  form.start(stored);
  form.typed.requestsPerMinute = 30;
  stored = connection({ name: 'Shop', dialect: { ...stored.dialect, requestsPerMinute: 90 } });
  await connections.load();
  await form.save();
  expect(saves()).toMatchObject([{ name: 'Shop', dialect: { requestsPerMinute: 30 } }]);
});

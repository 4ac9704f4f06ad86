import { setActivePinia } from 'pinia';
import { expect, test } from 'vitest';
import { ref } from 'vue';

import type { ConnectionState } from '#core/connections/index';
import type { Account, Fault } from '#core/marketplaces/index';
import { fail, type Result, succeed } from '#core/result';
import { useConnectionTest, useEndedTests } from '#stores/connections/connection-test';
import { useConnections } from '#stores/connections/connections';
import { code, connection } from '#tests/stores/check/samples';
import { createHeldAnswers, settled } from '#tests/stores/held-answers';
import { scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

const dialect = { ...connection().dialect, codePattern: 'CSC-999999' };

async function opened() {
  const worker = scriptedWorker({
    'connections.list': () => [connection({ dialect })],
    'connections.detect': () => succeed(dialect),
  });
  const pinia = withPorts({ ask: worker.ask });
  await useConnections(pinia).load();
  return { trials: useConnectionTest(pinia), asked: () => worker.bodies('connections.detect') };
}

test.each([
  [' known ', 'known'],
  [`Purchase code: ${code.replaceAll('-', '\u2011')}\u200b.`, code],
  ['it was CSC-123456, I think', 'CSC-123456'],
  ['LIC-2024-XY', 'LIC-2024-XY'],
])('a code known to be good is taken out of %j', async (text, known) => {
  const { trials, asked } = await opened();
  expect(await trials.detect('market', text)).toBe(true);
  expect(asked()).toEqual([{ id: 'market', code: known }]);
  expect(trials.dialects.get('market')).toEqual({ busy: false, result: succeed(dialect) });
});

test.each(['no code in this', 'x'.repeat(129), ' '])(
  'nothing is asked about %.20j',
  async (text) => {
    const { trials, asked } = await opened();
    expect(await trials.detect('market', text)).toBe(false);
    expect(asked()).toEqual([]);
  },
);

test.each(['test', 'detect'] as const)(
  'a %s that is never answered leaves nothing busy',
  async (kind) => {
    const worker = scriptedWorker({
      'connections.list': () => [connection({ dialect })],
      'connections.test': () => Promise.reject(new Error('silent')),
      'connections.detect': () => Promise.reject(new Error('silent')),
    });
    const pinia = withPorts({ ask: worker.ask });
    await useConnections(pinia).load();
    const trials = useConnectionTest(pinia);
    const asked = kind === 'test' ? trials.test('market') : trials.detect('market', code);
    await expect(asked).rejects.toThrow('silent');
    expect([...trials.accounts, ...trials.dialects]).toEqual([]);
  },
);

const account = { username: 'Harbour Studio', name: { first: '', last: '', full: '' } } as Account;

/** A connection that no test has named yet, and whose test is under way. */
async function testing(tested: Partial<ConnectionState> = {}) {
  let stored = connection({ name: 'market.test', ...tested });
  const answers = createHeldAnswers();
  const worker = scriptedWorker({
    'connections.list': () => [stored],
    'connections.test': () => answers.hold(succeed(account)),
    'connections.save': ({ id: _id, apiKey: _key, ...saved }) =>
      succeed((stored = { ...stored, ...saved, revision: stored.revision + 1 })),
  });
  const pinia = withPorts({ ask: worker.ask });
  await useConnections(pinia).load();
  const tests = useConnectionTest(pinia);
  return {
    tests,
    answers,
    stored: () => stored,
    changeElsewhere: (changes: Partial<ConnectionState>) => {
      stored = { ...stored, ...changes, revision: stored.revision + 1 };
    },
  };
}

test('a connection that is still called by its address takes the name of its account', async () => {
  const { tests, answers, stored } = await testing();
  const ended = tests.test('market');
  await answers.release();
  await ended;
  expect(stored()).toMatchObject({ name: 'Harbour Studio', revision: 2 });
  expect(tests.lastEnded).toEqual({ id: 'market', revision: 2, passed: true });
});

test('what is saved while a connection is tested stays, and the next test names it', async () => {
  const { tests, answers, stored, changeElsewhere } = await testing();
  const ended = tests.test('market');
  const changed = { ...dialect, requestsPerMinute: 10 };
  changeElsewhere({ dialect: changed });
  await answers.release();
  await ended;
  expect(stored()).toMatchObject({ name: 'market.test', dialect: changed, revision: 2 });
  expect(tests.lastEnded).toEqual({ id: 'market', revision: 1, passed: true });
  const again = tests.test('market');
  await answers.release();
  await again;
  expect(stored()).toMatchObject({ name: 'Harbour Studio', dialect: changed, revision: 3 });
});

test('what another window has saved stays when a store is chosen', async () => {
  const { tests, answers, stored, changeElsewhere } = await testing({ name: 'Market' });
  changeElsewhere({ name: 'Harbour', dialect });
  const chosen = tests.chooseStore('market', '7');
  await settled();
  await answers.release();
  await chosen;
  expect(stored()).toMatchObject({ name: 'Harbour', dialect, store: '7' });
});

test('what a test came to stays while another runs, its account also after a fault, and neither for another connection', async () => {
  const answers = createHeldAnswers();
  const read = { username: 'harbour', name: { first: '', last: '', full: '' } } as Account;
  let answer: Result<Account, Fault> = succeed(read);
  const worker = scriptedWorker({
    'connections.list': () => [connection(), connection({ id: 'other' })],
    'connections.test': () => answers.hold(answer),
  });
  const pinia = withPorts({ ask: worker.ask });
  setActivePinia(pinia);
  await useConnections(pinia).load();
  const tests = useConnectionTest(pinia);
  const id = ref('market');
  const { ended, account: lastAccount } = useEndedTests(() => id.value);
  const shown = () => [ended.value?.result, lastAccount.value];
  expect(shown()).toEqual([undefined, undefined]);
  const first = tests.test('market');
  await answers.release();
  await first;
  expect(shown()).toEqual([succeed(read), read]);
  const fault = fail({ kind: 'offline' } as const);
  answer = fault;
  const second = tests.test('market');
  await settled();
  expect(shown()).toEqual([succeed(read), read]);
  await answers.release();
  await second;
  expect(shown()).toEqual([fault, read]);
  id.value = 'other';
  const third = tests.test('other');
  await settled();
  expect(shown()).toEqual([undefined, undefined]);
  await answers.release();
  await third;
  expect(shown()).toEqual([fault, undefined]);
});

test('an ended sign-in is no longer told of once the agent signs in again', async () => {
  const faults = {
    market: { kind: 'relay-sign-in', reason: 'revoked' },
    other: { kind: 'offline' },
  } as const;
  const worker = scriptedWorker({
    'connections.list': () => [connection(), connection({ id: 'other' })],
    'connections.test': ({ id }) => fail(faults[id as keyof typeof faults]),
  });
  const pinia = withPorts({ ask: worker.ask });
  await useConnections(pinia).load();
  const trials = useConnectionTest(pinia);
  await trials.test('market');
  await trials.test('other');
  trials.forgetSignIns();
  expect([...trials.accounts.keys()]).toEqual(['other']);
});

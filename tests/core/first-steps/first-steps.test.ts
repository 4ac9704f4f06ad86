import { describe, expect, test } from 'vitest';

import {
  type ConnectionFacts,
  firstSteps,
  type FirstStepsFacts,
  isFinished,
  leadingStep,
  readChoice,
  type StepId,
  writeChoice,
} from '#core/first-steps/first-steps';
import { isSandbox, sandboxShop } from '#core/first-steps/sandbox';
import type { Fault } from '#core/marketplaces/fault';

function connection(changes: Partial<ConnectionFacts> = {}): ConnectionFacts {
  return { id: 'a', permitted: true, hasKey: true, hasAnswered: false, ...changes };
}

function stepsOf(changes: Partial<FirstStepsFacts> & { only?: Partial<ConnectionFacts> }): string {
  const { only, ...others } = changes;
  const { steps } = firstSteps({
    connections: only === undefined ? [] : [connection(only)],
    hasPinnedKey: false,
    skipped: new Set(),
    ...others,
  });
  return steps.map(({ id, state }) => `${id} ${state}`).join(', ');
}

const refusedKey: Fault = { kind: 'refused', about: 'key', msg: 'Invalid API key' };

describe('the steps of a connection', () => {
  test.each([
    [
      'an empty profile',
      {},
      'address next, permission later, key later, test later, check later, pin open',
    ],
    [
      'an address that the browser may not reach, without a key',
      { only: { permitted: false, hasKey: false } },
      'address done, permission next, key open, test later, check later, pin open',
    ],
    [
      'a key that waits for the permission',
      { only: { permitted: false } },
      'address done, permission next, key done, test later, check later, pin open',
    ],
    [
      'a permission that waits for the key',
      { only: { hasKey: false } },
      'address done, permission done, key next, test later, check later, pin open',
    ],
    [
      'a key that was not tried',
      { only: {} },
      'address done, permission done, key done, test next, check open, pin open',
    ],
    [
      'a test that passed',
      { only: { test: 'passed' } },
      'address done, permission done, key done, test done, check next, pin open',
    ],
    [
      'an answer',
      { only: { hasAnswered: true } },
      'address done, permission done, key done, test done, check done, pin next',
    ],
    [
      'an answer and a pinned key',
      { only: { hasAnswered: true }, hasPinnedKey: true },
      'address done, permission done, key done, test done, check done, pin done',
    ],
    [
      'a pinned key alone',
      { hasPinnedKey: true },
      'address next, permission later, key later, test later, check later, pin done',
    ],
  ] as const)('with %s', (_name, facts, expected) => {
    expect(stepsOf(facts)).toBe(expected);
  });
});

describe('a test that failed leads back to', () => {
  test.each<[string, Fault, StepId]>([
    ['the key, when it was refused', refusedKey, 'key'],
    ['the key, when there is none', { kind: 'no-key', because: 'material-lost' }, 'key'],
    ['the sign-in at the relay', { kind: 'relay-sign-in', because: 'expired' }, 'key'],
    ['the address, when no API is there', { kind: 'api-off' }, 'address'],
    ['the address, when far too much came', { kind: 'too-large', limitBytes: 9 }, 'address'],
    [
      'the address, when it sends everybody elsewhere',
      { kind: 'redirected', userAgent: 'ruled-out' },
      'address',
    ],
    [
      'itself, when browsers are turned away',
      { kind: 'redirected', userAgent: 'suspected' },
      'test',
    ],
    [
      'itself, when the request was refused',
      { kind: 'refused', about: 'request', msg: 'No' },
      'test',
    ],
    ['itself, offline', { kind: 'offline' }, 'test'],
    ['itself, while the keys are locked', { kind: 'locked' }, 'test'],
  ])('%s', (_name, fault, id) => {
    const { steps } = firstSteps({
      connections: [connection({ test: fault })],
      hasPinnedKey: false,
      skipped: new Set(),
    });
    expect(steps.filter(({ state }) => state === 'failed')).toEqual([{ id, state: 'failed' }]);
    expect(leadingStep(steps)?.id).toBe(id);
  });

  test('nothing, once the connection has answered a check', () => {
    expect(
      stepsOf({ only: { hasAnswered: true, test: refusedKey, hasKey: false, permitted: false } }),
    ).toBe('address done, permission done, key done, test done, check done, pin next');
  });
});

describe('a skipped step', () => {
  test('takes those that need it along, and no other', () => {
    expect(stepsOf({ skipped: new Set<StepId>(['address']) })).toBe(
      'address skipped, permission skipped, key skipped, test skipped, check skipped, pin next',
    );
    expect(stepsOf({ only: {}, skipped: new Set<StepId>(['test']) })).toBe(
      'address done, permission done, key done, test skipped, check next, pin open',
    );
  });

  test('that is done after all is done', () => {
    expect(stepsOf({ only: {}, skipped: new Set<StepId>(['address']) })).toContain('address done');
  });

  test('counts as settled', () => {
    const settled = firstSteps({
      connections: [connection({ hasAnswered: true })],
      hasPinnedKey: false,
      skipped: new Set<StepId>(['pin']),
    });
    expect(isFinished(settled.steps)).toBe(true);
    expect(leadingStep(settled.steps)).toBeUndefined();
  });
});

test('of several connections the furthest counts, of equal ones the first', () => {
  const idOf = (...connections: ConnectionFacts[]): string | undefined =>
    firstSteps({ connections, hasPinnedKey: false, skipped: new Set() }).connectionId;
  expect(idOf()).toBeUndefined();
  expect(idOf(connection(), connection({ id: 'b' }))).toBe('a');
  expect(idOf(connection({ hasKey: false }), connection({ id: 'b' }))).toBe('b');
  expect(idOf(connection(), connection({ id: 'b', hasAnswered: true }))).toBe('b');
});

test('a connection whose only address is wrong is still the one that the steps are about', () => {
  const wrong = connection({ test: { kind: 'api-off' }, permitted: false, hasKey: false });
  expect(
    firstSteps({ connections: [wrong], hasPinnedKey: false, skipped: new Set() }).connectionId,
  ).toBe('a');
});

describe('what is stored of a choice', () => {
  test('is read as it was written', () => {
    const choice = { hidden: true, skipped: new Set<StepId>(['pin', 'test']) };
    expect(writeChoice(choice)).toBe('hidden test pin');
    expect(readChoice(writeChoice(choice))).toEqual(choice);
  });

  test('is empty when nothing was chosen', () => {
    expect(writeChoice({ hidden: false, skipped: new Set() })).toBe('');
    expect(readChoice('')).toEqual({ hidden: false, skipped: new Set() });
  });

  test('holds beside it which connection passed its test, and at which revision', () => {
    const tested = { id: 'market-7', revision: 3 };
    const stored = writeChoice({ hidden: false, skipped: new Set<StepId>(['pin']), tested });
    expect(stored).toBe('pin tested:market-7:3');
    expect(readChoice(stored)).toEqual({ hidden: false, skipped: new Set(['pin']), tested });
    for (const damaged of ['tested:', 'tested:a:', 'tested:a:x', 'tested::1', 'tested:a:1:2'])
      expect(readChoice(damaged), damaged).toEqual({ hidden: false, skipped: new Set() });
  });

  test('may hold words of a newer version', () => {
    expect(readChoice('pin dance')).toEqual({ hidden: false, skipped: new Set(['pin']) });
  });
});

test('the sandbox is known by its address', () => {
  expect(isSandbox(sandboxShop.baseAddress)).toBe(true);
  expect(isSandbox('http://127.0.0.1:8787/market')).toBe(true);
  expect(isSandbox('http://127.0.0.1:87870/demo')).toBe(false);
  expect(isSandbox('https://market.test/demo')).toBe(false);
});

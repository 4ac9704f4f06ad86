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
import type { Fault } from '#core/marketplaces/index';

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

describe('the steps', () => {
  test.each([
    ['an empty profile', {}, 'connect next, check later, pin open'],
    [
      'an address that the browser may not reach',
      { only: { permitted: false } },
      'connect next, check later, pin open',
    ],
    [
      'a connection without a key',
      { only: { hasKey: false } },
      'connect next, check later, pin open',
    ],
    ['a key that was not tried', { only: {} }, 'connect next, check later, pin open'],
    ['a test that passed', { only: { test: 'passed' } }, 'connect done, check next, pin open'],
    [
      'a test that passed before its permission was taken back',
      { only: { test: 'passed', permitted: false } },
      'connect next, check later, pin open',
    ],
    ['an answer', { only: { hasAnswered: true } }, 'connect done, check done, pin next'],
    [
      'an answer and a pinned key',
      { only: { hasAnswered: true }, hasPinnedKey: true },
      'connect done, check done, pin done',
    ],
    ['a pinned key alone', { hasPinnedKey: true }, 'connect next, check later, pin done'],
  ] as const)('with %s', (_name, facts, expected) => {
    expect(stepsOf(facts)).toBe(expected);
  });
});

describe('a test that failed', () => {
  test.each<Fault>([refusedKey, { kind: 'api-off' }, { kind: 'offline' }, { kind: 'locked' }])(
    'is mended where it was made: %o',
    (fault) => {
      const { steps } = firstSteps({
        connections: [connection({ test: fault })],
        hasPinnedKey: false,
        skipped: new Set(),
      });
      expect(leadingStep(steps)).toEqual({ id: 'connect', state: 'failed' });
    },
  );

  test('does not count once the connection has answered a check', () => {
    expect(
      stepsOf({ only: { hasAnswered: true, test: refusedKey, hasKey: false, permitted: false } }),
    ).toBe('connect done, check done, pin next');
  });
});

describe('a key that is refused after its connection has answered', () => {
  const only = { hasAnswered: true, test: refusedKey };
  test('marks the first step, and leaves the others where they are', () => {
    expect(stepsOf({ only })).toBe('connect failed, check done, pin next');
  });

  test('brings back no steps that are all settled', () => {
    expect(stepsOf({ only, skipped: new Set<StepId>(['pin']) })).toBe(
      'connect done, check done, pin skipped',
    );
  });
});

describe('a skipped step', () => {
  test('takes the one that needs it along, and no other', () => {
    expect(stepsOf({ skipped: new Set<StepId>(['connect']) })).toBe(
      'connect skipped, check skipped, pin next',
    );
    expect(stepsOf({ only: { test: 'passed' }, skipped: new Set<StepId>(['check']) })).toBe(
      'connect done, check skipped, pin next',
    );
  });

  test('that is done after all is done', () => {
    expect(stepsOf({ only: { test: 'passed' }, skipped: new Set<StepId>(['connect']) })).toContain(
      'connect done',
    );
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

test('a connection whose address is wrong is still the one that the steps are about', () => {
  const wrong = connection({ test: { kind: 'api-off' }, permitted: false, hasKey: false });
  expect(
    firstSteps({ connections: [wrong], hasPinnedKey: false, skipped: new Set() }).connectionId,
  ).toBe('a');
});

describe('what is stored of a choice', () => {
  test('is read as it was written', () => {
    const choice = { hidden: true, skipped: new Set<StepId>(['pin', 'check']) };
    expect(writeChoice(choice)).toBe('hidden check pin');
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

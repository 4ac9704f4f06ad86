import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type CheckReport, summariseAnswer } from '#core/check/index';
import { changesBetween } from '#core/history/index';
import { defaultDialect } from '#core/connections/index';
import { fail, succeed } from '#core/result';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';

const known = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';
const bare = known.replaceAll('-', '');
const unknown = '00000000111142228333444444444444';

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
});
afterEach(() => harness.close());

const check = (connectionId: string, code: string, fresh = false): Promise<CheckReport> =>
  harness.ask('check', { connectionId, code, fresh });

const validations = async (): Promise<number> =>
  (await harness.requests()).filter(({ path }) => path.endsWith('/validation')).length;

async function refund(code: string): Promise<void> {
  const { origin, controlToken } = harness.sandbox;
  const response = await fetch(`${origin}/control/purchases`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ base: '/market', purchase_code: code }),
  });
  expect(response.ok).toBe(true);
}

/** What the card says has changed. */
function changesOf({ earlier, outcome, checkedAt }: CheckReport): string[] {
  if (earlier === undefined || !outcome.ok) return [];
  const after = { checkedAt, answer: summariseAnswer(outcome.value) };
  return changesBetween(earlier, after, earlier.sameSpelling);
}

describe('a code in another spelling', () => {
  it.each([
    ['without dashes', bare],
    ['with O for 0', known.replace('20a7', '2Oa7')],
  ])('%s is found as the corrected one, after the spelling that was typed', async (_, typed) => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    await harness.requests();
    expect(await check(id, typed)).toMatchObject({
      code: typed,
      foundSpelling: known,
      outcome: succeed({ kind: 'purchase' }),
    });
    expect(await validations()).toBe(2);
  });

  it('is found as before from the cache, which is keyed by what was typed', async () => {
    const { id } = await harness.connect('/market');
    await check(id, bare);
    await harness.requests();
    expect(await check(id, bare)).toMatchObject({ cached: true, foundSpelling: known });
    const typed = await check(id, known);
    expect(typed.cached).toBe(false);
    expect(typed).not.toHaveProperty('foundSpelling');
  });

  it('that is not found either is checked in two spellings, with other encodings for the first', async () => {
    const { id } = await harness.connect('/market');
    const report = await check(id, unknown);
    expect(report).toMatchObject({ outcome: succeed({ kind: 'not-found' }) });
    expect(report).not.toHaveProperty('foundSpelling');
    // Four encodings of the typed spelling, one of the corrected.
    expect(await validations()).toBe(5);
    await check(id, known);
    await harness.requests();
    await check(id, unknown, true);
    expect(await validations()).toBe(2);
  });

  it('is not called missing while the corrected one could not be checked', async () => {
    const { id } = await harness.connect('/market', {
      dialect: { ...defaultDialect, requestsPerMinute: 3 },
    });
    await check(id, known);
    harness.pass(1);
    const report = await check(id, unknown);
    expect(report.outcome).toMatchObject(fail({ kind: 'rate-limited' }));
  });
});

describe('a code that was found before', () => {
  it('has not vanished when another spelling of it is not known', async () => {
    const { id } = await harness.connect('/market');
    expect(await check(id, known)).not.toHaveProperty('earlier');
    harness.pass(1000);
    expect(changesOf(await check(id, bare))).toEqual([]);
  });

  it('has not vanished when it was another spelling that was found', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known.toUpperCase());
    harness.pass(1000);
    await refund(known);
    const report = await check(id, known);
    expect(report).toMatchObject({
      earlier: { sameSpelling: false },
      outcome: succeed({ kind: 'not-found' }),
    });
    expect(changesOf(report)).toEqual([]);
  });

  it('has vanished when the same spelling is no longer found', async () => {
    const { id } = await harness.connect('/market');
    await check(id, known);
    harness.pass(1000);
    await refund(known);
    expect(changesOf(await check(id, known, true))).toEqual(['vanished']);
    harness.pass(1000);
    // The corrected spelling was checked as well, and that is the one known from before.
    expect(await check(id, bare)).toMatchObject({ earlier: { sameSpelling: true } });
  });
});

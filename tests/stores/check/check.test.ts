import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Fault } from '#core/marketplaces/index';
import { fail, succeed } from '#core/result';
import { useCheck } from '#stores/check/check';
import { everyConnection } from '#stores/connections/connections';
import { verdictOfCode } from '#stores/check/code-verdict';
import {
  code,
  connection,
  demo,
  faulty,
  genuine,
  notFound,
  now,
  otherCode,
  thirdCode,
} from '#tests/stores/check/samples';
import { type Script, scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

const one: Script = { 'connections.list': () => [connection()], check: (body) => genuine(body) };
const two: Script = { ...one, 'connections.list': () => [connection(), demo] };
const busy: Fault = { kind: 'rate-limited', retryAt: now + 5000, by: 'server' };

function opened(script: Script, preferences?: unknown) {
  const worker = scriptedWorker(script);
  const check = useCheck(withPorts({ ask: worker.ask, clock: () => Date.now(), preferences }));
  return { check, checks: () => worker.bodies('check'), worker };
}

beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('after a stop', () => {
  test.each(['asked again', 'submitted again'] as const)(
    'a code that is %s is a new request, and its answer ends that',
    async (how) => {
      let asked = 0;
      const { check, checks } = opened({
        ...one,
        check: (body) => ((asked += 1) === 1 ? new Promise(() => undefined) : genuine(body)),
      });
      check.replaceText(code, false);
      void check.submit();
      await vi.advanceTimersByTimeAsync(0);
      const [entry] = check.entries;
      for (const pending of entry?.pendingChecks ?? []) check.stop(pending);
      if (how === 'submitted again') await check.submit();
      else if (entry !== undefined) await check.resume(entry);
      expect(check.entries[0]?.pendingChecks[0]).toMatchObject({
        report: { outcome: { ok: true } },
      });
      await check.submit();
      expect(checks().map(({ fresh }) => fresh)).toEqual([false, true, false]);
    },
  );

  test('a code whose turn had not come may have a kept reply', async () => {
    const { check, checks } = opened({
      ...one,
      check: (body) => (body.code === code ? new Promise(() => undefined) : genuine(body)),
    });
    check.replaceText(`${code} ${otherCode}`, false);
    void check.submit();
    await vi.advanceTimersByTimeAsync(0);
    for (const { pendingChecks } of check.entries)
      for (const each of pendingChecks) check.stop(each);
    const [, second] = check.entries;
    if (second !== undefined) await check.resume(second);
    expect(checks()).toMatchObject([{ code }, { code: otherCode, fresh: false }]);
  });
});

test('a pasted text without a code is refused at once, a typed one when it is submitted', async () => {
  const { check, checks } = opened(one);
  const mail = 'Hello, the slider does not move any more.';
  check.replaceText(mail, true);
  await check.isCheckedAtOnce();
  expect(check.refusal).toBe('nothing');
  check.replaceText(mail, false);
  expect(check.refusal).toBeUndefined();
  check.replaceText(`${mail} ${code}`, true);
  expect(check.refusal).toBeUndefined();
  expect(checks()).toEqual([]);
});

describe('what is asked', () => {
  test('one code goes to the one connection, and a kept reply will do', async () => {
    const { check, checks } = opened(one);
    check.replaceText(code, false);
    await check.submit();
    const question = { id: expect.any(String) as string, asked: ['market'], kept: [] };
    expect(checks()).toEqual([
      { code, connectionId: 'market', fresh: false, withProgress: true, question },
    ]);
    expect(check.entries[0]?.pendingChecks[0]).toMatchObject({
      state: 'settled',
      report: { code },
    });
  });

  test('the item that codes should be for goes to its own connection alone', async () => {
    const expectedItem = { connectionId: 'market', itemId: 'kL0psVL2admJSYRNs-OCMg==', name: '' };
    const { check, checks } = opened(two, { expectedItem });
    check.replaceText(code, false);
    await check.submit();
    expect(checks().map((body) => body.expectedItemId)).toEqual([expectedItem.itemId, undefined]);
  });

  test('a text that is typed over no answers leaves the empty list of answers alone', () => {
    const { check } = opened(one);
    const empty = check.entries;
    check.replaceText(code, false);
    expect(check.entries).toBe(empty);
  });

  test('the address of the ticket goes along with what was read there, and with nothing else', async () => {
    const { check, checks } = opened(one);
    const ticket = 'https://desk.example/tickets/7';
    check.replaceText(code, true, ticket);
    await check.submit();
    check.replaceText(otherCode, true);
    await check.submit();
    const asked = { connectionId: 'market', fresh: false, withProgress: true };
    const question = expect.any(Object) as object;
    expect(checks()).toEqual([
      { ...asked, code, ticket, question },
      { ...asked, code: otherCode, question },
    ]);
  });

  test('codes in one text are asked in turn, never two at once', async () => {
    let under = 0;
    let most = 0;
    const { check, checks } = opened({
      ...one,
      check: async (body) => {
        under += 1;
        most = Math.max(most, under);
        await Promise.resolve();
        under -= 1;
        return genuine(body);
      },
    });
    check.replaceText(`Hello,\n${code} and\n${otherCode}, or ${thirdCode}?`, false);
    await check.submit();
    expect(checks().map((body) => body.code)).toEqual([code, otherCode, thirdCode]);
    expect(most).toBe(1);
  });

  test('a code that was answered a moment ago does not wait for one that is slow', async () => {
    const { check, checks } = opened({
      ...one,
      check: (body) => (body.code === code ? new Promise(() => undefined) : genuine(body)),
    });
    check.replaceText(otherCode, false);
    await check.submit();
    check.replaceText(`${code}\n${thirdCode}\n${otherCode}`, false);
    void check.submit();
    await vi.advanceTimersByTimeAsync(0);
    expect(checks().map((body) => body.code)).toEqual([otherCode, otherCode, code]);
    expect(check.entries.map((entry) => entry.code)).toEqual([code, thirdCode, otherCode]);
  });

  test('codes at one connection do not wait for the countdown of another', async () => {
    const { check, checks } = opened({
      ...two,
      check: (body) => (body.connectionId === 'market' ? faulty(body, busy) : genuine(body)),
    });
    check.replaceText(`${code}\n${otherCode}\n${thirdCode}`, false);
    void check.submit();
    await vi.advanceTimersByTimeAsync(1);
    const askedAt = (id: string) =>
      checks().flatMap((body) => (body.connectionId === id ? body.code : []));
    expect(askedAt('demo')).toEqual([code, otherCode, thirdCode]);
    // Its own next code waits: the connection takes no request before.
    expect(askedAt('market')).toEqual([code]);
  });

  test('without a choice every connection is asked, side by side', async () => {
    const { check, checks } = opened(two);
    check.replaceText(code, false);
    await check.submit();
    expect(checks().map(({ connectionId }) => connectionId)).toEqual(['market', 'demo']);
  });

  test('the connection chosen last is asked again', async () => {
    const { check, checks } = opened(two, { connection: 'demo' });
    check.replaceText(code, false);
    await check.submit();
    expect(checks().map(({ connectionId }) => connectionId)).toEqual(['demo']);
  });

  test('All is remembered like any other choice', async () => {
    const { check, checks } = opened(two, { connection: 'demo' });
    await check.submit();
    check.choose(everyConnection);
    check.replaceText(code, false);
    await check.submit();
    expect(checks().map(({ connectionId }) => connectionId)).toEqual(['market', 'demo']);
  });

  test('after a connection that is gone every one is asked', async () => {
    const { check, checks } = opened(two, { connection: 'long-gone' });
    check.replaceText(code, false);
    await check.submit();
    expect(checks().map(({ connectionId }) => connectionId)).toEqual(['market', 'demo']);
  });

  test('the others are asked only about the code that they were not asked about', async () => {
    const { check, checks } = opened(
      { ...two, check: (body) => (body.connectionId === 'demo' ? genuine(body) : notFound(body)) },
      { connection: 'market' },
    );
    check.replaceText(code, false);
    await check.submit();
    const [entry] = check.entries;
    if (entry === undefined) throw new Error('There is no entry.');
    await check.askOthers(entry);
    await check.askOthers(entry);
    expect(checks().map(({ connectionId }) => connectionId)).toEqual(['market', 'demo']);
    expect(check.chosen).toBe('market');
    expect(entry.pendingChecks.map(({ report }) => report?.connectionId)).toEqual([
      'market',
      'demo',
    ]);
  });

  test('a correction replaces one code of several, and labelled odd ones stay codes', async () => {
    const { check, checks } = opened(one);
    check.replaceText(`Purchase code: LIC-2026-00071\nand ${code}`, true);
    await check.submit();
    await check.correct(code, otherCode);
    expect(check.draft).toBe(`LIC-2026-00071\n${otherCode}`);
    expect(
      checks()
        .slice(2)
        .map((body) => body.code),
    ).toEqual(['LIC-2026-00071', otherCode]);
  });

  test('one token in an odd form is asked, with a hint', async () => {
    const { check, checks } = opened(one);
    check.replaceText('LIC-2026-00071', false);
    await check.submit();
    expect(checks()).toHaveLength(1);
    expect(check.odd).toBe('other-form');
  });

  test.each([
    ['nothing', 'Dear support, it does not work and I have no code.'],
    ['license', `${'a'.repeat(60)}.${'b'.repeat(86)}`],
    ['too-long', 'word '.repeat(250_000)],
  ])('%s: nothing is sent', async (refusal, text) => {
    const { check, checks } = opened(one);
    check.replaceText(text, false);
    await check.submit();
    expect(check.refusal).toBe(refusal);
    expect(checks()).toEqual([]);
  });

  test('an empty field asks nothing and complains of nothing', async () => {
    const { check, checks } = opened(one);
    await check.submit();
    expect(check.refusal).toBeUndefined();
    expect(checks()).toEqual([]);
  });

  test('without a connection nothing can be asked', async () => {
    const { check, checks } = opened({ ...one, 'connections.list': () => [] });
    check.replaceText(code, false);
    await check.submit();
    expect(checks()).toEqual([]);
  });
});

describe('what is taken in', () => {
  test('a pasted ticket folds to its codes, one on each line', async () => {
    const { check } = opened(one);
    check.replaceText(`Hi! ${code}\r\nand also ${otherCode}. Thanks`, true);
    await vi.dynamicImportSettled();
    expect(check.draft).toBe(`${code}\n${otherCode}`);
    expect(check.found).toBe(2);
  });

  test('a ticket that is pasted while codes cannot be found yet makes room for what is typed next', async () => {
    const { check } = opened(one);
    check.replaceText(`Hi! ${code}\r\nand also ${otherCode}. Thanks`, true);
    check.replaceText(thirdCode, false);
    await vi.dynamicImportSettled();
    expect(check.draft).toBe(thirdCode);
    expect(check.found).toBe(0);
  });

  test('labelled odd codes stay codes after folding', async () => {
    const { check, checks } = opened(one);
    check.replaceText(`Purchase code: LIC-2026-00071\nand ${code}`, true);
    await check.submit();
    expect(checks().map((body) => body.code)).toEqual(['LIC-2026-00071', code]);
  });

  test('odd codes that were found in a ticket stay codes without their names, one on each line', async () => {
    const { check, checks } = opened(one);
    check.replaceText('LIC-2026-00071\nLIC-2026-00072\nLIC-2026-00073', true);
    await check.submit();
    expect(checks().map((body) => body.code)).toEqual([
      'LIC-2026-00071',
      'LIC-2026-00072',
      'LIC-2026-00073',
    ]);
  });

  test('what is nearly a code in a pasted ticket is put into the field, with what is odd about it', async () => {
    const near = `${code.slice(0, -1)}O`;
    const { check, checks } = opened(one);
    check.replaceText(`Hello, my purchase code is ${near}, thanks`, true);
    await vi.dynamicImportSettled();
    expect(check.draft).toBe(near);
    expect(checks()).toEqual([]);
    await check.submit();
    expect([checks().map((body) => body.code), check.odd]).toEqual([[near], 'letters-beyond-f']);
  });

  test.each([
    ['a ticket with what is nearly a code', `Hi, my code is ${code.slice(0, -1)}O, Ann`, false],
    ['a ticket with a code that breaks off', `Purchase code: ${code.slice(0, 13)}`, false],
    ['what is nearly a code, alone', `“${code.slice(0, -1)}O”`, true],
    ['an odd code alone', ' LIC-2026-00071\n', true],
    ['a ticket with a code', `Hi, my code is ${code}, Ann`, true],
  ])('%s is checked at once where it is pasted: %s: %s', async (_name, text, atOnce) => {
    const { check } = opened(one);
    check.replaceText(text, true);
    expect(await check.isCheckedAtOnce()).toBe(atOnce);
  });

  test('a seller’s own codes are found in what is pasted before the connections are known', async () => {
    const plain = connection();
    const own = { ...plain, dialect: { ...plain.dialect, codePattern: 'KEY-9999-AA' } };
    const { check, checks } = opened({ ...one, 'connections.list': () => [own] });
    check.replaceText('First KEY-2041-AB,\nthen KEY-2042-CD.', true);
    expect(await check.isCheckedAtOnce()).toBe(false);
    expect([check.draft, check.found]).toEqual(['KEY-2041-AB\nKEY-2042-CD', 2]);
    check.replaceText('It is KEY-2041-AB, thanks', true);
    expect(await check.isCheckedAtOnce()).toBe(true);
    await check.submit();
    expect(checks().map((body) => body.code)).toEqual(['KEY-2041-AB']);
  });

  test('what is typed on one line is left as it is', () => {
    const { check } = opened(one);
    check.replaceText(`${code} and more`, false);
    expect(check.draft).toBe(`${code} and more`);
  });

  test('other text puts the answers away', async () => {
    const { check } = opened(one);
    check.replaceText(code, false);
    await check.submit();
    check.replaceText(`${code}x`, false);
    expect(check.entries).toEqual([]);
  });

  test('clearing leaves nothing', async () => {
    const { check } = opened(one);
    check.replaceText(code, false);
    await check.submit();
    check.clear();
    expect(check.draft).toBe('');
    expect(check.entries).toEqual([]);
  });
});

describe('answers', () => {
  test('an answer to an earlier submission is dropped', async () => {
    const late = Promise.withResolvers<undefined>();
    const { check } = opened({
      ...one,
      check: async (body) => {
        if (body.code === code) await late.promise;
        return genuine(body);
      },
    });
    check.replaceText(code, false);
    const first = check.submit();
    await vi.advanceTimersByTimeAsync(0);
    check.replaceText(otherCode, false);
    await check.submit();
    late.resolve(undefined);
    await first;
    expect(check.entries.map((entry) => entry.code)).toEqual([otherCode]);
    expect(check.entries[0]?.pendingChecks[0]?.report?.code).toBe(otherCode);
  });

  test('a refresh passes over kept replies and keeps the old answer meanwhile', async () => {
    const { check, checks } = opened(one);
    check.replaceText(code, false);
    await check.submit();
    const pendingCheck = check.entries[0]?.pendingChecks[0];
    if (pendingCheck === undefined) throw new Error('There is no pending check.');
    const refreshed = check.refresh(pendingCheck);
    expect(pendingCheck.state).toBe('asking');
    expect(pendingCheck.report?.code).toBe(code);
    await refreshed;
    expect(checks().at(-1)).toMatchObject({ fresh: true });
    expect(pendingCheck.state).toBe('settled');
  });

  test('a refresh that ends late does not replace the report of the one after it', async () => {
    const late = Promise.withResolvers<undefined>();
    let refreshes = 0;
    const { check } = opened({
      ...one,
      check: async (body) => {
        if (!body.fresh) return genuine(body);
        refreshes += 1;
        if (refreshes > 1) return genuine(body);
        await late.promise;
        return notFound(body);
      },
    });
    check.replaceText(code, false);
    await check.submit();
    const pendingCheck = check.entries[0]?.pendingChecks[0];
    if (pendingCheck === undefined) throw new Error('There is no pending check.');
    const older = check.refresh(pendingCheck);
    await check.refresh(pendingCheck);
    late.resolve(undefined);
    await older;
    expect(pendingCheck.report?.outcome).toMatchObject(succeed({ kind: 'purchase' }));
  });

  test('a refresh that fails leaves the known answer, and says why', async () => {
    let isDown = false;
    const { check, checks } = opened({
      ...one,
      check: (body) => (isDown ? faulty(body, { kind: 'unreachable' }) : genuine(body)),
    });
    check.replaceText(code, false);
    await check.submit();
    const pendingCheck = check.entries[0]?.pendingChecks[0];
    if (pendingCheck === undefined) throw new Error('There is no pending check.');
    const known = pendingCheck.report;
    isDown = true;
    await check.refresh(pendingCheck);
    expect(pendingCheck).toMatchObject({ state: 'settled', refreshFault: { kind: 'unreachable' } });
    expect(pendingCheck.report).toBe(known);
    isDown = false;
    await check.retryFaults('unreachable');
    expect(checks().at(-1)).toMatchObject({ fresh: true });
    expect(pendingCheck.refreshFault).toBeUndefined();
    expect(pendingCheck.report?.outcome.ok).toBe(true);
  });

  test('once its cause is mended, a fault is asked about again, and nothing else', async () => {
    let locked = true;
    const { check, checks } = opened({
      ...two,
      check: (body) => {
        if (body.connectionId === 'demo') return notFound(body);
        return locked ? faulty(body, { kind: 'locked' }) : genuine(body);
      },
    });
    check.replaceText(code, false);
    await check.submit();
    locked = false;
    await check.retryFaults('locked');
    expect(checks().map(({ connectionId }) => connectionId)).toEqual(['market', 'demo', 'market']);
    expect(check.entries[0]?.pendingChecks[0]?.report?.outcome.ok).toBe(true);
  });
});

test('a worker that is gone leaves no question spinning, and none of the codes after it', async () => {
  const { check } = opened({ 'connections.list': () => [connection()] });
  check.replaceText(`${code}\n${otherCode}`, false);
  await expect(check.submit()).rejects.toThrow();
  const settled = { state: 'settled', report: undefined };
  expect(check.entries).toMatchObject([{ pendingChecks: [settled] }, { pendingChecks: [settled] }]);
});

describe('a connection that the worker could not ask about', () => {
  const submitted = async (reply: typeof notFound) => {
    const { check } = opened({
      ...two,
      check: (body) => (body.connectionId === 'demo' ? Promise.reject(new Error()) : reply(body)),
    });
    check.replaceText(code, false);
    await expect(check.submit()).rejects.toThrow();
    return verdictOfCode(check.entries[0]?.pendingChecks ?? [], now);
  };

  test('may know the code, so that nothing is said of it', async () => {
    expect(await submitted(notFound)).toBeUndefined();
  });

  test('takes nothing from a purchase that another one knows', async () => {
    expect(await submitted(genuine)).toMatchObject({ lead: { connectionId: 'market' } });
  });
});

describe('waiting', () => {
  test('a question is put again when the server said it may be', async () => {
    let times = 0;
    const { check, checks } = opened({
      ...one,
      check: (body) => ((times += 1) === 1 ? faulty(body, busy) : genuine(body)),
    });
    check.replaceText(code, false);
    const done = check.submit();
    await vi.advanceTimersByTimeAsync(4999);
    expect(check.entries[0]?.pendingChecks[0]?.nextRunAt).toBe(now + 5000);
    expect(checks()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(checks()).toHaveLength(2);
    expect(check.entries[0]?.pendingChecks[0]).toMatchObject({
      state: 'settled',
      nextRunAt: undefined,
    });
  });

  test('once it is over, what it said is gone until there is an answer', async () => {
    const told: unknown[] = [];
    const { check, checks } = opened({
      ...one,
      check: (body) => {
        told.push(check.entries[0]?.pendingChecks[0]?.report);
        return checks().length === 1 ? faulty(body, busy) : genuine(body);
      },
    });
    check.replaceText(code, false);
    const done = check.submit();
    await vi.advanceTimersByTimeAsync(1000);
    expect(check.entries[0]?.pendingChecks[0]?.report?.outcome).toEqual(fail(busy));
    await vi.advanceTimersByTimeAsync(5000);
    await done;
    expect(told).toEqual([undefined, undefined]);
    expect(check.entries[0]?.pendingChecks[0]?.report?.outcome.ok).toBe(true);
  });

  test('once it is over, an answer from before stays', async () => {
    const answer = { kind: 'not-found', msg: '', key: 'good', proven: true } as const;
    const lastKnown = { checkedAt: now - 1000, answer };
    const told: unknown[] = [];
    const { check } = opened({
      ...one,
      check: (body) => {
        told.push(check.entries[0]?.pendingChecks[0]?.report?.lastKnown);
        return told.length === 1 ? { ...faulty(body, busy), lastKnown } : genuine(body);
      },
    });
    check.replaceText(code, false);
    const done = check.submit();
    await vi.advanceTimersByTimeAsync(6000);
    await done;
    expect(told).toEqual([undefined, lastKnown]);
  });

  test('after three times the agent decides', async () => {
    const { check, checks } = opened({
      ...one,
      check: (body) =>
        faulty(body, { kind: 'server-error', status: 503, retryAt: Date.now() + 1000 }),
    });
    check.replaceText(code, false);
    const done = check.submit();
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect(checks()).toHaveLength(4);
    expect(check.entries[0]?.pendingChecks[0]?.nextRunAt).toBeUndefined();
  });

  test('a wait of more than a quarter of an hour is left to the agent', async () => {
    const { check, checks } = opened({
      ...one,
      check: (body) => faulty(body, { ...busy, retryAt: now + 16 * 60_000 }),
    });
    check.replaceText(code, false);
    await check.submit();
    await vi.advanceTimersByTimeAsync(20 * 60_000);
    expect(checks()).toHaveLength(1);
  });

  test('a new submission ends the wait', async () => {
    const { check, checks } = opened({
      ...one,
      check: (body) => (body.code === code ? faulty(body, busy) : genuine(body)),
    });
    check.replaceText(code, false);
    const first = check.submit();
    await vi.advanceTimersByTimeAsync(1000);
    check.replaceText(otherCode, false);
    await check.submit();
    await first;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(checks().map((body) => body.code)).toEqual([code, otherCode]);
  });
});

describe('a search among a seller’s items', () => {
  const searching = (asked: number, of: number): Fault => ({
    kind: 'rate-limited',
    retryAt: now,
    by: 'pacing',
    search: { asked, of },
  });

  test('goes on by itself as long as it comes further, and says how far it is meanwhile', async () => {
    const told: unknown[] = [];
    let asked = 0;
    const { check, checks } = opened({
      ...one,
      check: (body) => {
        told.push(check.entries[0]?.pendingChecks[0]?.step?.outcome);
        asked += 1;
        return asked > 6 ? genuine(body) : faulty(body, searching(asked, 9));
      },
    });
    check.replaceText(code, false);
    await check.submit();
    expect(checks()).toHaveLength(7);
    expect(told.at(-1)).toEqual(fail(searching(6, 9)));
    expect(check.entries[0]?.pendingChecks[0]).toMatchObject({
      state: 'settled',
      step: undefined,
      report: { outcome: { ok: true } },
    });
  });

  test('ends after its repetitions where it stands still', async () => {
    const { check, checks } = opened({ ...one, check: (body) => faulty(body, searching(3, 9)) });
    check.replaceText(code, false);
    const submitted = check.submit();
    await vi.advanceTimersByTimeAsync(20_000);
    await submitted;
    expect(checks()).toHaveLength(5);
  });

  test('can be stopped, and shows how far it came', async () => {
    let asked = 0;
    const { check, checks } = opened({
      ...one,
      check: (body) => {
        asked += 1;
        const pending = check.entries[0]?.pendingChecks[0];
        if (asked === 3 && pending !== undefined) check.stop(pending);
        return faulty(body, searching(asked, 9));
      },
    });
    check.replaceText(code, false);
    await check.submit();
    expect(checks()).toHaveLength(3);
    expect(check.entries[0]?.pendingChecks[0]).toMatchObject({
      state: 'settled',
      nextRunAt: undefined,
      report: { outcome: { fault: searching(2, 9) } },
    });
  });
});

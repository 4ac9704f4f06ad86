import { expect, test } from 'vitest';

import { useCheck } from '#stores/check/check';
import { type CheckedCode, summariseAnswer } from '#core/check/index';
import { maskCode } from '#core/codes/index';
import type { ConnectionState } from '#core/connections/index';
import type { HistoryEntry } from '#core/history/index';
import { recentChecksPort, useRecent } from '#stores/check/recent';
import { everyConnection } from '#stores/connections/connections';
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
import { scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

/** Opens a view over what an earlier one has left. */
function opened(left: readonly CheckedCode[] = [], history: readonly HistoryEntry[] = []) {
  const stored = { checks: left, remove: (): void => undefined };
  const lock = { isLocked: false };
  const server: { isSilent: boolean; besides?: ConnectionState[] } = { isSilent: false };
  const worker = scriptedWorker({
    'connections.list': () => [connection(), ...(server.besides ?? [])],
    check: (body) => {
      if (server.isSilent || body.connectionId === demo.id) return new Promise(() => undefined);
      if (lock.isLocked) return faulty(body, { kind: 'locked' });
      return body.code === thirdCode ? notFound(body) : genuine(body);
    },
  });
  const pinia = withPorts({
    ask: worker.ask,
    provide: (app) =>
      app.provide(recentChecksPort, {
        read: () => Promise.resolve(stored.checks),
        change: (edit) => {
          stored.checks = structuredClone(edit(stored.checks));
          return Promise.resolve();
        },
        watch: (called) => (stored.remove = called),
        stored: () => Promise.resolve(history),
      }),
  });
  const check = useCheck(pinia);
  const shown = (): string[] => useRecent(pinia).entries.map((entry) => entry.code);
  const submit = async (text: string): Promise<void> => {
    check.replaceText(text, false);
    await check.submit();
  };
  return {
    check,
    /** The list is loaded later than the field. */
    get recent() {
      return useRecent(pinia);
    },
    shown,
    submit,
    stored,
    lock,
    server,
    checks: () => worker.bodies('check'),
  };
}

const asked = (checked: string) => ({ code: checked, connectionId: 'market' });
const finished = (checked: string): CheckedCode => ({
  code: checked,
  checks: [{ connectionId: 'market', report: genuine(asked(checked)) }],
});
const unfinished = (checked: string): CheckedCode => ({
  code: checked,
  checks: [{ connectionId: 'market' }],
});

test('what was checked is there in the next view, the latest first, and asks nobody', async () => {
  const first = opened();
  await first.recent.restore();
  await first.submit(code);
  await first.submit(otherCode);
  const next = opened(first.stored.checks);
  await next.recent.restore();
  expect(next.shown()).toEqual([otherCode, code]);
  expect(next.check.entries).toEqual([]);
  const [latest] = next.recent.entries;
  if (latest === undefined) throw new Error('There is no entry.');
  next.recent.open(latest);
  expect(next.check.draft).toBe(otherCode);
  expect(next.check.entries[0]?.pendingChecks[0]?.report?.outcome.ok).toBe(true);
  expect(next.shown()).toEqual([code]);
  expect(next.checks()).toEqual([]);
});

test('codes that were checked before the list was loaded are all in it, and are stored', async () => {
  const view = opened([finished(thirdCode)]);
  await view.submit(code);
  await view.submit(otherCode);
  await view.recent.restore();
  expect(view.shown()).toEqual([code, thirdCode]);
  await expect
    .poll(() => view.stored.checks.map((each) => each.code))
    .toEqual([otherCode, code, thirdCode]);
});

test('an opened check can be refreshed', async () => {
  const { check, recent, checks } = opened([finished(code)]);
  await recent.restore();
  const [entry] = recent.entries;
  if (entry === undefined) throw new Error('There is no entry.');
  recent.open(entry);
  const pendingCheck = check.entries[0]?.pendingChecks[0];
  if (pendingCheck === undefined) throw new Error('There is no pending check.');
  await check.refresh(pendingCheck);
  expect(checks()).toMatchObject([{ code, connectionId: 'market', fresh: true }]);
  expect(pendingCheck.state).toBe('settled');
});

test('a check that was closed midway is begun again', async () => {
  const { check, recent, checks } = opened([unfinished(code), finished(otherCode)]);
  await recent.restore();
  expect(check.draft).toBe(code);
  expect(checks().map((body) => body.code)).toEqual([code]);
});

test('a check that nobody answers yet is stored as well, so that it can be begun again', async () => {
  const { recent, submit, stored, server } = opened([finished(otherCode)]);
  await recent.restore();
  server.isSilent = true;
  void submit(code);
  await expect
    .poll(() => stored.checks)
    .toEqual([{ ...unfinished(code), lookedUpAt: now }, finished(otherCode)]);
});

test('a text in the field wins over a check that was closed midway', async () => {
  const { check, recent, checks } = opened([unfinished(code)]);
  check.replaceText(otherCode, false);
  await recent.restore();
  expect(check.draft).toBe(otherCode);
  expect(checks()).toEqual([]);
});

test('only the newest may be unfinished; an older one is left out', async () => {
  const { recent, shown, checks } = opened([finished(otherCode), unfinished(code)]);
  await recent.restore();
  expect(shown()).toEqual([otherCode]);
  expect(checks()).toEqual([]);
});

test('a check of a connection that is gone is left out', async () => {
  const gone = { code, checks: [{ connectionId: 'gone', report: genuine(asked(code)) }] };
  const { recent, shown } = opened([gone]);
  await recent.restore();
  expect(shown()).toEqual([]);
});

test('five are stored', async () => {
  const codes = Array.from({ length: 7 }, (_, at) => `${String(at)}${code.slice(1)}`);
  const { recent, shown } = opened(codes.map(finished));
  await recent.restore();
  expect(shown()).toEqual(codes.slice(0, 5));
});

test('nothing is written over before what is stored was read', async () => {
  const { submit, recent, stored, shown } = opened([finished(otherCode)]);
  await submit(code);
  expect(stored.checks.map((each) => each.code)).toEqual([otherCode]);
  await recent.restore();
  await submit(thirdCode);
  expect(shown()).toEqual([code, otherCode]);
  expect(stored.checks.map((each) => each.code)).toEqual([thirdCode, code, otherCode]);
});

test('what another view has checked meanwhile stays, behind the present check and before the earlier ones', async () => {
  const panel = opened([finished(otherCode)]);
  await panel.recent.restore();
  const inPopup = `0${code.slice(1)}`;
  panel.stored.checks = [finished(inPopup), finished(otherCode)];
  await panel.submit(code);
  expect(panel.stored.checks.map((each) => each.code)).toEqual([code, inPopup, otherCode]);
});

test('a code that another view has checked again keeps its newer answer', async () => {
  const panel = opened([finished(otherCode)]);
  await panel.recent.restore();
  const newer = {
    code: otherCode,
    checks: [
      { connectionId: 'market', report: { ...genuine(asked(otherCode)), checkedAt: now + 1 } },
    ],
  };
  panel.stored.checks = [newer];
  await panel.submit(code);
  expect(panel.stored.checks).toMatchObject([{ code }, newer]);
});

test('a check that was given up before it had an answer is not kept', async () => {
  const { recent, submit, stored, server } = opened([unfinished(otherCode)]);
  await recent.restore(Promise.resolve(false));
  server.isSilent = true;
  void submit(thirdCode);
  await expect.poll(() => stored.checks).toEqual([{ ...unfinished(thirdCode), lookedUpAt: now }]);
  server.isSilent = false;
  await submit(code);
  expect(stored.checks).toMatchObject([{ code }]);
});

test('an unfinished check that is cleared is not begun again, though one of its connections has answered', async () => {
  const { recent, check, submit, stored, server } = opened([finished(otherCode)]);
  server.besides = [demo];
  await recent.restore();
  check.choose(everyConnection);
  void submit(code);
  await expect
    .poll(() => stored.checks[0]?.checks.map(({ report }) => report !== undefined))
    .toEqual([true, false]);
  check.clear();
  await expect.poll(() => stored.checks).toEqual([finished(otherCode)]);
});

test('an unfinished check that is cleared leaves the earlier answer to its code', async () => {
  const { recent, check, submit, stored, server } = opened([finished(code)]);
  await recent.restore();
  server.isSilent = true;
  void submit(code);
  await expect.poll(() => stored.checks).toEqual([{ ...unfinished(code), lookedUpAt: now }]);
  check.clear();
  await expect.poll(() => stored.checks).toEqual([finished(code)]);
});

test('once the keys are locked no answer stays, and no code that was asked while they were', async () => {
  const { recent, submit, stored, lock } = opened();
  await recent.restore();
  await submit(code);
  lock.isLocked = true;
  await submit(otherCode);
  expect(stored.checks).toEqual([]);
  lock.isLocked = false;
  await submit(thirdCode);
  expect(stored.checks.map((each) => each.code)).toEqual([thirdCode, code]);
});

/** An entry of the history, some minutes ago. */
function entryOf(checked: string, minutesAgo: number, more: Partial<HistoryEntry> = {}) {
  const { outcome } = genuine(asked(checked));
  if (!outcome.ok) throw new Error('It is genuine.');
  return {
    id: minutesAgo,
    codeId: checked,
    code: maskCode(checked),
    connectionId: 'market',
    connectionName: 'Market',
    by: 'agent',
    question: String(minutesAgo),
    checkedAt: now - minutesAgo * 60_000,
    answer: summariseAnswer(outcome.value),
    ...more,
  } satisfies HistoryEntry;
}

test('after a restart the history fills the list: each code once, the agent’s own checks alone', async () => {
  const { recent, shown } = opened(
    [finished(code)],
    [
      entryOf(code, 1),
      entryOf(otherCode, 5),
      entryOf(thirdCode, 6, { by: 'bulk', jobId: 'job' }),
      entryOf(otherCode, 50),
    ],
  );
  await recent.restore();
  await expect.poll(() => recent.earlier.map(({ id }) => id)).toEqual([5]);
  expect(shown()).toEqual([code]);
});

test('the history is not looked into while five are kept', async () => {
  const codes = Array.from({ length: 5 }, (_, at) => `${String(at)}${code.slice(1)}`);
  const { recent } = opened(codes.map(finished), [entryOf(otherCode, 5)]);
  await recent.restore();
  expect(recent.earlier).toEqual([]);
});

test('a code that the history has whole is asked about again', async () => {
  const { recent, check, checks } = opened([], [entryOf(code, 5, { code })]);
  await recent.restore();
  recent.checkAgain(code);
  await expect.poll(() => checks().map((body) => body.code)).toEqual([code]);
  expect(check.draft).toBe(code);
  expect(recent.earlier).toEqual([]);
});

test('a code that only looks like one of the present ones when masked is shown', async () => {
  const [checked, alike] = ['AB12-0001-ZZ99-77C4', 'AB12-0002-ZZ99-77C4'];
  const masked = maskCode(checked);
  const { recent, submit } = opened(
    [],
    [
      entryOf(alike, 5, { code: alike }),
      entryOf(checked, 6, { code: checked.toLowerCase() }),
      entryOf(masked, 7, { code: masked }),
    ],
  );
  await recent.restore();
  await submit(checked);
  await expect.poll(() => recent.earlier.map(({ code: shown }) => shown)).toEqual([alike]);
});

test('what was removed is neither shown nor written again', async () => {
  const view = opened();
  await view.recent.restore();
  await view.submit(otherCode);
  await view.submit(code);
  expect(view.stored.checks).toMatchObject([{ code }, { code: otherCode }]);
  view.stored.checks = [];
  view.stored.remove();
  await expect.poll(() => [view.check.entries, view.shown()]).toEqual([[], []]);
  expect(view.check.draft).toBe(code);
  await view.submit(thirdCode);
  expect(view.shown()).toEqual([]);
  expect(view.stored.checks).toMatchObject([{ code: thirdCode }]);
});

test('a check that found the keys locked says so, though what was kept is removed meanwhile', async () => {
  const view = opened();
  await view.recent.restore();
  view.lock.isLocked = true;
  const submitted = view.submit(code);
  // The worker removes what is kept before it answers.
  view.stored.remove();
  await submitted;
  view.stored.remove();
  expect(view.check.entries).toMatchObject([
    { pendingChecks: [{ state: 'settled', report: { outcome: { fault: { kind: 'locked' } } } }] },
  ]);
});

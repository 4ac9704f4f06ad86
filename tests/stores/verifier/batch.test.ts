import { describe, expect, test, vi } from 'vitest';
import { watch, watchEffect } from 'vue';

import { findLines } from '#core/verifier/verifier';
import type { InspectionContext } from '#core/verifier/index';
import { maxInVain, useBatch } from '#stores/verifier/batch';
import type { NamedFile } from '#stores/ui/dropped-files';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import {
  createInProcessVerify,
  createMemoryKeyRing,
  pinnedKey,
  settled,
  withVerifierPorts,
} from '#tests/stores/verifier/verifier-ports';

const authority = createTestAuthority();
const key = pinnedKey(authority.publicKey);
const context: InspectionContext = {
  now: Date.now(),
  keys: [key],
  expected: {},
  unreached: false,
};
const numbers = Array.from({ length: 70 }, (_, at) => at + 1);
const states = numbers.map((number) => installationState(authority, { number }));
const files = states.map((state, at): NamedFile => {
  const name = `customer-${String(at + 1)}.json`;
  return { name, file: new File([state], name) };
});

function opened() {
  const verify = createInProcessVerify(2);
  const ring = createMemoryKeyRing([key]);
  return { batch: useBatch(withVerifierPorts({ verify, ring })), verify, ring };
}

describe('many files', () => {
  test('become rows in the order they were given', async () => {
    const { batch } = opened();
    await batch.openFiles(files, context);
    expect(batch.state).toBe('done');
    expect(batch.rows.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
    expect(new Set(batch.rows.map(({ standing }) => standing))).toEqual(new Set(['activated']));
    expect([batch.done, batch.total]).toEqual([files.length, files.length]);
  });

  test('that replace a list while it is read keep their own total', async () => {
    const { batch } = opened();
    const list = new File(
      [Array.from({ length: 20 }, () => states.join('\n')).join('\n')],
      'all.jsonl',
    );
    const lines = (await findLines(list)) ?? expect.unreachable();
    const replaced = batch.openList({ name: list.name, file: list }, lines, context);
    const opening = batch.openFiles(files, context);
    const totals = new Set<number>();
    watch(
      () => batch.total,
      (total) => totals.add(total),
      { flush: 'sync', immediate: true },
    );
    await Promise.all([replaced, opening]);
    expect([...totals]).toEqual([files.length]);
    expect(batch.rows).toHaveLength(files.length);
  });

  test('whose worker was lost are rows that say so', async () => {
    const { batch, verify } = opened();
    verify.lose(true);
    await batch.openFiles(files.slice(0, 3), context);
    expect(batch.rows).toHaveLength(3);
    expect(batch.rows[0]).toMatchObject({ standing: 'unverified', name: 'customer-1.json' });
    expect(batch.rows[0]?.headline).toBeUndefined();
  });
});

test('a file that costs a worker its life takes none of the files beside it along', async () => {
  const inner = createInProcessVerify(2);
  const batch = useBatch(
    withVerifierPorts({
      ring: createMemoryKeyRing([key]),
      verify: {
        size: 2,
        ask: (question) => {
          const isDeadly =
            question.ask === 'inspect-many' &&
            question.sources.some(
              (source) => 'parts' in source && source.parts.some(({ size }) => size === 13),
            );
          return isDeadly ? Promise.reject(new Error('lost')) : inner.ask(question);
        },
      },
    }),
  );
  const deadly = { name: 'deadly.json', file: new File(['x'.repeat(13)], 'deadly.json') };
  await batch.openFiles([...files.slice(0, 20), deadly, ...files.slice(20)], context);
  expect(batch.rows).toHaveLength(files.length + 1);
  const lost = batch.rows.filter(({ headline }) => headline === undefined);
  expect(lost.map(({ name }) => name)).toEqual(['deadly.json']);
});

describe('a long batch', () => {
  test('counts often, and draws its table ever more rarely', async () => {
    vi.useFakeTimers();
    const answerMs = 500;
    const batch = useBatch(
      withVerifierPorts({
        ring: createMemoryKeyRing([key]),
        verify: {
          size: 1,
          ask: async (question) => {
            await new Promise((done) => setTimeout(done, answerMs));
            if (question.ask !== 'inspect-many') throw new Error(question.ask);
            const summary = { standing: 'unverified' as const, failed: [], warned: [] };
            return question.sources.map(() => summary) as never;
          },
        },
      }),
    );
    let [counts, draws] = [0, 0];
    watch(
      () => batch.done,
      () => (counts += 1),
      { flush: 'sync' },
    );
    watchEffect(
      () => {
        if (batch.rows.length > 0) draws += 1;
      },
      { flush: 'sync' },
    );
    const many = Array.from({ length: 51_200 }, () => files[0] ?? expect.unreachable());
    const running = batch.openFiles(many, context);
    await vi.runAllTimersAsync();
    await running;
    vi.useRealTimers();
    expect(batch.rows).toHaveLength(51_200);
    expect(counts).toBeGreaterThan(90);
    expect(draws).toBeLessThan(45);
  });
});

describe('a list', () => {
  async function openedList(file: File) {
    const { batch, verify } = opened();
    const lines = (await findLines(file)) ?? expect.unreachable();
    await batch.openList({ name: file.name, file }, lines, context);
    return { batch, verify };
  }

  test('has a row for each line, which is judged again by its bytes', async () => {
    const { batch } = await openedList(new File([states.join('\r\n')], 'all.jsonl'));
    expect(batch.rows.map(({ name }) => name)).toEqual(
      numbers.map((number) => `all.jsonl:${String(number)}`),
    );
    expect(new Set(batch.rows.map(({ standing }) => standing))).toEqual(new Set(['activated']));
    const row = batch.rows[41] ?? expect.unreachable();
    await batch.inspectAgain(row, { ...context, keys: [] });
    expect(batch.rows.filter(({ standing }) => standing === 'unverified')).toEqual([
      expect.objectContaining({ index: 41, name: 'all.jsonl:42', source: row.source }),
    ]);
  });

  test('judges a line too long for a license by its size, and the lines around it by what they say', async () => {
    const long = '\n{"x":"'.padEnd(2_000_000, 'x');
    const text = `${states.slice(0, 60).join('\n')}${long}\n${states[60] ?? ''}`;
    const { batch } = await openedList(new File([text], 'list.jsonl'));
    expect(batch.rows.map(({ standing }) => standing)).toEqual([
      ...Array.from({ length: 60 }, () => 'activated'),
      'unverified',
      'activated',
    ]);
    expect(batch.rows[60]?.headline?.sentences[0]?.id).toBe('source-too-large');
  });

  test('that is gone once its lines are found has a row for each that says so, and the run ends', async () => {
    class LostFile extends File {
      override slice(from?: number, to?: number): Blob {
        const slice = super.slice(from, to);
        slice.arrayBuffer = () =>
          Promise.reject(new DOMException('The file is gone.', 'NotReadableError'));
        return slice;
      }
    }
    const lines = await findLines(new File([states.join('\n')], 'all.jsonl'));
    const file = new LostFile([states.join('\n')], 'all.jsonl');
    const { batch } = opened();
    await batch.openList({ name: file.name, file }, lines ?? expect.unreachable(), context);
    expect(batch.state).toBe('done');
    expect(batch.rows).toHaveLength(states.length);
    expect(new Set(batch.rows.map(({ standing }) => standing))).toEqual(new Set(['unverified']));
  });
});

describe('documents that no key verifies', () => {
  test('stop the run at a bound, and it goes on where it stopped', async () => {
    const asked: number[] = [];
    const batch = useBatch(
      withVerifierPorts({
        ring: createMemoryKeyRing([key]),
        verify: {
          size: 1,
          ask: async (question) => {
            await Promise.resolve();
            if (question.ask !== 'inspect-many') throw new Error(question.ask);
            asked.push(question.sources.length);
            const summary = { standing: 'unverified' as const, failed: [], warned: [] };
            const summaries = question.sources.map(() => ({ ...summary, triedInVain: 2000 }));
            return summaries as never;
          },
        },
      }),
    );
    const many = [...files, ...files, ...files];
    await batch.openFiles(many, context);
    expect(batch.state).toBe('stopped');
    const judged = batch.rows.length;
    // Two messages are in flight when the bound of 50 such documents is met.
    expect(judged).toBeGreaterThanOrEqual(maxInVain / 2000);
    expect(judged).toBeLessThan(many.length);

    while (batch.state === 'stopped') await batch.goOn();
    expect(batch.state).toBe('done');
    expect(batch.rows).toHaveLength(many.length);
    expect(asked.reduce((sum, count) => sum + count, 0)).toBe(many.length);
  });
});

describe('a key that is revoked in another window', () => {
  const revoked = { ...key, revoked: true };
  const standings = (rows: readonly { standing: string }[]) => rows.map(({ standing }) => standing);
  const unverified = files.map(() => 'unverified');

  test('vouches for no row of a run under way, also none that was judged before', async () => {
    const { batch, verify, ring } = opened();
    verify.hold();
    void batch.openFiles(files, context);
    await expect.poll(() => verify.requests.length).toBeGreaterThan(0);
    await verify.release();
    await expect.poll(() => standings(batch.rows)).toContain('activated');
    ring.changeElsewhere([revoked]);
    await expect.poll(() => batch.rows).toEqual([]);
    while (batch.state === 'running') await verify.release();
    expect(standings(batch.rows)).toEqual(unverified);
  });

  test('vouches for no row of a run that is over', async () => {
    const { batch, ring } = opened();
    await batch.openFiles(files, context);
    ring.changeElsewhere([revoked]);
    await expect.poll(() => standings(batch.rows)).toEqual(unverified);
  });

  test('before the run, and after its context was read, vouches for no row either', async () => {
    const { batch, ring } = opened();
    ring.changeElsewhere([revoked]);
    await batch.openFiles(files, context);
    expect(standings(batch.rows)).toEqual(unverified);
  });
});

test('a run is not judged anew because a key is called otherwise, or has a document that it signed', async () => {
  const { batch, verify, ring } = opened();
  await batch.openFiles(files, context);
  const asked = verify.requests.length;
  const form = { encoding: 'token', input: 'payload' } as const;
  ring.changeElsewhere([{ ...key, label: 'Ours', remembered: { license: form } }]);
  await settled();
  expect(verify.requests).toHaveLength(asked);
  ring.changeElsewhere([]);
  await expect.poll(() => verify.requests.length).toBeGreaterThan(asked);
});

describe('a run', () => {
  test('that is cancelled keeps the rows it has and begins no further ones', async () => {
    const { batch, verify } = opened();
    verify.hold();
    const running = batch.openFiles(files, context);
    await vi.waitFor(() => {
      expect(verify.requests.length).toBeGreaterThan(0);
    });
    batch.cancel();
    const sent = verify.requests.length;
    for (let each = 0; each < sent; each += 1) await verify.release();
    await running;
    expect(batch.state).toBe('cancelled');
    expect(verify.requests).toHaveLength(sent);
    expect(batch.rows.length).toBeGreaterThan(0);
  });

  test('that is put away does not come back with its rows', async () => {
    const { batch, verify } = opened();
    verify.hold();
    const older = batch.openFiles(files.slice(0, 2), context);
    await vi.waitFor(() => {
      expect(verify.requests).toHaveLength(1);
    });
    batch.clear();
    await verify.release();
    await older;
    expect([batch.state, batch.rows]).toEqual(['idle', []]);
  });

  test('does not add its rows to the run after it', async () => {
    const { batch, verify } = opened();
    verify.hold();
    const older = batch.openFiles(files.slice(0, 2), context);
    const newer = batch.openFiles(files.slice(2, 3), context);
    await vi.waitFor(() => {
      expect(verify.requests).toHaveLength(2);
    });
    await verify.release(1);
    await verify.release(0);
    await Promise.all([older, newer]);
    expect(batch.rows.map(({ name }) => name)).toEqual(['customer-3.json']);
  });
});

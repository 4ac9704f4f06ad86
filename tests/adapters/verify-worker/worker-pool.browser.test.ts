import { afterEach, describe, expect, test } from 'vitest';

import {
  createVerifyPool,
  type VerifyPool,
  VerifyWorkerLost,
} from '#adapters/verify-worker/verify-workers';

/** A worker that doubles numbers, throws at "throw", and never answers "hang". */
const script = `
  addEventListener('message', ({ data: { id, request } }) => {
    if (request === 'hang') for (;;);
    if (request.ms > 0) for (const end = performance.now() + request.ms; performance.now() < end;);
    if (request.ms > 0) request = request.ms / 2;
    if (request === 'crash') { setTimeout(() => { throw new Error('crashed'); }); return; }
    postMessage(request === 'throw' ? { id, error: 'thrown' } : { id, answer: request * 2 });
  });
`;
let started = 0;
let pool: VerifyPool<unknown, number>;

function open(size: number, timeoutMs?: number): VerifyPool<unknown, number> {
  started = 0;
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  pool = createVerifyPool<unknown, number>(
    () => {
      started += 1;
      return new Worker(address);
    },
    size,
    timeoutMs,
  );
  return pool;
}

afterEach(() => {
  pool.close();
});

describe('workers', () => {
  test('start when they are needed, and no more than allowed', async () => {
    const workers = open(2);
    expect(started).toBe(0);
    expect(await workers.ask(1)).toBe(2);
    expect(started).toBe(1);
    expect(await Promise.all([1, 2, 3, 4, 5].map((number) => workers.ask(number)))).toEqual([
      2, 4, 6, 8, 10,
    ]);
    expect(started).toBe(2);
  });

  test('report an error of the worker, and go on', async () => {
    const workers = open(1);
    await expect(workers.ask('throw')).rejects.toThrow('thrown');
    expect(await workers.ask(4)).toBe(8);
    expect(started).toBe(1);
  });

  test('that hang are ended and replaced', async () => {
    const workers = open(1, 1500);
    await expect(workers.ask('hang')).rejects.toBeInstanceOf(VerifyWorkerLost);
    expect(await workers.ask(5)).toBe(10);
    expect(started).toBe(2);
  });

  test('have the whole time for each question, however many wait', async () => {
    const workers = open(1, 1000);
    await workers.ask(1);
    const slow = [400, 400, 400].map((ms) => workers.ask({ ms }));
    expect(await Promise.all([...slow, workers.ask(1)])).toEqual([400, 400, 400, 2]);
    expect(started).toBe(1);
  });

  test('that hang leave the questions that wait to another', async () => {
    const workers = open(1, 1500);
    const answers = await Promise.allSettled(['hang', 3, 4].map((each) => workers.ask(each)));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  test('that are closed answer nothing, and later questions start new ones', async () => {
    const workers = open(1);
    const asked = Promise.allSettled([workers.ask('hang'), workers.ask(3)]);
    workers.close();
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await workers.ask(4)).toBe(8);
  });

  test('that crash take only their own questions with them', async () => {
    const workers = open(2);
    const [crashed, fine] = await Promise.allSettled([workers.ask('crash'), workers.ask(3)]);
    expect(crashed.status).toBe('rejected');
    expect(fine).toEqual({ status: 'fulfilled', value: 6 });
  });
});

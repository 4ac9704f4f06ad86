import { describe, expect, it, vi } from 'vitest';

import { createAsk } from '#messaging/ask';
import { type RequestMessage, handlerLimitMs } from '#messaging/envelope';

const state = { mode: 'device', locked: false, lockAfterMinutes: 15 } as const;
const retryDelays = [0, 0, 0];

/** A worker that goes through `turns`, and the questions it saw. */
function worker(...turns: (() => Promise<unknown>)[]) {
  const questions: RequestMessage[] = [];
  const send = (question: RequestMessage): Promise<unknown> => {
    questions.push(question);
    return turns[Math.min(questions.length, turns.length) - 1]?.() ?? Promise.resolve();
  };
  return { send, questions };
}
const answers = () => Promise.resolve({ answered: true, reply: state });
const closed = () => Promise.reject(new Error('The message channel closed.'));
const silent = () => Promise.resolve(undefined);

describe('ask', () => {
  it('gives the reply', async () => {
    const { send, questions } = worker(answers);
    expect(await createAsk(send)('secrets.state', {})).toEqual(state);
    expect(questions).toMatchObject([{ topic: 'secrets.state', body: {} }]);
  });

  it('asks again, under the same nonce, when the worker was stopped in mid-answer', async () => {
    const { send, questions } = worker(closed, silent, answers);
    expect(await createAsk(send, { retryDelays })('secrets.state', {})).toEqual(state);
    expect(questions).toHaveLength(3);
    expect(new Set(questions.map(({ nonce }) => nonce)).size).toBe(1);
  });

  it('asks two questions under two nonces', async () => {
    const { send, questions } = worker(answers);
    const ask = createAsk(send);
    await ask('secrets.state', {});
    await ask('secrets.state', {});
    expect(questions[0]?.nonce).not.toBe(questions[1]?.nonce);
  });

  it('asks again when an answer does not come in time', async () => {
    const { send, questions } = worker(() => new Promise(() => undefined), answers);
    expect(await createAsk(send, { retryDelays, timeoutMs: () => 1 })('secrets.state', {})).toEqual(
      state,
    );
    expect(questions).toHaveLength(2);
  });

  it('gives up after a bounded number of times', async () => {
    const { send, questions } = worker(closed);
    await expect(createAsk(send, { retryDelays })('secrets.state', {})).rejects.toMatchObject({
      name: 'UnansweredError',
      reason: 'silent',
    });
    expect(questions).toHaveLength(retryDelays.length + 1);
  });

  it('waits longer before each retry unless told otherwise', async () => {
    vi.useFakeTimers();
    try {
      const { send, questions } = worker(silent);
      const asked = expect(createAsk(send)('secrets.state', {})).rejects.toThrow(
        'secrets.state: silent',
      );
      for (const [ms, sent] of [
        [0, 1],
        [49, 1],
        [1, 2],
        [249, 2],
        [1, 3],
        [999, 3],
        [1, 4],
      ] as const) {
        await vi.advanceTimersByTimeAsync(ms);
        expect(questions).toHaveLength(sent);
      }
      await asked;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['items.all', { connectionId: 'c' }],
    ['secrets.state', {}],
  ] as const)('sends %s again only once its handler must have ended', async (topic, body) => {
    vi.useFakeTimers();
    try {
      const { send, questions } = worker(() => new Promise(() => undefined), answers);
      const asked = createAsk(send)(topic, body);
      await vi.advanceTimersByTimeAsync(handlerLimitMs(topic) + 100);
      expect(questions).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(questions).toHaveLength(2);
      await asked;
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes no reply of another form for an answer', async () => {
    const { send } = worker(() => Promise.resolve({ reply: state }), answers);
    expect(await createAsk(send, { retryDelays })('secrets.state', {})).toEqual(state);
  });

  it.each(['refused', 'failed'] as const)('takes %s for an answer', async (reason) => {
    const { send, questions } = worker(() => Promise.resolve({ answered: false, reason }));
    await expect(createAsk(send, { retryDelays })('secrets.state', {})).rejects.toMatchObject({
      topic: 'secrets.state',
      reason,
    });
    expect(questions).toHaveLength(1);
  });
});

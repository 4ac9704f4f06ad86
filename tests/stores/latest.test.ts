import { describe, expect, test } from 'vitest';

import { latest } from '#stores/latest';

describe('latest', () => {
  test('a request is the latest until another one begins', () => {
    const requests = latest();
    const first = requests.begin();
    expect(first.isLatest()).toBe(true);
    const second = requests.begin();
    expect(first.isLatest()).toBe(false);
    expect(second.isLatest()).toBe(true);
  });

  test('a slow answer does not replace a newer one', async () => {
    const requests = latest();
    const slow = Promise.withResolvers<string>();
    let shown = '';
    const show = async (answer: Promise<string>): Promise<void> => {
      const { isLatest } = requests.begin();
      const text = await answer;
      if (isLatest()) shown = text;
    };
    const first = show(slow.promise);
    await show(Promise.resolve('newer'));
    slow.resolve('older');
    await first;
    expect(shown).toBe('newer');
  });

  test('cancelling makes the request under way stale, and a later one may begin', () => {
    const requests = latest();
    const first = requests.begin();
    requests.cancel();
    expect(first.isLatest()).toBe(false);
    expect(requests.begin().isLatest()).toBe(true);
  });

  test('the signal aborts at the moment the request becomes stale', () => {
    const requests = latest();
    const { signal } = requests.begin();
    let aborts = 0;
    signal.addEventListener('abort', () => {
      aborts += 1;
    });
    expect(signal.aborted).toBe(false);
    requests.begin();
    expect(signal.aborted).toBe(true);
    expect(aborts).toBe(1);
  });

  test('a request within another becomes stale with it', () => {
    const inner = latest();
    const outer = latest();
    const { signal } = outer.begin();
    const request = inner.begin(signal);
    expect(request.isLatest()).toBe(true);
    outer.cancel();
    expect(request.isLatest()).toBe(false);
    expect(inner.begin(signal).isLatest()).toBe(false);
  });

  test('two series do not disturb each other', () => {
    const first = latest().begin();
    latest().begin();
    expect(first.isLatest()).toBe(true);
  });
});

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { beforeAll, describe, expect, it } from 'vitest';

import { readers } from '#tests/support/foreign-text-readers';

describe('every reader of foreign text', () => {
  let slow: Readonly<Record<string, readonly string[]>>;
  beforeAll(async () => {
    // The profiler goes over all that its thread has loaded, so it has one that loads nothing else.
    const worker = new Worker(new URL('support/count-steps.ts', import.meta.url));
    [slow] = (await once(worker, 'message')) as [typeof slow];
    await worker.terminate();
  });

  it.each(Object.keys(readers))(
    '%s takes at most 2.5 times the steps for twice the text',
    (name) => {
      expect(slow[name]).toEqual([]);
    },
  );
});

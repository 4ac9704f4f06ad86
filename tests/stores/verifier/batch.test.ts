import { createPinia, setActivePinia } from 'pinia';
import { expect, test } from 'vitest';
import { createApp } from 'vue';

import type { Row } from '#core/verifier/document-report';
import type { Source, VerifierRequest } from '#core/verifier/verifier-request';
import { useBatch } from '#stores/verifier/batch';
import { type Verify, verifyPort } from '#stores/verifier/ports';
import { clockPort } from '#stores/ports';

const context = {
  now: 0,
  keys: [],
  expected: { domain: '', productSlug: '', installationId: '' },
  unreached: false,
};

function batchWith(ask: (request: VerifierRequest) => Row[]): ReturnType<typeof useBatch> {
  const pinia = createPinia();
  const verify = { size: 1, ask: (request) => Promise.resolve(ask(request)) } as Verify;
  createApp({})
    .use(pinia)
    .provide(verifyPort, verify)
    .provide(clockPort, () => 0);
  setActivePinia(pinia);
  return useBatch();
}

test('a line too long for a license is judged by its size, and the lines around it as text', async () => {
  const sources: Source[] = [];
  const batch = batchWith((request) => {
    if (request.ask !== 'inspect-many') return [];
    sources.push(...request.sources);
    return request.sources.map(() => ({ standing: 'unverified', failed: [], warned: [] }));
  });
  const file = new File([`first\n${'x'.repeat(300_000)}\nlast`], 'list.txt');
  await batch.openList({ name: 'list.txt', file }, context);

  expect(sources).toMatchObject([
    { text: 'first' },
    { parts: [{ size: 300_000 }] },
    { text: 'last' },
  ]);
  expect(batch.rows.map(({ name }) => name)).toEqual(['list.txt:1', 'list.txt:2', 'list.txt:3']);
});

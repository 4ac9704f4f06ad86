import { expect, test } from 'vitest';

import type { SharedContent } from '#core/site/share-rule';
import { useSharedContent } from '#stores/verifier/shared-content';
import { withVerifierPorts } from '#tests/stores/verifier/verifier-ports';

const content: SharedContent<Blob> = { id: '1', text: 'a license', files: [] };
const later: SharedContent<Blob> = { id: '2', text: 'another', files: [] };

/** A share target that holds some shares, the oldest first. */
function opened(held: readonly SharedContent<Blob>[]) {
  const waiting = [...held];
  let delayed: Promise<unknown> = Promise.resolve();
  const sharedContent = {
    peek: async () => {
      const [found] = waiting;
      await delayed;
      return found;
    },
    drop: async (dropped: string) => {
      await delayed;
      const at = waiting.findIndex(({ id }) => id === dropped);
      if (at >= 0) waiting.splice(at, 1);
    },
  };
  return {
    store: useSharedContent(withVerifierPorts({ sharedContent })),
    waiting,
    delay: (until: Promise<unknown>) => {
      delayed = until;
    },
  };
}

test('what was shared is shown and left where it is until it is taken', async () => {
  const { store, waiting } = opened([content]);
  await store.refresh();
  expect(store.shared).toEqual(content);
  expect(waiting).toEqual([content]);
  expect(await store.take()).toEqual(content);
  expect(store.shared).toBeUndefined();
  expect(waiting).toEqual([]);
});

test('an empty share target shows nothing', async () => {
  const { store } = opened([]);
  await store.refresh();
  expect(store.shared).toBeUndefined();
});

test('the next share is shown once the first is taken', async () => {
  const { store } = opened([content, later]);
  await store.refresh();
  expect(await store.take()).toEqual(content);
  expect(store.shared).toEqual(later);
});

test('what is taken is shown until it is gone from storage, and is taken once', async () => {
  const { store, delay } = opened([content, later]);
  await store.refresh();
  const slow = Promise.withResolvers<undefined>();
  delay(slow.promise);
  const taking = store.take();
  expect(store.shared).toEqual(content);
  expect(await store.take()).toBeUndefined();
  slow.resolve(undefined);
  expect(await taking).toEqual(content);
  expect(store.shared).toEqual(later);
});

test('what was taken does not come back from a look that ends late', async () => {
  const { store, delay } = opened([content]);
  await store.refresh();
  const slow = Promise.withResolvers<undefined>();
  delay(slow.promise);
  const looking = store.refresh();
  delay(Promise.resolve());
  expect(await store.take()).toEqual(content);
  slow.resolve(undefined);
  await looking;
  expect(store.shared).toBeUndefined();
});

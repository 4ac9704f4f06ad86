import { expect, test } from 'vitest';

import type { SharedContent } from '#stores/verifier/ports';
import { useSharedContent } from '#stores/verifier/shared-text';
import { withVerifierPorts } from '#tests/stores/verifier/verifier-ports';

const content: SharedContent = { text: 'a license', files: [] };

/** A share target that holds one thing. */
function opened(held: SharedContent | undefined, wait: Promise<unknown> = Promise.resolve()) {
  let waiting: SharedContent | undefined = held;
  const sharedContent = {
    peek: async () => {
      const found = waiting;
      await wait;
      return found;
    },
    drop: () => {
      waiting = undefined;
      return Promise.resolve();
    },
  };
  return {
    inbox: useSharedContent(withVerifierPorts({ sharedContent })),
    isEmpty: () => waiting === undefined,
  };
}

test('what was shared is shown and left where it is until it is taken', async () => {
  const { inbox, isEmpty } = opened(content);
  await inbox.look();
  expect(inbox.shared).toEqual(content);
  expect(isEmpty()).toBe(false);
  expect(await inbox.take()).toEqual(content);
  expect(inbox.shared).toBeUndefined();
  expect(isEmpty()).toBe(true);
});

test('an empty share target shows nothing', async () => {
  const { inbox } = opened(undefined);
  await inbox.look();
  expect(inbox.shared).toBeUndefined();
});

test('what was taken does not come back from a look that ends late', async () => {
  const slow = Promise.withResolvers<undefined>();
  const { inbox } = opened(content, slow.promise);
  const looking = inbox.look();
  await inbox.take();
  slow.resolve(undefined);
  await looking;
  expect(inbox.shared).toBeUndefined();
});

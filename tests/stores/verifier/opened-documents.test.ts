import { describe, expect, test, vi } from 'vitest';

import { useOpenedDocuments } from '#stores/verifier/opened-documents';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import {
  createInProcessVerify,
  createMemoryKeyRing,
  pinnedKey,
  settled,
  withVerifierPorts,
} from '#tests/stores/verifier/verifier-ports';

const authority = createTestAuthority();
const state = installationState(authority);

function opened() {
  const verify = createInProcessVerify();
  const ring = createMemoryKeyRing([pinnedKey(authority.publicKey)]);
  const store = useOpenedDocuments(withVerifierPorts({ verify, ring }));
  const judged = (): Promise<void> =>
    vi.waitFor(() => {
      expect(store.busy).toBe(false);
    });
  const requested = (count: number): Promise<void> =>
    vi.waitFor(() => {
      expect(verify.requests).toHaveLength(count);
    });
  const expectDomain = (domain: string): void => {
    store.expected = { ...store.expected, domain };
  };
  return { store, verify, ring, judged, requested, expectDomain };
}

function sentencesOf({ documents }: ReturnType<typeof useOpenedDocuments>): string[] {
  const { headline } = documents[0]?.report?.inspection ?? {};
  return headline?.sentences.map(({ id }) => id) ?? [];
}

describe('stale answers', () => {
  /** A document judged once, then for two expected domains, with both answers held back. */
  async function judgedForTwoDomains(options: { readonly loseOlder?: boolean } = {}) {
    const parts = opened();
    const { store, verify, judged, requested, expectDomain } = parts;
    store.openText(state);
    await judged();
    verify.hold();
    verify.lose(options.loseOlder === true);
    expectDomain('other.example.com');
    await requested(2);
    verify.lose(false);
    expectDomain('shop.example.com');
    await requested(3);
    return parts;
  }

  test('a judgement for an older expected domain does not replace the newer one', async () => {
    const { store, verify } = await judgedForTwoDomains();
    await verify.release(1);
    await verify.release(0);
    expect(store.busy).toBe(false);
    expect(sentencesOf(store)).toEqual(['activated']);
  });

  test('a document stays busy until its newest judgement has come', async () => {
    const { store, verify } = await judgedForTwoDomains();
    await verify.release(0);
    expect(store.busy).toBe(true);
    await verify.release(0);
    expect(store.busy).toBe(false);
  });

  test('a worker lost over the older question takes nothing from the newer answer', async () => {
    const { store, verify } = await judgedForTwoDomains({ loseOlder: true });
    await verify.release(1);
    await verify.release(0);
    expect(store.documents[0]?.lost).toBe(false);
    expect(sentencesOf(store)).toEqual(['activated']);
  });

  test('a file whose beginning is read slowly does not replace the text given after it', async () => {
    const { store, judged } = opened();
    const read = Promise.withResolvers<undefined>();
    const file = new File(['x'.repeat(10_000)], 'older.txt');
    const slice = file.slice.bind(file);
    file.slice = (...range) => {
      const part = slice(...range);
      const text = part.text.bind(part);
      part.text = () => read.promise.then(text);
      return part;
    };
    store.openFiles([{ name: file.name, file }]);
    store.openText(state);
    await judged();
    read.resolve(undefined);
    await settled();
    expect(store.documents.map(({ name }) => name)).toEqual([undefined]);
  });
});

import { describe, expect, test, vi } from 'vitest';

import { useOpenedDocuments } from '#stores/verifier/opened-documents';
import type { DroppedFiles } from '#stores/ui/dropped-files';
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
      expect(store.areJudged).toBe(true);
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
    expect(store.documents[0]?.busy).toBe(false);
    expect(sentencesOf(store)).toEqual(['activated']);
  });

  test('a document stays busy until its newest judgement has come', async () => {
    const { store, verify } = await judgedForTwoDomains();
    await verify.release(0);
    expect(store.documents[0]?.busy).toBe(true);
    await verify.release(0);
    expect(store.documents[0]?.busy).toBe(false);
  });

  test('a worker lost over the older question takes nothing from the newer answer', async () => {
    const { store, verify } = await judgedForTwoDomains({ loseOlder: true });
    await verify.release(1);
    await verify.release(0);
    expect(store.documents[0]?.lost).toBe(false);
    expect(sentencesOf(store)).toEqual(['activated']);
  });

  test('a folder that is read slowly does not replace the text given after it', async () => {
    const { store, judged } = opened();
    const found = Promise.withResolvers<DroppedFiles>();
    const opening = store.openFound(found.promise);
    store.openText(state);
    found.resolve({ files: [{ name: 'older', file: new File(['x'], 'older') }], cut: true });
    await opening;
    await judged();
    expect(store.documents.map(({ name }) => name)).toEqual([undefined]);
    expect(store.cut).toBe(false);
  });

  test('an empty folder takes the pasted text away from nobody', async () => {
    const { store, judged } = opened();
    store.openText(state);
    await judged();
    await store.openFound(Promise.resolve({ files: [], cut: false }));
    await settled();
    expect(store.text).toBe(state);
    expect(sentencesOf(store)).toEqual(['activated']);
  });

  test('an empty folder takes a file away from nobody that is still being opened', async () => {
    const { store, judged } = opened();
    const folder = store.openFound(Promise.resolve({ files: [], cut: false }));
    store.openFiles([{ name: 'state.json', file: new File([state], 'state.json') }]);
    await store.openFound(Promise.resolve({ files: [], cut: false }));
    await folder;
    await expect.poll(() => store.documents).toHaveLength(1);
    await judged();
    expect(sentencesOf(store)).toEqual(['activated']);
  });

  test('a folder that is read slowly does not replace the text typed after it', async () => {
    const { store } = opened();
    const opening = store.openFound(
      settled().then(() => ({
        files: [{ name: 'older', file: new File(['x'], 'older') }],
        cut: true,
      })),
    );
    store.text = 'typed';
    await opening;
    expect(store.text).toBe('typed');
    expect(store.cut).toBe(false);
  });

  test('of two folders the one that was dropped last is opened', async () => {
    const { store, judged } = opened();
    const found = Promise.withResolvers<DroppedFiles>();
    const filesOf = (name: string): DroppedFiles => ({
      files: [{ name, file: new File([state], name) }],
      cut: false,
    });
    const opening = store.openFound(found.promise);
    await store.openFound(Promise.resolve(filesOf('second')));
    found.resolve(filesOf('first'));
    await opening;
    await expect.poll(() => store.documents).toHaveLength(1);
    await judged();
    expect(store.documents.map(({ name }) => name)).toEqual(['second']);
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

describe('what the ticket says', () => {
  const other = installationState(authority, { number: 7, domain: 'other.example.com' });

  /** One customer's document is open, with the ticket's domain typed for it. */
  async function typedForOne() {
    const parts = opened();
    const { store, judged, expectDomain } = parts;
    store.openText(state);
    await judged();
    expectDomain('shop.example.com');
    store.unreached = true;
    await judged();
    return { ...parts, domain: () => store.expected.domain };
  }

  test('is cleared when another customer’s document comes, and can be put back', async () => {
    const { store, judged, domain } = await typedForOne();
    store.openText(other);
    await judged();
    await expect.poll(() => store.cleared).toBeDefined();
    expect(domain()).toBe('');
    expect(store.unreached).toBe(false);
    expect(sentencesOf(store)).toEqual(['activated']);
    store.putBackTicket();
    await expect.poll(() => sentencesOf(store)[0]).toBe('mismatch-domain');
    expect(domain()).toBe('shop.example.com');
    expect(store.unreached).toBe(true);
    expect(store.cleared).toBeUndefined();
  });

  test.each([
    ['the same customer’s document', installationState(authority, { shift: -1000 })],
    ['a text that names nobody', 'My license does not work.'],
  ])('stays for %s', async (_, text) => {
    const { store, judged, domain } = await typedForOne();
    store.openText(text);
    await judged();
    await expect.poll(() => domain()).toBe('shop.example.com');
    expect(store.unreached).toBe(true);
    expect(store.cleared).toBeUndefined();
  });

  test('is known to be another customer’s after a text that names nobody, too', async () => {
    const { store, judged, domain } = await typedForOne();
    store.openText('My license does not work.');
    await judged();
    await expect.poll(() => domain()).toBe('shop.example.com');
    store.openText(other);
    await expect.poll(() => store.cleared).toBeDefined();
    expect(domain()).toBe('');
  });

  test('stays for the same customer’s document after a text that names nobody', async () => {
    const { store, judged, domain } = await typedForOne();
    store.openText('My license does not work.');
    await judged();
    await expect.poll(() => domain()).toBe('shop.example.com');
    store.openText(state);
    await judged();
    await expect.poll(() => domain()).toBe('shop.example.com');
    expect(store.cleared).toBeUndefined();
  });

  test('is not lost when the next document comes before the last one is judged', async () => {
    const { store, judged, domain } = await typedForOne();
    store.openText(other);
    store.openText(state);
    await judged();
    await expect.poll(() => domain()).toBe('shop.example.com');
    expect(store.cleared).toBeUndefined();
  });

  test('is kept when it was typed before the first document', async () => {
    const { store, judged, expectDomain } = opened();
    expectDomain('shop.example.com');
    store.openText(state);
    await judged();
    await settled();
    expect(store.expected.domain).toBe('shop.example.com');
  });

  test('is cleared for a table of many documents', async () => {
    const { store, domain } = await typedForOne();
    store.openFiles(
      Array.from({ length: 101 }, (_, at) => {
        const file = new File([other], `${String(at)}.json`);
        return { name: file.name, file };
      }),
    );
    await expect.poll(() => store.cleared).toBeDefined();
    expect(domain()).toBe('');
  });

  test('counts no more as cleared once something is typed', async () => {
    const { store, expectDomain } = await typedForOne();
    store.openText(other);
    await expect.poll(() => store.cleared).toBeDefined();
    expectDomain('other.example.com');
    await settled();
    expect(store.cleared).toBeUndefined();
  });
});

test('a shared file of which only the name was kept is judged as too large', async () => {
  const { store, judged } = opened();
  store.openShared({ id: '1', text: '', files: [{ name: 'large.lic', size: 5_000_000 }] });
  await expect.poll(() => store.documents).toHaveLength(1);
  await judged();
  expect(sentencesOf(store)).toEqual(['source-too-large']);
});

import { describe, expect, test, vi } from 'vitest';

import type { PinnedKey } from '#core/keys/index';
import { createVerifier } from '#core/verifier/verifier';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import { pinnedKey } from '#tests/stores/verifier/verifier-ports';

const authority = createTestAuthority();
const text = installationState(authority, { number: 1 });
const others = Array.from({ length: 5 }, () => pinnedKey(createTestAuthority().publicKey));

async function triesWith(keys: readonly PinnedKey[], source = text): Promise<number | undefined> {
  const [summary] = await createVerifier().answer({
    ask: 'inspect-many',
    sources: [{ text: source }],
    context: { now: Date.now(), keys, expected: {}, unreached: false },
  });
  return summary?.triedInVain;
}

describe('signature checks in vain', () => {
  test('are counted for a document that no key verifies, each key for each of its signing inputs', async () => {
    const alone = (await triesWith(others.slice(0, 1))) ?? 0;
    expect(alone).toBeGreaterThan(0);
    expect(await triesWith(others)).toBe(others.length * alone);
  });

  test('are not those that verified another document of the same file', async () => {
    const { license } = JSON.parse(text) as Record<string, string>;
    const forged = installationState(createTestAuthority());
    const { activation_certificate: foreign = '' } = JSON.parse(forged) as Record<string, string>;
    const keys = [pinnedKey(authority.publicKey)];
    const alone = await triesWith(keys, foreign);
    expect(alone).toBeGreaterThan(0);
    expect(await triesWith(keys, `${license ?? ''}\n${foreign}`)).toBe(alone);
  });

  test('are none once a key is found, or where there is no key', async () => {
    expect(await triesWith([...others, pinnedKey(authority.publicKey)])).toBeUndefined();
    expect(await triesWith([])).toBeUndefined();
  });
});

describe('the key that vouched for the document before', () => {
  const count = 40;
  const renewed = createTestAuthority();
  const sourcesOf = (from: typeof authority): { text: string }[] =>
    Array.from({ length: count }, (_, number) => ({ text: installationState(from, { number }) }));

  async function checksOf(
    sources: readonly { text: string }[],
    keys: readonly PinnedKey[],
  ): Promise<number> {
    const verifier = createVerifier();
    // The engine is chosen, which takes checks of its own.
    await verifier.answer({ ask: 'inspect-many', sources: [], context: { now: 0, keys: [] } });
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const context = { now: Date.now(), keys };
    const summaries = await verifier.answer({ ask: 'inspect-many', sources, context });
    expect(summaries.filter(({ standing }) => standing === 'unverified')).toEqual([]);
    const checks = verify.mock.calls.length;
    verify.mockRestore();
    return checks;
  }

  test('is asked first in the same batch: an older key beside it costs no check for each document', async () => {
    const keys = [...others, pinnedKey(renewed.publicKey)];
    const alone = await checksOf(sourcesOf(renewed), keys.slice(-1));
    expect(alone).toBe(2 * count);
    // The first of the eight that are under way at once ask every key.
    expect(await checksOf(sourcesOf(renewed), keys)).toBeLessThan(4 * alone);
  });

  test('is not asked alone: documents of two authorities in one batch are all found', async () => {
    const keys = [pinnedKey(authority.publicKey), pinnedKey(renewed.publicKey)];
    const mixed = sourcesOf(authority).flatMap((one, at) => [one, sourcesOf(renewed)[at] ?? one]);
    expect(await checksOf(mixed, keys)).toBeGreaterThanOrEqual(4 * count);
  });
});

import { describe, expect, test } from 'vitest';

import type { PinnedKey } from '#core/license/keys/pinned-key';
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

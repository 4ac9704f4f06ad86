import { describe, expect, it } from 'vitest';

import { createIndexedDbVault } from '#adapters/storage/indexed-db-vault';

let made = 0;
const freshName = (): string => `vault-${String(Date.now())}-${String((made += 1))}`;

describe('a vault in IndexedDB', () => {
  it('is empty at first, and keeps what was saved for whoever opens it next', async () => {
    const name = freshName();
    const vault = createIndexedDbVault(name);
    expect(await vault.read()).toEqual({ ok: true, value: undefined });
    expect(await vault.update(() => 'first')).toEqual({ ok: true, value: 'first' });
    expect(await createIndexedDbVault(name).read()).toEqual({ ok: true, value: 'first' });
  });

  it('lets updates come one after the other, through whichever handle', async () => {
    const name = freshName();
    const [one, two] = [createIndexedDbVault(name), createIndexedDbVault(name)];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? one : two).update((text) => String(Number(text ?? 0) + 1)),
      ),
    );
    expect(await one.read()).toEqual({ ok: true, value: '40' });
  });

  it('keeps what it had when a change fails', async () => {
    const vault = createIndexedDbVault(freshName());
    await vault.update(() => 'kept');
    const failed = await vault.update(() => {
      throw new Error('in the middle');
    });
    expect(failed).toEqual({ ok: false, fault: { kind: 'vault', because: 'unwritable' } });
    expect(await vault.read()).toEqual({ ok: true, value: 'kept' });
  });
});

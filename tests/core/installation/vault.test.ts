import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createMemoryVault, type Vault } from '#core/installation/ports';
import { fail } from '#core/result';
import { openSite } from '#tests/core/installation/site';
import { type Rig, startRig } from '#tests/sandbox/authority/authority-harness';

const day = 86_400_000;
const start = Date.UTC(2026, 10, 2, 9);
let rig: Rig;
let real = start;
beforeAll(async () => {
  rig = await startRig(':memory:', () => real);
});
afterAll(() => rig.close());

/** A vault whose disk can be full, and whose power can fail. */
function frailVault(): Vault & { full: boolean; broken: boolean } {
  const inner = createMemoryVault();
  const frail = {
    full: false,
    broken: false,
    read: (): ReturnType<Vault['read']> =>
      frail.broken ? Promise.resolve(fail({ kind: 'vault', reason: 'unreadable' })) : inner.read(),
    update: (change: (text: string | undefined) => string): ReturnType<Vault['update']> =>
      frail.full
        ? Promise.resolve(fail({ kind: 'vault', reason: 'unwritable' }))
        : inner.update(change),
  };
  return frail;
}

describe('a vault that cannot be written', () => {
  it('means that nothing is activated, and nothing is sent', async () => {
    const vault = frailVault();
    vault.full = true;
    const site = openSite(rig, { vault });
    expect(await site.installation.activate(await rig.issue(), start)).toEqual(
      fail({ kind: 'vault', reason: 'unwritable' }),
    );
    expect(site.calls.activate).toBe(0);
  });

  it('loses nothing that was valid before, and what came meanwhile counts until the end', async () => {
    const vault = frailVault();
    const site = openSite(rig, { vault });
    real = start;
    await site.installation.activate(await rig.issue(), start);
    const before = await vault.read();
    vault.full = true;
    real = start + 8 * day;
    expect(await site.installation.permit(real)).toMatchObject({
      allowed: true,
      standing: 'activated',
    });
    expect(await site.installation.permit(real + day)).toMatchObject({ allowed: true });
    expect(site.calls.validate).toBe(1);
    expect(await vault.read()).toEqual(before);
    // The program is started again, and the disk has room again.
    vault.full = false;
    expect(await site.restart().installation.permit(real)).toMatchObject({ standing: 'activated' });
  });

  it('is caught up with when there is room again', async () => {
    const vault = frailVault();
    const site = openSite(rig, { vault });
    real = start;
    await site.installation.activate(await rig.issue(), start);
    vault.full = true;
    real = start + 8 * day;
    await site.installation.permit(real);
    vault.full = false;
    await site.installation.permit(real + 3_600_000);
    const restarted = site.restart();
    expect(await restarted.installation.permit(real + 3_600_000)).toMatchObject({ allowed: true });
    expect(restarted.calls.validate).toBe(0);
  });
});

describe('a vault that cannot be read', () => {
  it('permits nothing, and says why', async () => {
    const vault = frailVault();
    vault.broken = true;
    expect(await openSite(rig, { vault }).installation.permit(start)).toMatchObject({
      allowed: false,
      fault: { kind: 'vault', reason: 'unreadable' },
    });
  });

  it.each(['', 'null', '[]', '{"license":', '{"license":7,"installation_id":"x"}', '\u0000'])(
    'as %j is no exception',
    async (text) => {
      const site = openSite(rig, { vault: createMemoryVault(text) });
      expect(await site.installation.permit(start)).toMatchObject({ standing: 'not-activated' });
      real = start;
      expect((await site.installation.activate(await rig.issue(), start)).ok).toBe(true);
    },
  );
});

describe('two programs over one vault', () => {
  it('are one installation', async () => {
    real = start;
    const vault = createMemoryVault();
    const [one, two] = [openSite(rig, { vault }), openSite(rig, { vault })];
    const license = await rig.issue();
    const results = await Promise.all([
      one.installation.activate(license, start),
      two.installation.activate(license, start),
    ]);
    expect(results.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    expect(await one.installation.permit(start)).toMatchObject({ allowed: true });
    expect(await two.installation.permit(start)).toMatchObject({ allowed: true });
  });
});

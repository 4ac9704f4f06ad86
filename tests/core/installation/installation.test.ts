import { describe, expect, it } from 'vitest';

import {
  createInstallation,
  type Installation,
  type InstallationOptions,
} from '#core/installation/installation';
import {
  createMemoryVault,
  type LicenseRequest,
  type LicensingApi,
  type Vault,
} from '#core/installation/ports';
import { webCryptoEngine } from '#core/keys/ed25519';
import { fail, succeed } from '#core/result';
import { LICENSE_CLAIMS, pinned, token } from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const minute = 60_000;
const day = 86_400_000;
const now = Date.UTC(2026, 10, 2, 9);
const signer = makeSigner(1);
const license = token(signer, LICENSE_CLAIMS);

/** An authority in memory that signs with a real key, and counts what it is asked. */
function createAuthority() {
  const asked: LicenseRequest[] = [];
  let issued = 0;
  const grant = (request: LicenseRequest) => {
    asked.push(request);
    issued += 1;
    const at = now + (asked.length - 1) * 7 * day;
    const claims = {
      domain: request.domain,
      installation_id: request.installationId,
      issued_at: new Date(at + issued).toISOString(),
      next_validation_at: new Date(at + 7 * day).toISOString(),
      grace_until: new Date(at + 21 * day).toISOString(),
    };
    const body = new TextEncoder().encode(
      JSON.stringify({ activation_certificate: token(signer, claims) }),
    );
    return Promise.resolve(succeed({ status: 200, contentType: 'application/json', body }));
  };
  const authority: LicensingApi = { activate: grant, validate: grant };
  return { authority, asked };
}

function installed(
  authority: LicensingApi,
  vault: Vault,
  options: Partial<InstallationOptions> = {},
): Installation {
  return createInstallation({
    authority,
    vault,
    keys: [pinned(signer)],
    domain: 'shop.example.com',
    productSlug: 'harbour-theme',
    engine: webCryptoEngine(crypto.subtle),
    ...options,
  });
}

function countingVault(): Vault & { writes: number } {
  const inner = createMemoryVault();
  const counting = {
    writes: 0,
    read: () => inner.read(),
    update(change: (text: string | undefined) => string) {
      counting.writes += 1;
      return inner.update(change);
    },
  };
  return counting;
}

describe('what an installation is created with', () => {
  it('a domain that names no host is refused at once', () => {
    const { authority } = createAuthority();
    const create = (): unknown => installed(authority, createMemoryVault(), { domain: 'no host' });
    expect(create).toThrow('“no host” names no host.');
  });

  it('a key that is limited to another authority does not count', async () => {
    const { authority, asked } = createAuthority();
    const keys = [pinned(signer, { authority: 'https://a.example' })];
    const at = (authorityOrigin: string) =>
      installed(authority, createMemoryVault(), { keys, authorityOrigin }).activate(license, now);
    expect(await at('https://b.example')).toMatchObject({ fault: { kind: 'license-not-genuine' } });
    expect(asked).toEqual([]);
    expect((await at('https://a.example')).ok).toBe(true);
  });

  it('spaces around a pasted license are left out', async () => {
    const { authority, asked } = createAuthority();
    await installed(authority, createMemoryVault()).activate(` ${license}\n`, now);
    expect(asked.map((request) => request.license)).toEqual([license]);
  });
});

describe('a stored license without a certificate', () => {
  const permitOver = (stored: Record<string, string>) =>
    installed(createAuthority().authority, createMemoryVault(JSON.stringify(stored))).permit(now);

  it('is not activated, without a fault where it is genuine', async () => {
    expect(await permitOver({ license })).toStrictEqual({
      allowed: false,
      standing: 'not-activated',
      clockTurnedBack: false,
    });
  });

  it('names the fault of one that is not', async () => {
    expect(await permitOver({ license: 'forged' })).toMatchObject({
      fault: { kind: 'license-unreadable' },
    });
  });

  it('nor does a certificate count that is of no installation', async () => {
    const stored = { license, activation_certificate: token(signer, LICENSE_CLAIMS) };
    expect(await permitOver(stored)).not.toHaveProperty('fault');
  });
});

it('a vault that cannot be read leaves nothing but its fault', async () => {
  const vault: Vault = {
    read: () => Promise.resolve(fail({ kind: 'vault', reason: 'unreadable' })),
    update: () => Promise.resolve(fail({ kind: 'vault', reason: 'unwritable' })),
  };
  expect(await installed(createAuthority().authority, vault).permit(now)).toStrictEqual({
    allowed: false,
    standing: 'not-activated',
    clockTurnedBack: false,
    fault: { kind: 'vault', reason: 'unreadable' },
  });
});

describe('the latest moment seen', () => {
  it('is written once a minute, and never goes back', async () => {
    const vault = countingVault();
    const site = installed(createAuthority().authority, vault);
    await site.activate(license, now);
    const seen = async (at: number): Promise<[number, unknown]> => {
      const before = vault.writes;
      await site.permit(at);
      const read = await vault.read();
      const saved = JSON.parse((read.ok ? read.value : '') ?? '') as Record<string, unknown>;
      return [vault.writes - before, saved['latest_seen']];
    };
    const iso = (at: number): string => new Date(at).toISOString();
    expect(await seen(now + minute - 1)).toEqual([0, iso(now)]);
    expect(await seen(now + minute)).toEqual([1, iso(now + minute)]);
    expect(await seen(now + 2 * minute - 1)).toEqual([0, iso(now + minute)]);
    expect(await seen(now)).toEqual([0, iso(now + minute)]);
  });

  it('is not written where there is no certificate', async () => {
    const vault = countingVault();
    await installed(createAuthority().authority, vault).permit(now);
    expect(vault.writes).toBe(0);
  });
});

describe('a validation that is due', () => {
  it('is asked for once by all callers, and not again once it was answered', async () => {
    const { authority, asked } = createAuthority();
    const site = installed(authority, createMemoryVault());
    await site.activate(license, now);
    const permits = await Promise.all([1, 2, 3].map(() => site.permit(now + 7 * day)));
    expect(permits.map(({ standing }) => standing)).toEqual([
      'activated',
      'activated',
      'activated',
    ]);
    expect(asked).toHaveLength(2);
    await site.permit(now + 7 * day);
    expect(asked).toHaveLength(2);
    await site.permit(now + 14 * day);
    expect(asked).toHaveLength(3);
  });

  it('does not count a vault that was read before another caller’s validation ended', async () => {
    const { authority, asked } = createAuthority();
    const inner = createMemoryVault();
    let hold: Promise<void> | undefined;
    let reads = 0;
    const vault: Vault = {
      async read() {
        const text = await inner.read();
        reads += 1;
        await hold;
        return text;
      },
      update: (change) => inner.update(change),
    };
    const site = installed(authority, vault);
    await site.activate(license, now);
    let release = (): void => undefined;
    hold = new Promise((done) => (release = done));
    const before = reads;
    const late = site.permit(now + 7 * day);
    while (reads === before) await Promise.resolve();
    hold = undefined;
    await site.permit(now + 7 * day);
    release();
    expect(await late).toMatchObject({ standing: 'activated' });
    expect(asked).toHaveLength(2);
  });
});

it('what could not be written no longer counts once another program has written', async () => {
  const inner = createMemoryVault();
  let full = false;
  const vault: Vault = {
    read: () => inner.read(),
    update: (change) =>
      full ? Promise.resolve(fail({ kind: 'vault', reason: 'unwritable' })) : inner.update(change),
  };
  const { authority } = createAuthority();
  const site = installed(authority, vault);
  await site.activate(license, now);
  full = true;
  expect(await site.permit(now + 7 * day)).toMatchObject({ standing: 'activated' });
  await inner.update(() => '{}');
  expect(await site.permit(now + 7 * day)).toMatchObject({ standing: 'not-activated' });
});

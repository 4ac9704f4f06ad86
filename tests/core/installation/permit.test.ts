import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openSite, pin, type Site } from '#tests/core/installation/site';
import { claimsOf, type Rig, startRig } from '#tests/sandbox/authority/authority-harness';

const day = 86_400_000;
const start = Date.UTC(2026, 10, 2, 9);
const due = start + 7 * day;
const graceEnds = due + 14 * day;

let rig: Rig;
let real = start;
let site: Site;
beforeAll(async () => {
  rig = await startRig(':memory:', () => real);
});
afterAll(() => rig.close());
beforeEach(async () => {
  await rig.control('faults', {}, 'DELETE');
  await rig.control('availability', { available: true });
  real = start;
  site = openSite(rig);
  const result = await site.installation.activate(await rig.issue(), start);
  expect(result.ok).toBe(true);
});

const down = (): Promise<unknown> => rig.control('availability', { available: false });
const standingAt = async (now: number): Promise<string> => {
  real = now;
  return (await site.installation.permit(now)).standing;
};

describe('the deadlines', () => {
  it('are reached at their millisecond', async () => {
    await down();
    expect(await standingAt(due - 1)).toBe('activated');
    expect(await standingAt(due)).toBe('grace');
    expect(await standingAt(due + 1)).toBe('grace');
    expect(await standingAt(graceEnds - 1)).toBe('grace');
    expect(await standingAt(graceEnds)).toBe('denied');
    expect(await standingAt(graceEnds + 1)).toBe('denied');
  });

  it('are told in advance', async () => {
    const { next } = await site.installation.permit(start);
    expect(next).toEqual({ to: 'validation-due', at: due });
  });
});

describe('callers at once', () => {
  it('share one validation', async () => {
    real = due;
    const permits = await Promise.all(
      Array.from({ length: 50 }, (_, index) => site.installation.permit(due + index)),
    );
    expect(new Set(permits.map(({ standing }) => standing))).toEqual(new Set(['activated']));
    expect(site.calls.validate).toBe(1);
  });

  it('share one failure as well', async () => {
    await down();
    const permits = await Promise.all(
      Array.from({ length: 50 }, () => site.installation.permit(due)),
    );
    expect(new Set(permits.map(({ standing }) => standing))).toEqual(new Set(['grace']));
    expect(site.calls.validate).toBe(1);
  });
});

describe('an authority that fails', () => {
  const outages = [
    ['unavailable', { kind: 'not-json', status: 503 }],
    ['reset', { kind: 'unreachable' }],
    ['error-500', { kind: 'not-json', status: 500 }],
    ['captive-portal', { kind: 'not-json', status: 200 }],
    ['blocked-page', { kind: 'not-json', status: 403 }],
    ['redirect', { kind: 'redirected' }],
    ['not-json', { kind: 'not-json', status: 200 }],
    ['endless', { kind: 'too-large' }],
    ['unauthorized', { kind: 'no-answer', status: 401 }],
    ['lost-answer', { kind: 'unreachable' }],
    ['wrong-key', { kind: 'certificate-not-genuine' }],
    ['no-certificate', { kind: 'no-certificate' }],
    ['other-domain', { kind: 'mismatch', of: 'domain' }],
    ['other-installation', { kind: 'mismatch', of: 'installation' }],
    ['other-product', { kind: 'mismatch', of: 'product' }],
    ['older-certificate', { kind: 'older-certificate' }],
  ] as const;

  it.each(outages)('by %s locks nobody out before grace_until', async (kind, fault) => {
    await rig.control('faults', { kind });
    real = due;
    const before = (await site.saved())['activation_certificate'];
    const permit = await site.installation.permit(due);
    expect(permit).toMatchObject({ allowed: true, standing: 'grace', fault });
    expect((await site.saved())['activation_certificate']).toBe(before);
  });

  it.each(outages)('by %s gives nothing after grace_until', async (kind) => {
    await rig.control('faults', { kind });
    expect(await standingAt(graceEnds)).toBe('denied');
  });

  it('by silence is given up', async () => {
    await rig.control('faults', { kind: 'slow' });
    const hurried = openSite(rig, { vault: site.vault, timeoutMs: 50 });
    real = due;
    expect(await hurried.installation.permit(due)).toMatchObject({
      standing: 'grace',
      fault: { kind: 'timeout', afterMs: 50 },
    });
  });

  it('is asked again with growing pauses, over restarts too', async () => {
    await down();
    const asked: number[] = [];
    for (let now = due; now < due + day; now += 10_000) {
      const before = site.calls.validate;
      if (now % 3_600_000 === 0) {
        const { validate } = site.calls;
        site = site.restart();
        site.calls.validate = validate;
      }
      await site.installation.permit(now);
      if (site.calls.validate > before) asked.push(now);
    }
    const retryDelays = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
    expect(asked[0]).toBe(due);
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.length).toBeLessThan(45);
    expect(retryDelays[0]).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...retryDelays)).toBeLessThanOrEqual(1.25 * 3_600_000 + 10_000);
    expect([...retryDelays].sort((a, b) => a - b).slice(-3)).toEqual(retryDelays.slice(-3));
  });

  it('is not slept through when grace lasts seconds', async () => {
    await rig.control('config', { validationSeconds: 2, graceSeconds: 8 });
    const brief = openSite(rig);
    await brief.installation.activate(await rig.issue(), start);
    await down();
    expect((await brief.installation.permit(start + 2000)).standing).toBe('grace');
    await rig.control('availability', { available: true });
    real = start + 4000;
    expect((await brief.installation.permit(real)).standing).toBe('activated');
    await rig.control('config', { validationSeconds: 7 * 86_400, graceSeconds: 14 * 86_400 });
  });
});

describe('an authority whose clock is far behind', () => {
  it('is not asked at every use, and its yes still counts', async () => {
    real = start + day;
    const now = start + 30 * day;
    for (let step = 0; step < 5; step += 1) {
      expect(await site.installation.permit(now + step * 1000)).toMatchObject({
        allowed: false,
        standing: 'denied',
      });
    }
    expect(site.calls.validate).toBe(1);
    real = due - day;
    expect(await site.installation.permit(due + 10 * day)).toMatchObject({
      standing: 'validation-due',
      allowed: true,
    });
  });
});

describe('a clock that was turned back', () => {
  it('earns no time: the latest moment seen counts, and there is no grace', async () => {
    await down();
    await site.installation.permit(due);
    await site.installation.permit(due + day);
    const permit = await site.restart().installation.permit(start + day);
    expect(permit).toMatchObject({
      allowed: false,
      standing: 'validation-due',
      clockTurnedBack: true,
    });
  });

  it('is forgiven five minutes', async () => {
    await site.installation.permit(due - 60_000);
    expect(await site.installation.permit(due - 6 * 60_000)).toMatchObject({
      allowed: true,
      clockTurnedBack: false,
    });
  });

  it('is set right by a verified fresh answer', async () => {
    await down();
    expect(await standingAt(start + 400 * day)).toBe('denied');
    await rig.control('availability', { available: true });
    expect(await standingAt(start + day)).toBe('activated');
    expect(await site.installation.permit(start + day)).toMatchObject({ clockTurnedBack: false });
  });
});

describe('what is kept', () => {
  it('counts for nothing when it was changed, copied to another domain, or its key was revoked', async () => {
    const { value = '' } = (await site.vault.read()) as { value?: string };
    const certificate = String((await site.saved())['activation_certificate']);
    const [payload = '', signature = ''] = certificate.split('.');
    const longer = Buffer.from(payload, 'base64url').toString().replace('2026', '2036');
    const forged = `${Buffer.from(longer).toString('base64url')}.${signature}`;
    await site.vault.update(() => value.replace(certificate, forged));
    expect(await site.installation.permit(start)).toMatchObject({
      allowed: false,
      fault: { kind: 'certificate-not-genuine' },
    });
    await site.vault.update(() => value);
    expect((await site.installation.permit(start)).allowed).toBe(true);
    const { vault } = site;
    expect(
      await openSite(rig, { vault, domain: 'copy.example.com' }).installation.permit(start),
    ).toMatchObject({ allowed: false, fault: { kind: 'mismatch', of: 'domain' } });
    const revoked = [pin(rig.publicKey.pem, { revoked: true })];
    expect(await openSite(rig, { vault, keys: revoked }).installation.permit(start)).toMatchObject({
      allowed: false,
      fault: { kind: 'license-not-genuine', fault: { kind: 'key-revoked' } },
    });
  });

  it('survives the rotation of the authority’s key, once the new key is pinned as well', async () => {
    const { body } = await rig.control('rotate-key');
    const pems = (body['keys'] as { pem: string }[]).map(({ pem }) => pem);
    const keys = pems.map((pem, index) => pin(pem, { id: String(index), authority: rig.origin }));
    const { vault } = site;
    real = due;
    expect(
      (await openSite(rig, { vault, keys: keys.slice(1) }).installation.permit(due)).standing,
    ).toBe('grace');
    real = due + day;
    const strangers = pems.map((pem, index) => pin(pem, { id: String(index) }));
    const unlinked = await openSite(rig, { vault, keys: strangers }).installation.permit(due + day);
    expect(unlinked).toMatchObject({
      standing: 'grace',
      fault: { kind: 'mismatch', document: 'certificate', of: 'signer' },
    });
    real = due + 2 * day;
    const both = openSite(rig, { vault, keys });
    expect((await both.installation.permit(due + 2 * day)).standing).toBe('activated');
    expect(claimsOf((await both.saved())['activation_certificate'])['kid']).not.toBe(
      rig.publicKey.id,
    );
    rig = { ...rig, publicKey: { ...rig.publicKey, pem: pems[0] ?? '' } };
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { fail, succeed } from '#core/result';
import { openSite, type Site } from '#tests/core/installation/site';
import { type AuthorityProcess, startProcess } from '#tests/sandbox/authority/authority-process';
import { callsTo, claimsOf, type Rig } from '#tests/sandbox/authority/authority-harness';

const day = 86_400_000;
const start = Date.UTC(2026, 10, 2, 9);

let folder: string;
let db: string;
let authority: AuthorityProcess | undefined;
let running = false;
let license: string;
let site: Site;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'table-'));
  db = join(folder, 'authority.db');
});
afterAll(async () => {
  await authorityIsDown();
  rmSync(folder, { recursive: true, force: true });
});

/** The authority as a process of its own, at the address that it had, its clock at this moment. */
async function authorityIsUp(at: number): Promise<void> {
  if (!running) authority = await startProcess(db, authority === undefined ? 0 : portOf(authority));
  running = true;
  await authorityReads(at);
}
/** `kill -9`. */
async function authorityIsDown(): Promise<void> {
  await authority?.kill();
  running = false;
}
const authorityReads = (at: number): Promise<unknown> => control('clock', { now: at });
const control = (path: string, body: unknown): Promise<unknown> => calls().control(path, body);
const portOf = ({ origin }: AuthorityProcess): number => Number(new URL(origin).port);
function calls(): Pick<Rig, 'control' | 'issue'> {
  if (authority === undefined) throw new Error('The authority was never started.');
  return callsTo(authority);
}

beforeEach(async () => {
  await authorityIsUp(start);
  license = await calls().issue();
  if (authority !== undefined) site = openSite(authority);
}, 30_000);

/** Activates, and gives the deadlines of the certificate. */
async function activated(): Promise<{ due: number; graceEnds: number }> {
  const result = await site.installation.activate(license, start);
  if (!result.ok) throw new Error(result.fault.kind);
  const { nextValidationAt: due = 0, graceUntil: graceEnds = 0 } = result.value.certificate ?? {};
  expect([due >= start + 7 * day, graceEnds - due]).toEqual([true, 14 * day]);
  return { due, graceEnds };
}

describe('the table of spec section 3, against an authority process', { timeout: 30_000 }, () => {
  it('Not activated: success makes it activated, with the certificate verified and stored', async () => {
    expect(await site.installation.permit(start)).toMatchObject({
      allowed: false,
      standing: 'not-activated',
    });
    const result = await site.installation.activate(license, start);
    expect(result).toMatchObject(succeed({ allowed: true, standing: 'activated' }));
    const saved = await site.saved();
    const { installation_id, domain } = claimsOf(saved['activation_certificate']);
    expect([installation_id, domain]).toEqual([saved['installation_id'], 'shop.example.com']);
  });

  it('Not activated: no successful answer leaves it so, and protected use is not allowed', async () => {
    await authorityIsDown();
    expect(await site.installation.activate(license, start)).toEqual(fail({ kind: 'unreachable' }));
    expect(await site.installation.permit(start)).toMatchObject({
      allowed: false,
      standing: 'not-activated',
    });
    await authorityIsUp(start);
    await control('revoke', { licenseId: claimsOf(license)['license_id'] });
    expect(await site.installation.activate(license, start)).toMatchObject(
      fail({ kind: 'refused', status: 403, msg: 'This license has been revoked.' }),
    );
    expect((await site.installation.permit(start)).standing).toBe('not-activated');
  });

  it('Activated: until next_validation_at the vault alone answers', async () => {
    const { due } = await activated();
    await authorityIsDown();
    for (const now of [start, start + day, due - 1]) {
      expect(await site.installation.permit(now)).toMatchObject({
        allowed: true,
        standing: 'activated',
      });
    }
    expect(site.calls.validate).toBe(0);
  });

  it('Validation due: reaching next_validation_at calls validate, and success renews the values', async () => {
    const { due } = await activated();
    await authorityReads(due);
    const permit = await site.installation.permit(due);
    expect(permit).toMatchObject({ allowed: true, standing: 'activated' });
    expect(permit.certificate?.nextValidationAt).toBeGreaterThanOrEqual(due + 7 * day);
    expect(site.calls.validate).toBe(1);
    await site.installation.permit(due + 1000);
    expect(site.calls.validate).toBe(1);
  });

  it('Validation due: the authority killed, and time before grace_until, is grace', async () => {
    const { due, graceEnds } = await activated();
    await authorityIsDown();
    expect(await site.installation.permit(due)).toMatchObject({
      allowed: true,
      standing: 'grace',
      fault: { kind: 'unreachable' },
    });
    // Asked in another hour again, and until the very end.
    for (const now of [due + 2 * day, graceEnds - 5000]) {
      expect(await site.installation.permit(now)).toMatchObject({
        allowed: true,
        standing: 'grace',
      });
    }
    expect(site.calls.validate).toBe(3);
  });

  it('Grace: passing grace_until with no validation is denied', async () => {
    const { due, graceEnds } = await activated();
    await authorityIsDown();
    await site.installation.permit(due);
    expect((await site.installation.permit(graceEnds - 10_000)).allowed).toBe(true);
    expect(await site.installation.permit(graceEnds)).toMatchObject({
      allowed: false,
      standing: 'denied',
    });
    expect(await site.restart().installation.permit(graceEnds + day)).toMatchObject({
      allowed: false,
      standing: 'denied',
    });
  });

  it('Denied: a later success is activated, once the authority process is started again', async () => {
    const { graceEnds } = await activated();
    await authorityIsDown();
    const later = graceEnds + day;
    expect((await site.installation.permit(later)).standing).toBe('denied');
    await authorityIsUp(later);
    const recovered = await site.installation.permit(later + 2 * 3_600_000);
    expect(recovered).toMatchObject({ allowed: true, standing: 'activated' });
  });

  it('Grace: a success before its end is activated again', async () => {
    const { due } = await activated();
    await authorityIsDown();
    expect((await site.installation.permit(due)).standing).toBe('grace');
    await authorityIsUp(due + day);
    expect((await site.installation.permit(due + day)).standing).toBe('activated');
  });

  it('a refusal is denied at once and remembered, outages after it open no grace, a success ends it', async () => {
    const { due } = await activated();
    const licenseId = claimsOf(license)['license_id'];
    await authorityReads(due);
    await control('revoke', { licenseId, reason: 'refunded' });
    const denied = {
      allowed: false,
      standing: 'denied',
      refusal: { status: 403, msg: 'This license has been revoked: refunded.' },
    };
    expect(await site.installation.permit(due)).toMatchObject(denied);
    await authorityIsDown();
    expect(await site.restart().installation.permit(due + day)).toMatchObject(denied);

    await authorityIsUp(due + 2 * day);
    await control('unrevoke', { licenseId });
    expect(await site.installation.permit(due + 2 * day)).toMatchObject({
      allowed: true,
      standing: 'activated',
    });
    expect(await site.saved()).toMatchObject({ last_contact: { outcome: 'validated' } });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { authorityBounds } from '#core/authority/authority';
import type { AuthorityState } from '#messaging/topics/authority';
import { licenseRequest, type Rig, startRig } from '#tests/sandbox/authority/authority-harness';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';

let harness: WorkerHarness;
let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  harness = await createWorkerHarness();
  return () => harness.close();
});

const request = {
  license: `${'a'.repeat(20)}.${'b'.repeat(86)}`,
  domain: 'shop.example.com',
  productSlug: 'aurora-theme',
  installationId: String(licenseRequest('')['installation_id']),
};

async function add(fields: object = {}): Promise<AuthorityState> {
  const saved = await harness.ask('authorities.save', {
    name: 'Sandbox',
    address: rig.origin,
    kind: 'test',
    products: [],
    ...fields,
  });
  if (!saved.ok) throw new Error(saved.fault.kind);
  return saved.value;
}

describe('authorities', () => {
  it('are kept across a stopped worker, and show no token', async () => {
    await add({ controlToken: rig.controlToken });
    await harness.restart();
    const list = await harness.ask('authorities.list', {});
    expect(list).toMatchObject([{ name: 'Sandbox', hasControl: true, permitted: true }]);
    expect(JSON.stringify(list)).not.toContain(rig.controlToken);
  });

  it('keep a token while the origin stays, and only for tests', async () => {
    const { id } = await add({ controlToken: 't' });
    expect(await add({ id, name: 'Renamed' })).toMatchObject({ hasControl: true });
    expect(await add({ id, address: 'https://licenses.test' })).toMatchObject({
      hasControl: false,
    });
    await harness.ask('authorities.set-control', { id, token: 'u' });
    expect(await add({ id, kind: 'live' })).toMatchObject({ hasControl: false });
    const set = await harness.ask('authorities.set-control', { id, token: 'u' });
    expect(set).toMatchObject({ ok: true, value: { hasControl: false } });
  });

  it('have a token each, which setting one leaves alone', async () => {
    const first = await add();
    const second = await add({ address: 'http://localhost:1' });
    const set = await harness.ask('authorities.set-control', { id: second.id, token: 'u' });
    expect(set).toMatchObject({ ok: true, value: { id: second.id, hasControl: true } });
    expect(await harness.ask('authorities.list', {})).toMatchObject([
      { id: first.id, hasControl: false },
      { id: second.id, hasControl: true },
    ]);
  });

  it('can be brought back for a while, and then give their origin up', async () => {
    const { id } = await add({ address: 'http://localhost:1' });
    await harness.ask('authorities.delete', { id });
    expect(await harness.ask('authorities.list', {})).toEqual([]);
    expect(await harness.ask('authorities.restore', { id })).toMatchObject({ ok: true });
    await harness.ask('authorities.delete', { id });
    harness.pass(31_000);
    await harness.runAlarms();
    expect(harness.granted.has('http://localhost/*')).toBe(false);
    expect(await harness.ask('authorities.restore', { id })).toMatchObject({
      ok: false,
      fault: { kind: 'no-authority' },
    });
  });

  it('share an origin with connections: whoever goes first leaves it to the other', async () => {
    const connection = await harness.connect('/demo');
    const { id } = await add();
    await harness.ask('connections.delete', { id: connection.id });
    harness.pass(31_000);
    await harness.runAlarms();
    expect(harness.granted.has('http://127.0.0.1/*')).toBe(true);
    await harness.ask('authorities.delete', { id });
    harness.pass(31_000);
    await harness.runAlarms();
    expect(harness.granted.has('http://127.0.0.1/*')).toBe(false);
  });

  it('stay as long as a connection needs their origin', async () => {
    await harness.connect('/demo');
    const { id } = await add();
    await harness.ask('authorities.delete', { id });
    harness.pass(31_000);
    await harness.runAlarms();
    expect(harness.granted.has('http://127.0.0.1/*')).toBe(true);
  });
});

describe('saving an authority', () => {
  const draft = {
    name: ' Main ',
    address: 'http://localhost:1',
    kind: 'live',
    products: [],
  } as const;

  it('adds it once, whatever is asked twice, with its name trimmed', async () => {
    const nonce = crypto.randomUUID();
    await harness.ask('authorities.save', draft, nonce);
    await harness.ask('authorities.save', draft, nonce);
    expect(await harness.ask('authorities.list', {})).toEqual([
      { ...draft, id: nonce, name: 'Main', permitted: true, hasControl: false },
    ]);
  });

  it('changes that one alone, and nothing that is not there', async () => {
    const first = await add({ name: 'First' });
    const second = await add({ name: 'Second' });
    await add({ id: first.id, name: 'Renamed' });
    expect(await harness.ask('authorities.list', {})).toMatchObject([
      { id: first.id, name: 'Renamed' },
      { id: second.id, name: 'Second' },
    ]);
    const nobody = { ok: false, fault: { kind: 'no-authority' } };
    expect(await harness.ask('authorities.save', { ...draft, id: 'nobody' })).toEqual(nobody);
    expect(await harness.ask('authorities.set-control', { id: 'nobody', token: 't' })).toEqual(
      nobody,
    );
    expect(await harness.ask('authorities.list', {})).toHaveLength(2);
  });

  it('gives up the origin that it moves away from', async () => {
    const { id } = await add({ address: 'http://localhost:1' });
    await add({ id, address: rig.origin });
    expect([...harness.granted]).toEqual(['http://127.0.0.1/*']);
  });

  it('says so where the browser does not permit its origin', async () => {
    harness.granted.clear();
    expect(await add()).toMatchObject({ permitted: false });
  });

  it('is refused when there are as many as there may be, and changing one is not', async () => {
    const saved: AuthorityState[] = [];
    for (let count = 0; count < authorityBounds.authorities; count += 1)
      saved.push(await add({ name: `Authority ${String(count)}` }));
    expect(await harness.ask('authorities.save', draft)).toEqual({
      ok: false,
      fault: { kind: 'storage-full' },
    });
    expect(await add({ id: saved[0]?.id, name: 'Renamed' })).toMatchObject({ name: 'Renamed' });
  });

  it('is refused on a full disk', async () => {
    const { id } = await add();
    harness.setDiskFull(true);
    const full = { ok: false, fault: { kind: 'storage-full' } };
    expect(await harness.ask('authorities.save', draft)).toEqual(full);
    expect(await harness.ask('authorities.set-control', { id, token: 't' })).toEqual(full);
    harness.setDiskFull(false);
    await harness.ask('authorities.delete', { id });
    harness.setDiskFull(true);
    expect(await harness.ask('authorities.restore', { id })).toEqual(full);
  });

  it('does not bring a deleted one back', async () => {
    const { id } = await add();
    await harness.ask('authorities.delete', { id });
    const nobody = { ok: false, fault: { kind: 'no-authority' } };
    expect(await harness.ask('authorities.save', { ...draft, id })).toEqual(nobody);
    expect(await harness.ask('authorities.set-control', { id, token: 't' })).toEqual(nobody);
    expect(await harness.ask('authority.validate', { authorityId: id, request })).toEqual(nobody);
  });
});

it('a deletion of an authority is ended by a worker that starts later', async () => {
  const { id } = await add({ address: 'http://localhost:1' });
  await harness.ask('authorities.delete', { id });
  harness.pass(30_000);
  await harness.restart();
  expect(harness.granted.has('http://localhost/*')).toBe(false);
});

describe('a call', () => {
  it('hands the authority’s reply on as it came', async () => {
    const { id: authorityId } = await add();
    const reply = await harness.ask('authority.validate', { authorityId, request });
    expect(reply).toMatchObject({ ok: true, value: { status: 403 } });
  });

  it('of a rehearsal activates, and validates what it activated', async () => {
    const { id: authorityId } = await add();
    const license = await rig.issue({ product_slug: 'aurora-theme' });
    const own = { ...request, license, domain: 'rehearsal.example.com' };
    for (const topic of ['rehearsal.activate', 'rehearsal.validate'] as const)
      expect(await harness.ask(topic, { authorityId, request: own })).toMatchObject({
        ok: true,
        value: { status: 200 },
      });
  });

  it('of a rehearsal is not made without permission', async () => {
    const { id: authorityId } = await add({ controlToken: rig.controlToken });
    harness.granted.clear();
    const fault = { kind: 'not-permitted', origin: rig.origin };
    const asked = [
      harness.ask('rehearsal.activate', { authorityId, request }),
      harness.ask('rehearsal.control', { authorityId, command: { do: 'look' } }),
    ];
    for (const reply of await Promise.all(asked)) expect(reply).toEqual({ ok: false, fault });
  });

  it('to an authority that is not there any more says so', async () => {
    const { id: authorityId } = await add({ address: 'http://127.0.0.1:9' });
    expect(await harness.ask('authority.validate', { authorityId, request })).toMatchObject({
      ok: false,
      fault: { kind: 'unreachable' },
    });
  });

  it('is not made without permission, or to nobody', async () => {
    const { id: authorityId } = await add();
    harness.granted.clear();
    expect(await harness.ask('authority.validate', { authorityId, request })).toEqual({
      ok: false,
      fault: { kind: 'not-permitted', origin: rig.origin },
    });
    expect(
      await harness.ask('authority.validate', { authorityId: 'nobody', request }),
    ).toMatchObject({ fault: { kind: 'no-authority' } });
  });

  it('of a rehearsal goes to no live authority, whatever is ordered', async () => {
    const { id: authorityId } = await add({ kind: 'live' });
    const asked = [
      harness.ask('rehearsal.activate', { authorityId, request }),
      harness.ask('rehearsal.validate', { authorityId, request }),
      harness.ask('rehearsal.control', { authorityId, command: { do: 'look' } }),
      harness.ask('rehearsal.sample', { authorityId, claims: {} }),
    ];
    for (const reply of await Promise.all(asked))
      expect(reply).toEqual({ ok: false, fault: { kind: 'not-test' } });
  });

  it('moves clock, availability and revocation through the control endpoint', async () => {
    const { id: authorityId } = await add({ controlToken: rig.controlToken });
    const later = Date.now() + 86_400_000;
    const command = (command: Parameters<typeof harness.ask<'rehearsal.control'>>[1]['command']) =>
      harness.ask('rehearsal.control', { authorityId, command });
    const moved = await command({ do: 'clock', now: later });
    expect(moved).toMatchObject({ ok: true, value: { available: true } });
    if (moved.ok) expect(Math.abs(moved.value.now - later)).toBeLessThan(60_000);
    expect(await command({ do: 'availability', available: false })).toMatchObject({
      value: { available: false },
    });
    await command({ do: 'availability', available: true });
    const made = await harness.ask('rehearsal.sample', {
      authorityId,
      claims: { product_slug: 'aurora-theme' },
    });
    if (!made.ok) throw new Error(made.fault.kind);
    const { licenseId } = made.value;
    expect(await command({ do: 'revoke', licenseId })).toMatchObject({ ok: true });
    expect(await command({ do: 'revoke', licenseId: 'nobody’s' })).toEqual({
      ok: false,
      fault: { kind: 'no-control', status: 404 },
    });
    expect(await command({ do: 'clock' })).toMatchObject({ ok: true });
  });

  it('with another token, or without, is told from a server that cannot be rehearsed with', async () => {
    const none = await add();
    const wrong = await add({ controlToken: 'wrong' });
    const nowhere = await add({ address: `${rig.origin}/nowhere`, controlToken: 't' });
    const faults = await Promise.all(
      [none, wrong, nowhere].map(({ id: authorityId }) =>
        harness.ask('rehearsal.control', { authorityId, command: { do: 'look' } }),
      ),
    );
    expect(faults.map((reply) => !reply.ok && reply.fault.kind)).toEqual([
      'no-token',
      'token-refused',
      'no-control',
    ]);
  });
});

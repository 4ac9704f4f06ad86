import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { authorityBounds, type AuthorityState } from '#core/authority/index';
import { fail, succeed } from '#core/result';
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
  it('are kept across a stopped worker', async () => {
    await add();
    await harness.restart();
    expect(await harness.ask('authorities.list', {})).toMatchObject([
      { name: 'Sandbox', permitted: true },
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
    expect(await harness.ask('authorities.restore', { id })).toMatchObject(
      fail({ kind: 'no-authority' }),
    );
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
      { ...draft, id: nonce, name: 'Main', permitted: true },
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
    expect(await harness.ask('authorities.save', draft)).toEqual(fail({ kind: 'too-many' }));
    expect(await add({ id: saved[0]?.id, name: 'Renamed' })).toMatchObject({ name: 'Renamed' });
  });

  it('is refused on a full disk', async () => {
    const { id } = await add();
    harness.setDiskFull(true);
    const full = { ok: false, fault: { kind: 'storage-full' } };
    expect(await harness.ask('authorities.save', draft)).toEqual(full);
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
    expect(reply).toMatchObject(succeed({ status: 403 }));
  });

  it('to an authority that is not there any more says so', async () => {
    const { id: authorityId } = await add({ address: 'http://127.0.0.1:9' });
    expect(await harness.ask('authority.validate', { authorityId, request })).toMatchObject(
      fail({ kind: 'unreachable' }),
    );
  });

  it('is not sent without permission, or without a server', async () => {
    const { id: authorityId } = await add();
    harness.granted.clear();
    expect(await harness.ask('authority.validate', { authorityId, request })).toEqual(
      fail({ kind: 'not-permitted', origin: rig.origin }),
    );
    expect(
      await harness.ask('authority.validate', { authorityId: 'nobody', request }),
    ).toMatchObject({ fault: { kind: 'no-authority' } });
  });
});

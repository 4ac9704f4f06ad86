import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fail, succeed } from '#core/result';
import { type WorkerHarness, createWorkerHarness } from '#tests/background/worker-harness';
import { deriveInOneRound } from '#tests/support/one-round';

const known = '4e2e8b4d-c3e4-457a-8873-d20a7b8c74df';
const passphrase = 'seven grey herons';

deriveInOneRound();

let harness: WorkerHarness;
let id: string;
beforeEach(async () => {
  harness = await createWorkerHarness();
  ({ id } = await harness.connect('/market'));
});
afterEach(() => harness.close());

const check = async (fresh = false) =>
  (await harness.ask('check', { connectionId: id, code: known, fresh })).outcome;
const state = () => harness.ask('secrets.state', {});
const key = () => harness.sandbox.keys['/market'];
const hasKey = async () => (await harness.ask('connections.list', {}))[0]?.hasKey;

describe('keys on this device', () => {
  it('are there after a restart of the browser, and as ciphertext alone', async () => {
    await harness.closeBrowser();
    expect(await state()).toEqual({ mode: 'device', locked: false, lockAfterMinutes: 15 });
    expect(await check()).toMatchObject({ ok: true });
    expect(harness.local.dump() + harness.session.dump()).not.toContain(key());
  });

  it('are asked for again when what decrypts them was cleared', async () => {
    await harness.loseWrappingKeys();
    expect(await check()).toEqual(fail({ kind: 'no-key', reason: 'material-lost' }));
    expect(await hasKey()).toBe(false);
    const [connection] = await harness.ask('connections.list', {});
    if (!connection) throw new Error('The connection is there.');
    const { name, baseAddress, dialect } = connection;
    const draft = { id, name, baseAddress, dialect };
    await harness.ask('connections.save', { ...draft, apiKey: key() });
    expect(await check()).toMatchObject({ ok: true });
  });
});

describe('keys under a passphrase', () => {
  beforeEach(async () => {
    await harness.ask('secrets.set-mode', { mode: 'passphrase', passphrase, lockAfterMinutes: 5 });
  });

  it('are open at first, locked by hand, and open again with the passphrase', async () => {
    expect(await state()).toEqual({ mode: 'passphrase', locked: false, lockAfterMinutes: 5 });
    expect(await check()).toMatchObject({ ok: true });
    expect(await harness.ask('secrets.lock', {})).toMatchObject({ locked: true });
    expect(harness.session.dump()).toBe('[]');
    expect(await check()).toEqual(fail({ kind: 'locked' }));
    expect(await hasKey()).toBe(true);
    expect(await harness.ask('secrets.unlock', { passphrase: 'six grey herons!' })).toEqual(
      fail({ kind: 'wrong-passphrase' }),
    );
    expect(await harness.ask('secrets.unlock', { passphrase })).toMatchObject({ ok: true });
    expect(await check()).toMatchObject({ ok: true });
  });

  it('are locked after a restart of the browser', async () => {
    await harness.closeBrowser();
    expect(await check()).toEqual(fail({ kind: 'locked' }));
  });

  it('lock when they were not used for as long as was chosen, whatever was kept', async () => {
    await check();
    harness.pass(4 * 60_000);
    await harness.runAlarms();
    await check(true);
    harness.pass(4 * 60_000);
    await harness.runAlarms();
    expect(await state()).toMatchObject({ locked: false });
    harness.pass(60_000);
    await harness.runAlarms();
    expect(await state()).toMatchObject({ locked: true });
    expect(harness.session.dump()).toBe('[]');
  });

  it('lock even when no alarm rang', async () => {
    await check();
    harness.pass(5 * 60_000);
    expect(await check()).toEqual(fail({ kind: 'locked' }));
    expect(harness.session.dump()).toBe('[]');
  });

  it('lock when the clock was turned back, by more than it drifts', async () => {
    await check();
    harness.pass(-30_000);
    expect(await state()).toMatchObject({ locked: false });
    harness.pass(-60 * 60_000);
    expect(await state()).toMatchObject({ locked: true });
    expect(await check()).toEqual(fail({ kind: 'locked' }));
  });

  it('take no new key while locked', async () => {
    await harness.ask('secrets.lock', {});
    const [connection] = await harness.ask('connections.list', {});
    if (!connection) throw new Error('The connection is there.');
    const { name, baseAddress, dialect } = connection;
    expect(
      await harness.ask('connections.save', { id, name, baseAddress, dialect, apiKey: 'k' }),
    ).toEqual(fail({ kind: 'locked' }));
  });

  it('leave it with the passphrase alone, even while open', async () => {
    expect(await harness.ask('secrets.set-mode', { mode: 'device' })).toEqual(
      fail({ kind: 'wrong-passphrase' }),
    );
    expect(await harness.ask('secrets.set-mode', { mode: 'device', passphrase })).toMatchObject(
      succeed({ mode: 'device', locked: false }),
    );
    await harness.closeBrowser();
    expect(await check()).toMatchObject({ ok: true });
  });

  it('change their passphrase with the present one', async () => {
    const newPassphrase = 'eight grey herons';
    const change = { mode: 'passphrase', newPassphrase } as const;
    expect(await harness.ask('secrets.set-mode', { ...change, passphrase: 'not the one' })).toEqual(
      fail({ kind: 'wrong-passphrase' }),
    );
    expect(await harness.ask('secrets.set-mode', { ...change, passphrase })).toMatchObject({
      ok: true,
    });
    await harness.closeBrowser();
    expect(await harness.ask('secrets.unlock', { passphrase })).toMatchObject({ ok: false });
    expect(await harness.ask('secrets.unlock', { passphrase: newPassphrase })).toMatchObject({
      ok: true,
    });
    expect(await check()).toMatchObject({ ok: true });
  });

  it('change their timer without one, unless locked', async () => {
    const change = { mode: 'passphrase', lockAfterMinutes: 60 } as const;
    expect(await harness.ask('secrets.set-mode', change)).toMatchObject(
      succeed({ lockAfterMinutes: 60, locked: false }),
    );
    await harness.ask('secrets.lock', {});
    expect(await harness.ask('secrets.set-mode', change)).toEqual(fail({ kind: 'locked' }));
  });

  it('are thrown away when the passphrase was forgotten, with what a lock keeps: when they last worked', async () => {
    await harness.ask('connections.test', { id });
    const workedAt = async () => (await harness.ask('connections.list', {}))[0]?.keyWorkedAt;
    await harness.ask('secrets.lock', {});
    expect(await workedAt()).toBeDefined();
    expect(await harness.ask('secrets.reset', {})).toMatchObject({ mode: 'device', locked: false });
    expect(await workedAt()).toBeUndefined();
    expect(await check()).toEqual(fail({ kind: 'no-key', reason: 'never-entered' }));
  });
});

describe('a passphrase', () => {
  it('is refused when it is too short, and nothing changes', async () => {
    expect(
      await harness.ask('secrets.set-mode', { mode: 'passphrase', passphrase: 'too short' }),
    ).toEqual(fail({ kind: 'passphrase-too-short', least: 12 }));
    expect(await state()).toMatchObject({ mode: 'device' });
    expect(await check()).toMatchObject({ ok: true });
  });
});

describe('keys for this session only', () => {
  beforeEach(async () => {
    await harness.ask('secrets.set-mode', { mode: 'session' });
  });

  it('lie in session storage alone, and a stopped worker finds them', async () => {
    expect(harness.local.dump()).not.toContain(key());
    expect(harness.session.dump()).toContain(key());
    await harness.restart();
    expect(await check()).toMatchObject({ ok: true });
  });

  it('end with the session, and say so', async () => {
    await harness.closeBrowser();
    expect(await hasKey()).toBe(false);
    expect(await check()).toEqual(fail({ kind: 'no-key', reason: 'session-ended' }));
  });

  it('become lasting again', async () => {
    await harness.ask('secrets.set-mode', { mode: 'device' });
    expect(harness.session.dump()).not.toContain(key());
    await harness.closeBrowser();
    expect(await check()).toMatchObject({ ok: true });
  });
});

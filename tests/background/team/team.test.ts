import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { fail, succeed } from '#core/result';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';
import { joinByInvite, resultOf } from '#tests/relay/support/joining';
import { pageBrowser } from '#tests/relay/support/page-browser';
import { type RelayFiles, relayFiles, type StartedRelay } from '#tests/relay/support/relay';
import { deriveInOneRound } from '#tests/support/one-round';
import { createTeamSigner } from '#tests/support/team-signer';

deriveInOneRound();

const codes = sampleCodes('/demo');
const email = 'ada@fenwick.test';
const signer = createTeamSigner();
const dialect = { ...defaultDialect, keyPlacement: 'Authorization', proven: true } as const;
const empty = { connections: [], authorities: [], sites: [], keys: [], templates: [] };

let harness: WorkerHarness;
let files: RelayFiles;
let relay: StartedRelay;

beforeEach(async () => {
  harness = await createWorkerHarness();
  files = relayFiles();
  const { origin, keys } = harness.sandbox;
  await files.connect('shop', `${origin}/demo`, keys['/demo'], '--limit 6000');
  await files.admin(`agents add ${email}`);
  relay = await files.start();
});
afterEach(async () => {
  await relay.stop();
  await harness.close();
  files.remove();
});

const request = () => ({ relay: relay.origin, name: 'Fenwick', settingsKey: signer.key });
const shop = () => ({ id: 'shop', name: 'Shop', baseAddress: `${relay.origin}/c/shop`, dialect });
const authority = () => ({
  id: 'a',
  name: 'Authority',
  address: 'https://a.example',
  kind: 'live',
  products: [],
});
const fileOf = (settings: object) => ({ format: 'counterfoil-settings', version: 2, ...settings });

/** Goes through the join pages in a browser; returns where its tab ends. */
async function endOfSignIn(): Promise<string> {
  const page = harness.joinTabs.opened.at(-1) ?? '';
  const invite = await files.admin(`invites add ${email}`);
  const end = await joinByInvite(pageBrowser(), { page, state: '', verifier: '' }, invite);
  return end.url.href;
}

async function join(): Promise<void> {
  expect(await harness.ask('team.join', request())).toEqual(succeed(null));
  const url = await endOfSignIn();
  await harness.tabMoved({ id: harness.joinTabs.opened.length, url });
}

async function apply(settings: object, change: object = {}) {
  return harness.ask('team.apply', {
    file: fileOf(settings),
    settingsKey: signer.key,
    adds: { keys: [], templates: [] },
    removes: empty,
    ...change,
  });
}

async function finish(version: number, removes: object = {}) {
  return harness.ask('team.finish', {
    version,
    settingsKey: signer.key,
    removes: { ...empty, ...removes },
  });
}

/** Lists the lines of the tokens that hold at the relay. */
async function tokensThatHold(): Promise<readonly string[]> {
  const listed = (await files.admin('tokens list')).split('\n');
  return listed.filter((line) => line.includes('holds until'));
}

async function shopId(): Promise<string> {
  const [connection] = await harness.ask('connections.list', {});
  return connection?.id ?? '';
}

describe('joining', () => {
  test('opens the join page with a challenge, and an invite in the fragment', async () => {
    const invite = `cfi1_${'a'.repeat(16)}_${'b'.repeat(64)}`;
    await harness.ask('team.join', { ...request(), invite });
    const page = new URL(harness.joinTabs.opened[0] ?? '');
    expect(page.origin + page.pathname).toBe(`${relay.origin}/relay/v1/join`);
    expect(page.searchParams.get('state')).toMatch(/^[\w-]{43}$/u);
    expect(page.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/u);
    expect(page.searchParams.get('code_challenge_method')).toBe('S256');
    expect(page.hash).toBe(`#invite=${invite}`);
    expect(page.search).not.toContain('cfi1_');
  });

  test('ends with a token that no page sees', async () => {
    await join();
    const state = await harness.ask('team.state', {});
    expect(state).toMatchObject({
      joined: { relay: relay.origin, name: 'Fenwick', email, version: 0 },
      signedIn: true,
      signIn: null,
    });
    expect(JSON.stringify(state)).not.toContain('cfr1_');
    expect(JSON.stringify(harness.local)).not.toContain('cfr1_');
    expect(harness.joinTabs.watched).toBe(false);
  });

  test('outlives a stop of the worker during the sign-in', async () => {
    await harness.ask('team.join', request());
    const url = await endOfSignIn();
    await harness.restart();
    expect(harness.joinTabs.watched).toBe(true);
    await harness.tabMoved({ id: 1, url });
    expect(await harness.ask('team.state', {})).toMatchObject({ signedIn: true });
  });

  test('believes only the tab that it opened, the relay’s address, and its own state', async () => {
    await harness.ask('team.join', request());
    const url = await endOfSignIn();
    const { state = '' } = resultOf({ url: new URL(url) } as never);
    await harness.tabMoved({ id: 2, url });
    await harness.tabMoved({ id: 1, url: url.replace('/relay/v1/joined', '/relay/v1/other') });
    await harness.tabMoved({ id: 1, url: url.replace(relay.origin, 'http://127.0.0.1:9') });
    await harness.tabMoved({ id: 1, url: url.replace(state, 'x'.repeat(43)) });
    expect(await harness.ask('team.state', {})).toMatchObject({
      joined: null,
      signedIn: false,
      signIn: { relay: relay.origin, tabId: 1 },
    });
    await harness.tabMoved({ id: 1, url });
    expect(await harness.ask('team.state', {})).toMatchObject({ signedIn: true });
  });

  test('that the agent refused on the page joins nothing, and says so', async () => {
    await harness.ask('team.join', request());
    const { searchParams } = new URL(harness.joinTabs.opened[0] ?? '');
    const state = searchParams.get('state') ?? '';
    const url = `${relay.origin}/relay/v1/joined#error=access_denied&state=${state}`;
    await harness.tabMoved({ id: 1, url });
    expect(await harness.ask('team.state', {})).toEqual({
      joined: null,
      signedIn: false,
      signIn: { relay: relay.origin, fault: { kind: 'not-joined' } },
    });
  });

  test('with a code that was used already is refused by the relay', async () => {
    await harness.ask('team.join', request());
    const { searchParams } = new URL(harness.joinTabs.opened[0] ?? '');
    const state = searchParams.get('state') ?? '';
    const url = `${relay.origin}/relay/v1/joined#code=${'0'.repeat(32)}&state=${state}`;
    await harness.tabMoved({ id: 1, url });
    expect(await harness.ask('team.state', {})).toMatchObject({
      signIn: { fault: { kind: 'code-refused' } },
    });
  });

  test('is watched for by a worker that the agent’s click has started', async () => {
    harness.joinTabs.whileOpening = () => harness.start();
    await harness.ask('team.join', request());
    expect(harness.joinTabs.watched).toBe(true);
  });

  /** Cancels once the worker has read the sign-in, before it asks the relay. */
  async function cancelDuring(url: string, thenDo = () => Promise.resolve()): Promise<void> {
    const read = harness.session.get.bind(harness.session);
    let reads = 0;
    vi.spyOn(harness.session, 'get').mockImplementation(async (key) => {
      const join = await read(key);
      if (key === 'team-join') reads += 1;
      // The first only tells that there is one.
      if (reads !== 2) return join;
      reads += 1;
      await harness.ask('team.cancel', {});
      await thenDo();
      return join;
    });
    await harness.tabMoved({ id: harness.joinTabs.opened.length, url });
  }

  test('that is cancelled ends, and its tab is watched no more', async () => {
    await harness.ask('team.join', request());
    const url = await endOfSignIn();
    expect(await harness.ask('team.cancel', {})).toBeNull();
    expect(harness.joinTabs.watched).toBe(false);
    await harness.tabMoved({ id: 1, url });
    expect(await harness.ask('team.state', {})).toEqual({
      joined: null,
      signedIn: false,
      signIn: null,
    });
  });

  test('that is cancelled too late leaves the team, and its connections, as they are', async () => {
    await join();
    await apply({ connections: [shop()] });
    await harness.ask('team.join', request());
    await cancelDuring(await endOfSignIn());
    expect(await harness.ask('team.state', {})).toMatchObject({ signedIn: true, signIn: null });
    expect(await harness.ask('team.settings', {})).toEqual(succeed(null));
    expect(await harness.ask('connections.list', {})).toMatchObject([{ id: 'shop' }]);
  });

  test('that is cancelled while the relay takes its code joins nothing, and leaves no token that holds', async () => {
    await harness.ask('team.join', request());
    await cancelDuring(await endOfSignIn());
    const nothing = { joined: null, signedIn: false, signIn: null };
    expect(await harness.ask('team.state', {})).toEqual(nothing);
    expect(await tokensThatHold()).toEqual([]);
  });

  test('that fails once it was cancelled says nothing', async () => {
    await harness.ask('team.join', request());
    const state = new URL(harness.joinTabs.opened[0] ?? '').searchParams.get('state') ?? '';
    await cancelDuring(`${relay.origin}/relay/v1/joined#code=${'0'.repeat(32)}&state=${state}`);
    expect(await harness.ask('team.state', {})).toMatchObject({ signIn: null });
  });

  test('that fails once another was begun leaves that one as it is', async () => {
    await harness.ask('team.join', request());
    const state = new URL(harness.joinTabs.opened[0] ?? '').searchParams.get('state') ?? '';
    const url = `${relay.origin}/relay/v1/joined#code=${'0'.repeat(32)}&state=${state}`;
    await cancelDuring(url, async () => {
      await harness.ask('team.join', request());
    });
    expect(await harness.ask('team.state', {})).toMatchObject({
      signIn: { relay: relay.origin, tabId: 2 },
    });
    expect((await harness.ask('team.state', {})).signIn?.fault).toBeUndefined();
    expect(harness.joinTabs.watched).toBe(true);
    await harness.tabMoved({ id: 2, url: await endOfSignIn() });
    expect(await harness.ask('team.state', {})).toMatchObject({ signedIn: true, signIn: null });
  });

  const passphrase = 'correct horse';
  async function expectSignedIn(): Promise<void> {
    await vi.waitFor(async () => {
      expect(await harness.ask('team.state', {})).toMatchObject({ signedIn: true, signIn: null });
    });
  }

  async function lockKeys(): Promise<void> {
    await harness.ask('secrets.set-mode', { mode: 'passphrase', passphrase, lockAfterMinutes: 5 });
    await harness.ask('secrets.lock', {});
  }

  test('waits for the passphrase where the keys were locked meanwhile, also in another worker', async () => {
    await harness.ask('team.join', request());
    const url = await endOfSignIn();
    await lockKeys();
    await harness.tabMoved({ id: 1, url });
    expect(await files.admin('tokens list')).toContain('There are no tokens');
    expect(await harness.ask('team.state', {})).toEqual({
      joined: null,
      signedIn: false,
      signIn: { relay: relay.origin, fault: { kind: 'unlock-to-join' } },
    });
    await harness.restart();
    await harness.ask('secrets.unlock', { passphrase: 'wrong' });
    expect(await files.admin('tokens list')).toContain('There are no tokens');
    await harness.ask('secrets.unlock', { passphrase });
    await expectSignedIn();
    await vi.waitUntil(() => !harness.joinTabs.watched);
  });

  test('goes on as well when keys are not locked by a passphrase any more', async () => {
    await harness.ask('team.join', request());
    const url = await endOfSignIn();
    await lockKeys();
    await harness.tabMoved({ id: 1, url });
    await harness.ask('secrets.reset', {});
    await expectSignedIn();
  });

  test('keeps nobody waiting who unlocks the keys meanwhile', async () => {
    await lockKeys();
    const read = harness.session.get.bind(harness.session);
    vi.spyOn(harness.session, 'get').mockImplementation((key) =>
      key === 'team-join' ? new Promise(() => undefined) : read(key),
    );
    expect(await harness.ask('secrets.unlock', { passphrase })).toMatchObject({ ok: true });
  });

  test('that fails takes nothing from an unlock that worked, and is reported', async () => {
    await lockKeys();
    const read = harness.session.get.bind(harness.session);
    vi.spyOn(harness.session, 'get').mockImplementation((key) =>
      key === 'team-join' ? Promise.reject(new Error('unreadable')) : read(key),
    );
    expect(await harness.ask('secrets.unlock', { passphrase })).toMatchObject({ ok: true });
    await vi.waitUntil(() => harness.reported.length > 0);
  });

  test('that cannot be stored leaves no token that counts, and no key', async () => {
    await harness.connect('/demo');
    const before = harness.local.dump();
    let failures = 0;
    for (let room = 0; ; room += 150) {
      harness.local.limitTo(before.length + room);
      await join();
      const { signedIn, signIn } = await harness.ask('team.state', {});
      if (signedIn) break;
      expect(signIn).toMatchObject({ fault: { kind: 'storage-full' } });
      expect(await tokensThatHold()).toEqual([]);
      expect(harness.local.dump()).toBe(before);
      failures += 1;
    }
    expect(failures).toBeGreaterThan(2);
    expect(await tokensThatHold()).toHaveLength(1);
  });

  test('is not begun while keys are locked, or where the browser does not allow the relay', async () => {
    await lockKeys();
    expect(await harness.ask('team.join', request())).toEqual(fail({ kind: 'locked' }));
    harness.granted.clear();
    expect(await harness.ask('team.join', request())).toMatchObject({
      fault: { kind: 'not-permitted' },
    });
    expect(harness.joinTabs.opened).toEqual([]);
  });
});

describe('a joined team', () => {
  test('hands out its signed settings as they are', async () => {
    await join();
    expect(await harness.ask('team.settings', {})).toEqual(succeed(null));
    const signed = signer.sign({ version: 1, relay: relay.origin, settings: {} });
    await files.admin('settings set', JSON.stringify(signed));
    expect(await harness.ask('team.settings', {})).toEqual(succeed(signed));
  });

  test('brings connections that work at once, and go through the relay', async () => {
    await join();
    expect(await apply({ connections: [shop()] })).toMatchObject(
      succeed({ connections: { added: ['Shop'] } }),
    );
    const [connection] = await harness.ask('connections.list', {});
    expect(connection).toMatchObject({ throughRelay: true, hasKey: true });
    const report = await harness.ask('check', {
      connectionId: await shopId(),
      code: codes.supported,
      fresh: false,
    });
    expect(report.outcome).toMatchObject(succeed({ kind: 'purchase' }));
    expect((await harness.ask('team.state', {})).joined).toMatchObject({
      version: 0,
      added: { connections: ['shop'] },
    });
    expect(await finish(1)).toEqual(succeed(null));
    expect((await harness.ask('team.state', {})).joined).toMatchObject({
      version: 1,
      settingsKey: signer.key,
      added: { connections: ['shop'] },
    });
  });

  test('gives the month’s report to a role that sees it, and never the token', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const report = (asked = month) => harness.ask('team.report', { month: asked });
    expect(await report()).toEqual(fail({ kind: 'other-team' }));
    await join();
    const role = { kind: 'relay-refused', reason: 'role' };
    expect(await report()).toEqual(fail(role));
    await files.admin('roles set lead report');
    await files.admin(`agents role ${email} lead`);
    const empty = await report('2020-01');
    expect(empty).toMatchObject(succeed({ month: '2020-01', checks: 0, days: [] }));
    await apply({ connections: [shop()] });
    await harness.ask('check', {
      connectionId: await shopId(),
      code: codes.supported,
      fresh: true,
    });
    const full = await report();
    expect(full).toMatchObject({
      value: { checks: 1, verdicts: { found: 1 }, agentLines: [{ name: email }] },
    });
    expect(JSON.stringify(full)).not.toContain('cfr1_');
    expect(JSON.stringify(full)).not.toContain(codes.supported);
    await relay.stop();
    expect(await report()).toEqual(fail({ kind: 'unreachable' }));
    relay = await files.start();
  });

  test('cannot be changed in the name of another signer', async () => {
    await join();
    expect(await apply({ connections: [shop()] }, { settingsKey: 'f'.repeat(64) })).toMatchObject({
      fault: { kind: 'other-team' },
    });
    expect(await harness.ask('connections.list', {})).toEqual([]);
    const finished = { version: 9, settingsKey: 'f'.repeat(64), removes: empty };
    expect(await harness.ask('team.finish', finished)).toMatchObject({
      fault: { kind: 'other-team' },
    });
    expect((await harness.ask('team.state', {})).joined).toMatchObject({ version: 0 });
  });

  test('whose token was revoked is asked nothing more until a new sign-in, which mends its connections', async () => {
    await join();
    await apply({ connections: [shop()] });
    await finish(1);
    const [token = ''] = (await files.admin('tokens list')).split(/\s/u);
    await files.admin(`tokens revoke ${token}`);
    const ended = { ok: false, fault: { kind: 'relay-sign-in', reason: 'revoked' } };
    expect(await harness.ask('team.settings', {})).toEqual(ended);
    const check = async () =>
      harness.ask('check', { connectionId: await shopId(), code: codes.supported, fresh: true });
    expect((await check()).outcome).toEqual(ended);
    await join();
    expect((await check()).outcome).toMatchObject({ ok: true });
    expect((await harness.ask('team.state', {})).joined).toMatchObject({ version: 1 });
  });

  test('has one token that holds after another sign-in, and its connections have that one', async () => {
    await join();
    await apply({ connections: [shop()] });
    const [former = ''] = await tokensThatHold();
    await join();
    const [token = '', ...others] = await tokensThatHold();
    expect([others, token.slice(0, 16) === former.slice(0, 16)]).toEqual([[], false]);
    const asked = { connectionId: await shopId(), code: codes.supported, fresh: true };
    expect((await harness.ask('check', asked)).outcome).toMatchObject({ ok: true });
  });

  test('keeps the token that it has where another sign-in cannot store its own', async () => {
    await join();
    await apply({ connections: [shop()] });
    const before = await tokensThatHold();
    harness.local.limitTo(0);
    await join();
    expect(await harness.ask('team.state', {})).toMatchObject({
      signIn: { fault: { kind: 'storage-full' } },
    });
    expect(await tokensThatHold()).toEqual(before);
    expect(await harness.ask('team.settings', {})).toEqual(succeed(null));
  });

  test('takes away what it does not list any more', async () => {
    await join();
    await apply({ connections: [shop()] });
    await apply({}, { removes: { ...empty, connections: ['shop'] } });
    expect(await harness.ask('connections.list', {})).toEqual([]);
    await finish(2, { connections: ['shop'] });
    expect((await harness.ask('team.state', {})).joined?.added.connections).toEqual([]);
  });

  test('knows what it brought until the page has removed it as well', async () => {
    await join();
    const [keys, templates] = [['a'.repeat(64)], ['thanks']];
    await apply({}, { adds: { keys, templates } });
    await finish(1);
    const removes = { ...empty, keys, templates };
    await apply({}, { removes });
    expect((await harness.ask('team.state', {})).joined).toMatchObject({
      version: 1,
      added: { keys, templates },
    });
    await finish(2, removes);
    expect((await harness.ask('team.state', {})).joined).toMatchObject({
      version: 2,
      added: empty,
    });
  });

  test('goes with all that it added, and its token is revoked', async () => {
    await harness.connect('/demo');
    await join();
    await apply({ connections: [shop()], authorities: [authority()] });
    expect(await harness.ask('connections.list', {})).toHaveLength(2);
    expect(await harness.ask('team.leave', {})).toEqual({ revoked: true });
    const left = await harness.ask('connections.list', {});
    expect(left.map(({ name }) => name)).toEqual(['/demo']);
    expect(await harness.ask('authorities.list', {})).toEqual([]);
    expect(await harness.ask('team.state', {})).toEqual({
      joined: null,
      signedIn: false,
      signIn: null,
    });
    expect(await files.admin('tokens list')).toContain('revoked');
  });

  test('counts as applied only once all of it is stored, and knows what it brought until then', async () => {
    await join();
    const keys = ['a'.repeat(64)];
    await apply({ connections: [shop()] }, { adds: { keys, templates: [] } });
    await finish(1);
    const removes = { ...empty, keys };
    const settings = {
      connections: [{ ...shop(), name: 'Store' }],
      authorities: [authority()],
      templates: { format: 'plain' },
    };
    // The lists are stored, and the templates are not.
    const set = harness.local.set.bind(harness.local);
    const filling = vi
      .spyOn(harness.local, 'set')
      .mockImplementation((values) =>
        'reply-templates' in values ? Promise.reject(new Error('Quota exceeded.')) : set(values),
      );
    expect(await apply(settings, { removes })).toEqual(fail({ kind: 'storage-full' }));
    filling.mockRestore();
    expect((await harness.ask('team.state', {})).joined).toMatchObject({
      version: 1,
      added: { keys },
    });
    expect(await apply(settings, { removes })).toMatchObject({ ok: true });
    await finish(2, removes);
    expect((await harness.ask('team.state', {})).joined).toMatchObject({
      version: 2,
      added: { connections: ['shop'], authorities: ['a'], keys: [] },
    });
  });

  test('is left whole by the next worker where one was stopped in the middle', async () => {
    await join();
    await apply({ connections: [shop()], authorities: [authority()] });
    vi.spyOn(harness.session, 'get').mockImplementationOnce(() => {
      throw new Error('Stopped.');
    });
    await harness.ask('team.leave', {}).catch(() => undefined);
    await harness.restart();
    await harness.ask('team.leave', {});
    expect(await harness.ask('connections.list', {})).toEqual([]);
    expect(await harness.ask('authorities.list', {})).toEqual([]);
    expect(await harness.ask('team.state', {})).toMatchObject({ joined: null });
  });

  test('whose relay has ended the sign-in is left with nothing to end', async () => {
    await join();
    const [token = ''] = (await files.admin('tokens list')).split(/\s/u);
    await files.admin(`tokens revoke ${token}`);
    expect(await harness.ask('team.leave', {})).toEqual({ revoked: true });
  });

  test('can be left while its relay is away', async () => {
    await join();
    await relay.stop();
    expect(await harness.ask('team.leave', {})).toEqual({ revoked: false });
    expect(await harness.ask('team.state', {})).toMatchObject({ joined: null });
    relay = await files.start();
  });

  test('keeps its token when the worker tidies up', async () => {
    await join();
    await harness.tidy();
    expect(await harness.ask('team.state', {})).toMatchObject({ signedIn: true });
  });

  test('keeps its token while a newer version of the program is the only one that can read it', async () => {
    await join();
    const { team } = await harness.local.get('team');
    await harness.local.set({ team: { version: 99 } });
    await harness.tidy();
    await harness.local.set({ team });
    expect(await harness.ask('team.state', {})).toMatchObject({ signedIn: true });
  });
});

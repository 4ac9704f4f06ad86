import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Asker } from '#messaging/gate';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { createWorld, type World } from '#tests/background/worker-harness';

const codes = sampleCodes('/demo');
const origin = 'http://localhost:4000';
const inTab = (tabId: number, where = origin): Asker => ({
  name: 'ticket-script',
  origin: where,
  tabId,
  windowId: 3,
  frameId: 0,
});

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await world.connect('/demo');
});
afterEach(() => world.close());

const start = (asker: Asker) => world.ask('ticket.start', {}, crypto.randomUUID(), asker);
const open = (code: string, asker: Asker) =>
  world.ask('ticket.open', { code }, crypto.randomUUID(), asker);
const check = (code: string, asker: Asker) =>
  world.ask('ticket.check', { code }, crypto.randomUUID(), asker);

describe('a site', () => {
  it('is allowed once, and the script then runs there', async () => {
    await world.ask('sites.allow', { origin });
    expect(await world.ask('sites.allow', { origin })).toEqual([
      { origin, automatic: false, permitted: true },
    ]);
    expect(world.ticket.runsOn).toEqual(['http://localhost/*']);
    expect(world.ticket.started).toContain('http://localhost/*');
  });

  it('that the browser does not permit runs nothing until it does', async () => {
    world.granted.delete('http://localhost/*');
    await world.ask('sites.allow', { origin });
    expect(world.ticket.runsOn).toEqual([]);
    expect(await start(inTab(1))).toBeNull();
    world.granted.add('http://localhost/*');
    await world.permissionsChanged();
    expect(world.ticket.runsOn).toEqual(['http://localhost/*']);
    expect(await start(inTab(1))).not.toBeNull();
  });

  it('whose permission is taken away is told to stop at once', async () => {
    await world.ask('sites.allow', { origin });
    world.granted.delete('http://localhost/*');
    await world.permissionsChanged();
    expect(world.ticket.runsOn).toEqual([]);
    expect(world.ticket.told.at(-1)).toEqual({ news: { ticket: 'ended' }, tabId: undefined });
    expect(await start(inTab(1))).toBeNull();
    expect(await world.ask('sites.list', {})).toMatchObject([{ permitted: false }]);
  });

  it('is reconciled when the worker starts', async () => {
    await world.ask('sites.allow', { origin });
    world.granted.delete('http://localhost/*');
    await world.restart();
    expect(world.ticket.runsOn).toEqual([]);
  });

  it('gives its origin back when it is removed, unless another needs it', async () => {
    await world.ask('sites.allow', { origin });
    await world.ask('sites.allow', { origin: 'http://localhost:5000' });
    await world.ask('sites.remove', { origin });
    expect(world.granted.has('http://localhost/*')).toBe(true);
    await world.ask('sites.remove', { origin: 'http://localhost:5000' });
    expect(world.granted.has('http://localhost/*')).toBe(false);

    const atConnection = world.sandbox.origin;
    await world.ask('sites.allow', { origin: atConnection });
    await world.ask('sites.remove', { origin: atConnection });
    expect(world.granted.has('http://127.0.0.1/*')).toBe(true);
  });

  it('that is still shown keeps its origin when the connection there is deleted', async () => {
    const origin = world.sandbox.origin;
    await world.ask('sites.allow', { origin });
    const [connection] = await world.ask('connections.list', {});
    await world.ask('connections.delete', { id: connection?.id ?? '' });
    world.pass(31_000);
    await world.ring();
    expect(world.granted.has('http://127.0.0.1/*')).toBe(true);
  });
});

describe('the script in a document', () => {
  it('gets its second stage and its orders where the site is allowed', async () => {
    await world.ask('sites.allow', { origin });
    expect(await start({ ...inTab(5), frameId: 2 } as Asker)).toMatchObject({
      automatic: false,
      blank: { tone: 'plain', words: 'chip_ask' },
    });
    expect(world.ticket.views).toEqual([{ tabId: 5, frameId: 2 }]);
  });

  it.each(['http://localhost:4001', 'https://localhost:4000', 'https://elsewhere.example'])(
    'gets nothing at %s, where only a neighbour is allowed',
    async (elsewhere) => {
      await world.ask('sites.allow', { origin });
      expect(await start(inTab(1, elsewhere))).toBeNull();
      expect(await check(codes.supported, inTab(1, elsewhere))).toBeNull();
      await open(codes.supported, inTab(1, elsewhere));
      expect(world.ticket.views).toEqual([]);
      expect(await world.ticket.arrived()).toBeUndefined();
    },
  );

  it('opens a code beside the page, and then learns its verdict in two words', async () => {
    await world.ask('sites.allow', { origin });
    await open(codes.lapsed, inTab(7));
    expect(world.ticket.opened).toEqual([3]);
    expect(await world.ticket.arrived()).toMatchObject({
      text: codes.lapsed,
      place: { windowId: 3 },
    });
    const [connection] = await world.ask('connections.list', {});
    const question = { connectionId: connection?.id ?? '', fresh: false };
    await world.ask('check', { ...question, code: codes.supported });
    await world.ask('check', { ...question, code: codes.lapsed });
    await expect.poll(() => world.ticket.told.filter(({ tabId }) => tabId === 7)).toHaveLength(1);
    const { news } = world.ticket.told.at(-1) ?? {};
    expect(news).toEqual({
      ticket: 'checked',
      code: codes.lapsed,
      chip: { tone: 'warn', icon: expect.any(String) as string, words: 'chip_lapsed' },
    });
  });

  it('checks nothing by itself unless the site is automatic', async () => {
    await world.ask('sites.allow', { origin });
    expect(await check(codes.supported, inTab(1))).toBeNull();
    await world.ask('sites.set-automatic', { origin, on: true });
    expect(await check(codes.supported, inTab(1))).toMatchObject({ words: 'chip_supported' });
    expect(await check(codes.unknown, inTab(1))).toMatchObject({ words: 'chip_not_found' });
  });

  it('that floods the worker is cut off, each tab by itself, until a minute has passed', async () => {
    await world.ask('sites.allow', { origin });
    for (let click = 0; click < 60; click += 1) await open(codes.supported, inTab(1));
    expect(world.ticket.opened).toHaveLength(30);
    await open(codes.supported, inTab(2));
    expect(world.ticket.opened).toHaveLength(31);
    world.pass(61_000);
    await open(codes.supported, inTab(1));
    expect(world.ticket.opened).toHaveLength(32);
  });
});

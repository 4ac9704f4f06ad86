import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { purchaseIn } from '#core/check/index';
import { defaultDialect } from '#core/connections/index';
import { checksOf } from '#core/history/index';
import { fail, succeed } from '#core/result';
import type { Asker } from '#messaging/serve';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import { waitForAbsence } from '#tests/support/waits';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';
import { maxSites } from '#core/preferences/index';
import type { ItemId } from '#core/item-id';

const codes = sampleCodes('/demo');
const origin = 'http://localhost:4000';
const inTab = (tabId: number, where = origin): Asker => ({
  name: 'ticket-script',
  origin: where,
  tabId,
  windowId: 3,
  frameId: 0,
});

let harness: WorkerHarness;
beforeEach(async () => {
  harness = await createWorkerHarness();
  await harness.connect('/demo');
});
afterEach(() => harness.close());

const start = (asker: Asker) => harness.ask('ticket.start', {}, crypto.randomUUID(), asker);
const open = (code: string, asker: Asker) =>
  harness.ask('ticket.open', { code }, crypto.randomUUID(), asker);
/** What was sent to the documents of a tab, the oldest first. */
const sentTo = (tabId: number) =>
  harness.ticket.sent.flatMap(({ message, document }) =>
    document?.tabId === tabId ? message : [],
  );
const labelsSentTo = (tabId: number) =>
  sentTo(tabId).map((message) => (message as { chip: { label: string } }).chip.label);
const check = (code: string, asker: Asker) =>
  harness.ask('ticket.check', { code }, crypto.randomUUID(), asker);

describe('a site', () => {
  it('is allowed once, and the script then runs there', async () => {
    await harness.ask('sites.allow', { origin });
    expect(await harness.ask('sites.allow', { origin })).toEqual(
      succeed([{ origin, automatic: false, permitted: true }]),
    );
    expect(harness.ticket.runsOn).toEqual(['http://localhost/*']);
    expect(harness.ticket.started).toContain('http://localhost/*');
  });

  it('that the browser does not permit runs nothing until it does', async () => {
    harness.granted.delete('http://localhost/*');
    await harness.ask('sites.allow', { origin });
    expect(harness.ticket.runsOn).toEqual([]);
    expect(await start(inTab(1))).toBeNull();
    harness.granted.add('http://localhost/*');
    await harness.permissionsChanged();
    expect(harness.ticket.runsOn).toEqual(['http://localhost/*']);
    expect(await start(inTab(1))).not.toBeNull();
  });

  it('whose permission is taken away is told to stop at once', async () => {
    await harness.ask('sites.allow', { origin });
    harness.granted.delete('http://localhost/*');
    await harness.permissionsChanged();
    expect(harness.ticket.runsOn).toEqual([]);
    expect(harness.ticket.sent.at(-1)).toEqual({
      message: { ticket: 'ended' },
      document: undefined,
    });
    expect(await start(inTab(1))).toBeNull();
    expect(await harness.ask('sites.list', {})).toMatchObject([{ permitted: false }]);
  });

  it('is reconciled when the worker starts', async () => {
    await harness.ask('sites.allow', { origin });
    harness.granted.delete('http://localhost/*');
    await harness.restart();
    expect(harness.ticket.runsOn).toEqual([]);
  });

  it('gives its origin back when it is removed, unless another needs it', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.allow', { origin: 'http://localhost:5000' });
    await harness.ask('sites.remove', { origin });
    expect(harness.granted.has('http://localhost/*')).toBe(true);
    await harness.ask('sites.remove', { origin: 'http://localhost:5000' });
    expect(harness.granted.has('http://localhost/*')).toBe(false);

    const atConnection = harness.sandbox.origin;
    await harness.ask('sites.allow', { origin: atConnection });
    await harness.ask('sites.remove', { origin: atConnection });
    expect(harness.granted.has('http://127.0.0.1/*')).toBe(true);
  });

  it('that is still shown keeps its origin when the connection there is deleted', async () => {
    const origin = harness.sandbox.origin;
    await harness.ask('sites.allow', { origin });
    const [connection] = await harness.ask('connections.list', {});
    await harness.ask('connections.delete', { id: connection?.id ?? '' });
    harness.pass(31_000);
    await harness.runAlarms();
    expect(harness.granted.has('http://127.0.0.1/*')).toBe(true);
  });
});

describe('sites', () => {
  it('are as many as there may be', async () => {
    for (let port = 5001; port <= 5000 + maxSites; port += 1)
      await harness.ask('sites.allow', { origin: `http://localhost:${String(port)}` });
    expect(await harness.ask('sites.allow', { origin })).toEqual(fail({ kind: 'too-many' }));
    expect(await harness.ask('sites.list', {})).toHaveLength(maxSites);
  });

  it('have their settings each by itself', async () => {
    const other = 'http://localhost:5000';
    for (const one of [origin, other]) await harness.ask('sites.allow', { origin: one });
    await harness.ask('sites.set-automatic', { origin: other, on: true });
    expect(await harness.ask('sites.list', {})).toMatchObject([
      { origin, automatic: false },
      { origin: other, automatic: true },
    ]);
    expect(await harness.ask('sites.remove', { origin })).toMatchObject({
      value: [{ origin: other }],
    });
  });

  it('of one host are one pattern, in which the script starts once', async () => {
    await harness.ask('sites.allow', { origin: 'http://localhost:5000' });
    harness.ticket.started.length = 0;
    await harness.ask('sites.allow', { origin });
    expect(harness.ticket.runsOn).toEqual(['http://localhost/*']);
    expect(harness.ticket.started).toEqual(['http://localhost/*']);
  });

  it('that the browser does not permit are not started in', async () => {
    harness.granted.delete('http://localhost/*');
    await harness.ask('sites.allow', { origin });
    expect(harness.ticket.started).toEqual([]);
  });
});

describe('the script in a document', () => {
  it('gets its second stage and its orders where the site is allowed', async () => {
    await harness.ask('sites.allow', { origin });
    expect(await start({ ...inTab(5), frameId: 2 } as Asker)).toMatchObject({
      automatic: false,
      blank: { tone: 'plain', label: 'chip_ask' },
    });
    expect(harness.ticket.views).toEqual([{ tabId: 5, frameId: 2 }]);
  });

  it('is told the patterns of the agent’s connections, and nothing else of them', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.connect('/market', { dialect: { ...defaultDialect, codePattern: 'LIC-[0-9]+' } });
    const orders = await start(inTab(1));
    expect(orders?.patterns).toEqual(['LIC-[0-9]+']);
    expect(orders).toMatchObject({
      busy: { label: 'chip_asking', answered: false },
      blank: { answered: false },
      origin,
    });
    expect(JSON.stringify(orders)).not.toContain(harness.sandbox.origin);
  });

  it('is what a page of ours is not', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    const popup: Asker = { name: 'popup' };
    expect(await start(popup)).toBeNull();
    expect(await check(codes.supported, popup)).toBeNull();
    expect(await open(codes.supported, popup)).toBeNull();
    expect(harness.ticket.opened).toEqual([]);
  });

  it('opens no panel on a site that is known not to be allowed', async () => {
    await harness.ask('sites.allow', { origin });
    await open(codes.supported, inTab(1, 'http://localhost:9999'));
    expect(harness.ticket.opened).toEqual([]);
  });

  it('says nothing where there is no connection to ask', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    const [connection] = await harness.ask('connections.list', {});
    await harness.ask('connections.delete', { id: connection?.id ?? '' });
    expect(await check(codes.supported, inTab(1))).toBeNull();
  });

  it('asks no further connection once one has found the code', async () => {
    await harness.connect('/market');
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    await harness.requests();
    await check(codes.supported, inTab(1));
    const asked = (await harness.requests()).map(({ path }) => path.split('/')[1]);
    expect([...new Set(asked)]).toEqual(['demo']);
  });

  it.each(['http://localhost:4001', 'https://localhost:4000', 'https://elsewhere.example'])(
    'gets nothing at %s, where only a neighbour is allowed',
    async (elsewhere) => {
      await harness.ask('sites.allow', { origin });
      expect(await start(inTab(1, elsewhere))).toBeNull();
      expect(await check(codes.supported, inTab(1, elsewhere))).toBeNull();
      await open(codes.supported, inTab(1, elsewhere));
      expect(harness.ticket.views).toEqual([]);
      expect(await harness.ticket.arrived()).toBeUndefined();
    },
  );

  it('opens a code beside the page, and then learns its verdict in two words', async () => {
    await harness.ask('sites.allow', { origin });
    await open(codes.lapsed, inTab(7));
    expect(harness.ticket.opened).toEqual([3]);
    expect(await harness.ticket.arrived()).toMatchObject({
      text: codes.lapsed,
      target: { windowId: 3 },
    });
    const [connection] = await harness.ask('connections.list', {});
    const question = { connectionId: connection?.id ?? '', fresh: false };
    await harness.ask('check', { ...question, code: codes.supported });
    await harness.ask('check', { ...question, code: codes.lapsed });
    await expect.poll(() => sentTo(7)).toHaveLength(1);
    expect(sentTo(7)[0]).toEqual({
      ticket: 'checked',
      code: codes.lapsed,
      chip: {
        tone: 'warn',
        icon: expect.any(String) as string,
        label: 'chip_lapsed',
        answered: true,
      },
    });
  });

  it('says the month in which support ends, of a near end the day, and of no other verdict a date', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    const month = /^\p{L}{3,4} \d{4}$/u;
    expect(await check(codes.supported, inTab(1))).toMatchObject({
      until: expect.stringMatching(month) as string,
    });
    expect(await check(codes.endsTomorrow, inTab(1))).toMatchObject({
      until: expect.stringMatching(/^\d{1,2} \p{L}{3,4}$/u) as string,
    });
    for (const code of [codes.lapsed, codes.noSupport, codes.unknown])
      expect(await check(code, inTab(1))).not.toHaveProperty('until');
  });

  it('keeps the verdict on a code when it is clicked, whatever other connections answer', async () => {
    await harness.connect('/market');
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    const [demo, market] = (await harness.ask('connections.list', {})).map(({ id }) => id);
    const code = sampleCodes('/market').supported;
    expect(await check(code, inTab(1))).toMatchObject({ label: 'chip_supported' });

    await open(code, inTab(1));
    expect(await harness.ticket.arrived()).toMatchObject({ connectionIds: [demo, market] });
    await harness.ask('check', { connectionId: demo ?? '', code, fresh: false });
    await harness.injectFault({ base: '/market', fault: 'html-500', times: 9 });
    await harness.ask('check', { connectionId: market ?? '', code, fresh: true });
    await expect.poll(() => labelsSentTo(1)).not.toEqual([]);
    expect(new Set(labelsSentTo(1))).toEqual(new Set(['chip_supported']));
  });

  it('learns a not-found of a clicked code only when every connection has answered', async () => {
    await harness.connect('/market');
    await harness.ask('sites.allow', { origin });
    const [demo = '', market = ''] = (await harness.ask('connections.list', {})).map(
      ({ id }) => id,
    );
    await open(codes.unknown, inTab(1));
    await harness.ask('check', { connectionId: demo, code: codes.unknown, fresh: false });
    await waitForAbsence(100);
    expect(labelsSentTo(1)).toEqual([]);
    await harness.ask('check', { connectionId: market, code: codes.unknown, fresh: false });
    await expect.poll(() => labelsSentTo(1)).toEqual(['chip_not_found']);
  });

  it('learns nothing of what another document of its tab, or another origin in it, has asked', async () => {
    await harness.ask('sites.allow', { origin });
    const other = 'http://localhost:5000';
    await harness.ask('sites.allow', { origin: other });
    const inDocument = (documentId: string) => ({ ...inTab(1), documentId }) as Asker;
    for (const asker of [inDocument('A'), inDocument('B'), inTab(2), inTab(2, other)])
      await open(codes.supported, asker);
    for (const asker of [inDocument('C'), inTab(2, other), inTab(3)])
      await open(codes.lapsed, asker);
    const [connection] = await harness.ask('connections.list', {});
    const connectionId = connection?.id ?? '';
    await harness.ask('check', { connectionId, code: codes.supported, fresh: false });
    await expect
      .poll(() => harness.ticket.sent.flatMap(({ document }) => document ?? []))
      .toMatchObject([
        { documentId: 'A', tabId: 1, origin },
        { documentId: 'B', tabId: 1, origin },
        { tabId: 2, frameId: 0, origin },
        { tabId: 2, frameId: 0, origin: other },
      ]);
  });

  it('checks nothing by itself unless the site is automatic', async () => {
    await harness.ask('sites.allow', { origin });
    expect(await check(codes.supported, inTab(1))).toBeNull();
    await harness.ask('sites.set-automatic', { origin, on: true });
    expect(await check(codes.supported, inTab(1))).toMatchObject({ label: 'chip_supported' });
    expect(await check(codes.unknown, inTab(1))).toMatchObject({ label: 'chip_not_found' });
  });

  it('that floods the worker is cut off, each tab by itself, until a minute has passed', async () => {
    await harness.ask('sites.allow', { origin });
    for (let click = 0; click < 60; click += 1) await open(codes.supported, inTab(1));
    expect(harness.ticket.opened).toHaveLength(30);
    await open(codes.supported, inTab(2));
    expect(harness.ticket.opened).toHaveLength(31);
    harness.pass(61_000);
    await open(codes.supported, inTab(1));
    expect(harness.ticket.opened).toHaveLength(32);
  });

  it('that checks by itself may ask about 10 codes a minute a tab, whether they are known or not', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    await check(codes.supported, inTab(9));
    const allowed = async (asked: readonly string[], tabId: number): Promise<number> => {
      const chips: unknown[] = [];
      for (const code of asked) chips.push(await check(code, inTab(tabId)));
      return chips.filter((chip) => chip !== null).length;
    };
    const madeUp = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());
    expect(await allowed(madeUp(12), 1)).toBe(10);
    const purchases = [codes.lapsed, codes.noSupport, codes.extended];
    expect(await allowed([...purchases, ...madeUp(12)], 2)).toBe(10);
    expect(await check(codes.unknown, inTab(1))).toBeNull();
    harness.pass(61_000);
    expect(await check(codes.unknown, inTab(1))).toMatchObject({ label: 'chip_not_found' });
  });

  it('that shows more than 10 codes is told of each that the keys are locked, which costs no request', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    const passphrase = 'seven grey herons';
    await harness.ask('secrets.set-mode', { mode: 'passphrase', passphrase });
    await harness.ask('secrets.lock', {});
    for (let count = 0; count < 12; count += 1)
      expect(await check(crypto.randomUUID(), inTab(1))).toMatchObject({ label: 'chip_locked' });
    await harness.ask('secrets.unlock', { passphrase });
    expect(await check(codes.unknown, inTab(1))).toMatchObject({ label: 'chip_not_found' });
  });

  it('that has asked about 10 codes is given the answers that are remembered, found or not', async () => {
    await harness.connect('/market');
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    const ofMarket = sampleCodes('/market').supported;
    const known = [codes.supported, ofMarket, codes.unknown];
    for (const code of known) await check(code, inTab(2));
    for (let asked = 0; asked < 10; asked += 1) await check(crypto.randomUUID(), inTab(1));
    expect(await check(crypto.randomUUID(), inTab(1))).toBeNull();
    await harness.requests();
    for (const code of known) expect(await check(code, inTab(1))).not.toBeNull();
    expect(await harness.requests()).toEqual([]);
  });

  it('is given each answer at the same moment after its question, new or remembered, known or not', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    for (const code of [codes.supported, codes.unknown, codes.supported, codes.unknown]) {
      const startedAt = performance.now();
      await check(code, inTab(1));
      const waited = performance.now() - startedAt + (harness.pauses.at(-1) ?? 0);
      expect(Math.round(waited / 250)).toBe(4);
    }
    expect(harness.pauses).toHaveLength(4);
  });

  it('causes no question to be asked again for five minutes, whatever its answer was', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    for (const code of [codes.supported, codes.unknown]) await check(code, inTab(1));
    await harness.requests();
    for (const passed of [0, 31_000, 200_000]) {
      harness.pass(passed);
      for (const code of [codes.supported, codes.unknown]) await check(code, inTab(2));
    }
    expect(await harness.requests()).toEqual([]);
    harness.pass(70_000);
    await check(codes.unknown, inTab(1));
    expect(await harness.requests()).not.toEqual([]);
  });

  it('is told of an answer that is given again beside a new one, and so is the history', async () => {
    await harness.connect('/market');
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    await harness.injectFault({ base: '/market', fault: 'truncated', times: 9 });
    expect(await check(codes.unknown, inTab(1))).toMatchObject({ label: 'chip_failed' });
    await harness.clearFaults();
    expect(await check(codes.unknown, inTab(2))).toMatchObject({ label: 'chip_not_found' });
    await expect
      .poll(async () => checksOf(await harness.history.latest(9)))
      .toMatchObject([
        { group: 'not-found', connectionNames: ['/demo', '/market'] },
        { group: 'fault' },
      ]);
  });

  it('gets no more requests for made-up codes out of many frames than out of one document', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    await harness.requests();
    const frames = Array.from({ length: 24 }, (_, frameId) =>
      check(crypto.randomUUID(), { ...inTab(1), frameId } as Asker),
    );
    const answered = (await Promise.all(frames)).filter((chip) => chip !== null);
    expect(answered.length).toBeGreaterThan(0);
    const fromFrames = (await harness.requests()).length;
    for (let count = 0; count < 24; count += 1) await check(crypto.randomUUID(), inTab(2));
    expect(fromFrames).toBeLessThanOrEqual((await harness.requests()).length + 1);
    expect(fromFrames).toBeLessThanOrEqual(21);
  });

  it('is judged by the expected item of its site, then and when it is checked again', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    const [connection] = await harness.ask('connections.list', {});
    const connectionId = connection?.id ?? '';
    const request = { code: codes.supported, connectionId, fresh: true };
    const report = await harness.ask('check', request);
    const bought = purchaseIn(report.outcome)?.item;
    if (bought === undefined) throw new Error('It was bought.');
    const expecting = (itemId: ItemId) =>
      harness.ask('sites.set-expected-item', { origin, item: { itemId, name: 'Anchor' } });
    await expecting(bought.id);
    expect(await check(codes.supported, inTab(1))).toMatchObject({ label: 'chip_supported' });
    await expecting(`${String(bought.id)}-`);
    expect(await check(codes.supported, inTab(1))).toMatchObject({ label: 'chip_other_item' });
    await harness.ask('check', request);
    await expect.poll(() => labelsSentTo(1)).toContain('chip_other_item');
    await harness.ask('sites.set-expected-item', { origin, item: null });
    expect(await check(codes.supported, inTab(1))).toMatchObject({ label: 'chip_supported' });
  });

  it('keeps its expected item while the deletion of its connection can be undone, and loses it then', async () => {
    await harness.ask('sites.allow', { origin });
    const [connection] = await harness.ask('connections.list', {});
    const id = connection?.id ?? '';
    const item = { connectionId: id, itemId: 1, name: 'Anchor' };
    await harness.ask('sites.set-expected-item', { origin, item });
    const expected = async () => (await harness.ask('sites.list', {}))[0]?.expectedItem;
    await harness.ask('connections.delete', { id });
    expect(await expected()).toEqual(item);
    await harness.ask('connections.restore', { id });
    harness.pass(30_000);
    await harness.restart();
    expect(await expected()).toEqual(item);

    await harness.ask('connections.delete', { id });
    harness.pass(30_000);
    await harness.restart();
    expect(await expected()).toBeUndefined();
    expect(await harness.ask('sites.list', {})).toHaveLength(1);
  });

  it('is given answers that the cache holds for nothing', async () => {
    await harness.ask('sites.allow', { origin });
    await harness.ask('sites.set-automatic', { origin, on: true });
    for (let count = 0; count < 60; count += 1)
      expect(await check(codes.supported, inTab(1))).toMatchObject({ label: 'chip_supported' });
  });
});

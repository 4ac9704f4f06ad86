import { randomBytes } from 'node:crypto';
import { machineClocks } from '#relay/machine/clocks';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { fail, succeed } from '#core/result';
import { delay } from '#core/time/index';
import { sellerApi } from '#core/marketplaces/seller-api/reader';
import { type CallParts, createAskUpstream, type UpstreamRequest } from '#relay/calls/ask-upstream';
import type { SlotAnswer, SlotRequest } from '#relay/store/store';
import { createObserver } from '#relay/observe/observer';
import type { Stored } from '#relay/store/records';
import { checkAtShop, shop } from '#tests/relay/support/records';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const subject: Stored<'auditSubject'> = {
  ...checkAtShop,
  callId: 'call-1',
  codeHmac: '',
  codeLast4: '',
};

const question: UpstreamRequest = {
  connection: shop,
  apiKey: randomBytes(16).toString('hex'),
  call: sellerApi.purchase('code', {}),
  cacheKey: 'shop:1:validation:abc',
  refresh: false,
  subject,
  isGone: () => false,
};

/** Asks while the store answers each request for a slot by the time since the first. */
async function ask(
  slotAfter: (milliseconds: number) => SlotAnswer,
  fields: Partial<UpstreamRequest> = {},
  reportCall: CallParts['store']['reportCall'] = () => Promise.resolve(),
  missed = 0,
): Promise<{
  readonly result: unknown;
  readonly requests: readonly SlotRequest[];
  readonly renewed: readonly string[];
  readonly counted: string;
}> {
  const began = machineClocks.paceNow();
  const requests: SlotRequest[] = [];
  const renewed: string[] = [];
  const store: Partial<CallParts['store']> = {
    takeSlot: (request) => {
      requests.push(request);
      return Promise.resolve(slotAfter(machineClocks.paceNow() - began));
    },
    findCached: () => Promise.resolve(undefined),
    renewLease: ({ holder }) => {
      renewed.push(holder);
      return Promise.resolve();
    },
    reportCall,
  };
  const raw = { status: 404, contentType: 'text/plain', body: Buffer.from('no') };
  let sends = 0;
  const upstream: Partial<CallParts['upstream']> = {
    send: async () => {
      sends += 1;
      if (sends > missed) return succeed(raw);
      await delay(2_000);
      return fail('slot-missed');
    },
  };
  const observer = createObserver('silent');
  const parts = { store, upstream, clocks: machineClocks, observer };
  const asked = createAskUpstream(parts as unknown as CallParts)({ ...question, ...fields }, false);
  await vi.advanceTimersByTimeAsync(60_000);
  const { outcome } = await asked;
  const result = outcome.ok ? outcome.value.raw.status : outcome.fault.kind;
  return { requests, renewed, result, counted: await observer.page() };
}

const granted = { granted: true, slot: 0 } as const;
const refused = (reason: 'leased' | 'pace', at = 0): SlotAnswer => ({
  granted: false,
  at,
  reason,
});

describe('a call', () => {
  /** Another instance asks the same for five seconds, and a slot is free some time after that. */
  const afterALease = (slotMs: number) => {
    const began = machineClocks.paceNow();
    return ask((passedMs) => {
      if (passedMs < 5_000) return refused('leased');
      return passedMs < 5_000 + slotMs ? refused('pace', began + 5_000 + slotMs) : granted;
    });
  };

  test('waits two seconds for a slot, however long another instance asked the same', async () => {
    expect((await afterALease(1_900)).result).toBe(404);
  });

  test('waits no longer for a slot than two seconds', async () => {
    expect((await afterALease(2_100)).result).toBe('pace');
  });

  test('takes no slot once its client has gone', async () => {
    const began = machineClocks.paceNow();
    const isGone = (): boolean => machineClocks.paceNow() > began;
    const later = (): SlotAnswer => refused('pace', began + 1_000);
    expect((await ask(later, { isGone })).requests).toHaveLength(1);
  });

  test('says that the seller is slow when another instance asks the same for too long', async () => {
    expect((await ask(() => refused('leased'))).result).toBe('upstream-timeout');
  });

  test('asks for the lease of its cache key, and for no slot once the reply is there', async () => {
    const { requests } = await ask(() => granted);
    expect(requests).toMatchObject([{ lease: { key: question.cacheKey }, unlessCached: true }]);
  });

  test('renews its own lease for as long as it is under way, and no longer', async () => {
    const { requests, renewed } = await ask(() => granted, {}, undefined, 1);
    expect(requests.map(({ lease }) => lease.holder)).toEqual(['call-1', 'call-1']);
    expect(renewed).toEqual(['call-1']);
  });

  test('whose outcome cannot be recorded is answered, and the failure counted', async () => {
    const gone = (): Promise<void> => Promise.reject(new Error('gone'));
    const { result, counted } = await ask(() => granted, {}, gone);
    expect(result).toBe(404);
    expect(counted).toContain('counterfoil_relay_store_faults_total 1');
  });

  test('that misses its slot takes another one, which does not count in its quota', async () => {
    const outcomes: string[] = [];
    const note: CallParts['store']['reportCall'] = ({ result }) => {
      outcomes.push(result);
      return Promise.resolve();
    };
    const { result, requests } = await ask(() => granted, { quota: 5 }, note, 2);
    expect(result).toBe(404);
    expect(requests.map(({ quota }) => quota)).toEqual([5, undefined, undefined]);
    expect(outcomes).toEqual(['slot-missed', 'slot-missed', '404']);
  });

  test('that misses one slot after the other is refused once its ten seconds are over', async () => {
    const { result, requests } = await ask(() => granted, {}, undefined, Infinity);
    expect(result).toBe('slot-missed');
    expect(requests).toHaveLength(5);
  });

  test.each([
    ['of an account', { subject: { ...subject, call: 'account' } }],
    ['for a fresh answer', { refresh: true }],
  ] as const)('%s has a lease of its own', async (_name, fields) => {
    const { requests } = await ask(() => granted, fields);
    expect(requests).toMatchObject([{ lease: { key: subject.callId }, unlessCached: false }]);
  });
});

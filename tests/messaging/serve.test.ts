import { describe, expect, it } from 'vitest';

import { type Sender, type Handlers, type MessageEvent, serve } from '#messaging/serve';
import { administrationRules } from '#messaging/administration-rules';
import { checkingRules } from '#messaging/protocol';

const self = { id: 'me', origin: 'chrome-extension://me', build: 'b1' };
const popup = { id: 'me', origin: self.origin, url: `${self.origin}/popup.html` };
const nonce = '3f0c3c1e-6e0a-4a5b-9a58-0a9f4a6f3c11';

type Listener = Parameters<MessageEvent['addListener']>[0];

/**
 * Serves a worker whose first script has the rules of `checkingRules`, and the second those of `administrationRules`.
 */
function served(handlers: Partial<Handlers>, isMissing = false) {
  const listeners: Listener[] = [];
  const logged: string[] = [];
  let loads = 0;
  const first = { rules: checkingRules, handlers };
  serve({ addListener: (listener) => void listeners.push(listener) }, first, {
    self,
    loadOthers: () => {
      loads += 1;
      return isMissing ? undefined : { rules: administrationRules, handlers };
    },
    log: (topic, error) => void logged.push(`${topic} ${error}`),
    otherBuild: () => void logged.push('outdated'),
  });
  const send = (message: unknown, sender: Sender) =>
    new Promise<{ waits: boolean; answer?: unknown }>((resolve) => {
      const [listener] = listeners;
      const waits = listener?.(message, sender, (answer) => {
        resolve({ waits: true, answer });
      });
      if (waits !== true) resolve({ waits: false });
    });
  return { send, logged, listeners, loads: () => loads };
}

describe('serve', () => {
  it('registers one listener at once', () => {
    expect(served({}).listeners).toHaveLength(1);
  });

  it('tells a page of another build so, and whoever runs the worker', async () => {
    const { send, logged } = served({});
    expect(await send({ topic: 'secrets.state', nonce, body: {}, build: 'b2' }, popup)).toEqual({
      waits: true,
      answer: { answered: false, reason: 'other-build' },
    });
    expect(logged).toEqual(['other-build refused', 'outdated']);
  });

  it('answers a page of ours with what its handler says', async () => {
    const { send } = served({ 'secrets.state': () => Promise.resolve(state) });
    const state = { mode: 'device', locked: false, lockAfterMinutes: 15 } as const;
    expect(await send({ topic: 'secrets.state', nonce, body: {} }, popup)).toEqual({
      waits: true,
      answer: { answered: true, reply: state },
    });
  });

  it('hands a handler the body, the nonce and who asks', async () => {
    const calls: unknown[] = [];
    const { send } = served({
      'team.join': (...call) => {
        calls.push(call);
        return Promise.resolve({ ok: true, value: null });
      },
    });
    const body = { relay: 'https://relay.example', name: 'Fenwick' };
    const options = { ...popup, url: `${self.origin}/options.html` };
    await send({ topic: 'team.join', nonce, body }, options);
    expect(calls).toEqual([[body, nonce, { name: 'options' }]]);
  });

  it('gives a foreign sender no answer at all', async () => {
    const { send, logged } = served({});
    const web = { id: 'me', origin: 'https://x.example', url: 'https://x.example/popup.html' };
    expect(await send({ topic: 'secrets.state', nonce, body: {} }, web)).toEqual({ waits: false });
    expect(logged).toEqual([]);
  });

  it('gives a page that breaks a rule a bare refusal', async () => {
    const { send } = served({});
    const { answer } = await send({ topic: 'secrets.reset', nonce, body: {} }, popup);
    expect(answer).toEqual({ answered: false, reason: 'refused' });
  });

  it('lets no word of an unexpected error out, nor into the log', async () => {
    const { send, logged } = served({
      'secrets.state': () => Promise.reject(new TypeError('key k-123 is wrong')),
    });
    const { answer } = await send({ topic: 'secrets.state', nonce, body: {} }, popup);
    expect(answer).toEqual({ answered: false, reason: 'failed' });
    expect(logged).toEqual(['secrets.state TypeError']);
  });

  it('loads the second script for a topic of it that a page of ours may ask, and for nothing else', async () => {
    const done = () => Promise.resolve(null);
    const { send, loads } = served({
      'sites.list': () => Promise.resolve([]),
      'team.cancel': done,
    });
    const inTicket = {
      id: 'me',
      origin: 'https://desk.example',
      url: 'https://desk.example/1',
      frameId: 0,
      tab: { id: 7, windowId: 3 },
    };
    const options = { ...popup, url: `${self.origin}/options.html` };
    const ask = { topic: 'team.cancel', nonce, body: {} };
    await send({ ...ask, topic: 'sites.list' }, popup);
    await send({ ...ask, build: 'b2' }, options);
    await send({ ...ask, nonce: 'x' }, options);
    await send(ask, { ...options, id: 'other' });
    expect(await send(ask, inTicket)).toEqual({
      waits: true,
      answer: { answered: false, reason: 'refused' },
    });
    expect(loads()).toBe(0);

    const { answer } = await send(ask, options);
    expect(answer).toEqual({ answered: true, reply: null });
    expect(loads()).toBeGreaterThan(0);
  });

  it('answers that it failed, and logs it, when the second script is missing', async () => {
    const { send, logged } = served({}, true);
    const { answer } = await send({ topic: 'items.media', nonce, body: {} }, popup);
    expect(answer).toEqual({ answered: false, reason: 'failed' });
    expect(logged).toEqual(['part-missing refused']);
  });
});

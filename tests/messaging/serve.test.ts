import { describe, expect, it } from 'vitest';

import type { Sender } from '#messaging/gate';
import { type Handlers, type MessageEvent, serve } from '#messaging/serve';

const self = { id: 'me', origin: 'chrome-extension://me', build: 'b1' };
const popup = { id: 'me', origin: self.origin, url: `${self.origin}/popup.html` };
const nonce = '3f0c3c1e-6e0a-4a5b-9a58-0a9f4a6f3c11';

type Listener = Parameters<MessageEvent['addListener']>[0];

function served(handlers: Partial<Handlers>) {
  const listeners: Listener[] = [];
  const logged: string[] = [];
  serve({ addListener: (listener) => void listeners.push(listener) }, handlers as Handlers, {
    self,
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
  return { send, logged, listeners };
}

describe('serve', () => {
  it('registers one listener at once', () => {
    expect(served({}).listeners).toHaveLength(1);
  });

  it('tells a page of another build so, and whoever runs the worker', async () => {
    const { send, logged } = served({});
    expect(await send({ topic: 'secrets.state', nonce, body: {}, build: 'b2' }, popup)).toEqual({
      waits: true,
      answer: { answered: false, because: 'other-build' },
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
    expect(answer).toEqual({ answered: false, because: 'refused' });
  });

  it('lets no word of an unexpected error out, nor into the log', async () => {
    const { send, logged } = served({
      'secrets.state': () => Promise.reject(new TypeError('key k-123 is wrong')),
    });
    const { answer } = await send({ topic: 'secrets.state', nonce, body: {} }, popup);
    expect(answer).toEqual({ answered: false, because: 'failed' });
    expect(logged).toEqual(['secrets.state TypeError']);
  });
});

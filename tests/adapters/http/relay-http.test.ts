import type { ServerResponse } from 'node:http';

import { expect, onTestFinished, test } from 'vitest';

import { createRelayInfo } from '#adapters/http/relay-http';
import { startTinyServer } from '#tests/adapters/http/tiny-server';

const info = { version: 1, name: 'Fenwick', settings_key: null, sign_in: ['invite'] };

/** Asks a server whether it is a relay. */
async function lookUp(answer: (response: ServerResponse) => void): Promise<unknown> {
  const { origin, close } = await startTinyServer((_request, response) => {
    answer(response);
  });
  onTestFinished(close);
  const ask = createRelayInfo({ fetch, isOnline: () => true, now: () => 0 });
  return ask(origin);
}

test('a relay says whose it is', async () => {
  const found = lookUp((response) => response.end(JSON.stringify({ counterfoil_relay: info })));
  await expect(found).resolves.toMatchObject({ ok: true, value: { name: 'Fenwick' } });
});

test.each([
  [200, 'an answer that is no relay’s', '{"name":"Fenwick"}'],
  [404, 'no such page', ''],
])('%i with %s comes from no relay', async (status, _what, body) => {
  const found = lookUp((response) => response.writeHead(status).end(body));
  await expect(found).resolves.toEqual({ ok: false, fault: { kind: 'no-relay' } });
});

test('a relay without its database is down, and no other server', async () => {
  const failure = { 'Counterfoil-Relay-Failure': 'store-unavailable' };
  const found = lookUp((response) => response.writeHead(503, failure).end('{}'));
  const fault = { kind: 'relay-unavailable', because: 'outage' };
  await expect(found).resolves.toEqual({ ok: false, fault });
});

test.each([429, 502, 503])('%i of a proxy before it is an outage', async (status) => {
  const found = lookUp((response) => response.writeHead(status).end('Bad gateway'));
  const fault = { kind: 'relay-unavailable', because: 'outage' };
  await expect(found).resolves.toEqual({ ok: false, fault });
});

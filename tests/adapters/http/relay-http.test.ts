import type { ServerResponse } from 'node:http';

import { expect, onTestFinished, test } from 'vitest';

import { createRelayHttp, createRelayInfo } from '#adapters/http/relay-http';
import { fail, succeed } from '#core/result';
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
  await expect(found).resolves.toMatchObject(succeed({ name: 'Fenwick' }));
});

test.each([
  [200, 'an answer that is no relay’s', '{"name":"Fenwick"}'],
  [404, 'no such page', ''],
])('%i with %s comes from no relay', async (status, _what, body) => {
  const found = lookUp((response) => response.writeHead(status).end(body));
  await expect(found).resolves.toEqual(fail({ kind: 'no-relay' }));
});

test('a relay without its database is down, and no other server', async () => {
  const failure = { 'Counterfoil-Relay-Failure': 'store-unavailable' };
  const found = lookUp((response) => response.writeHead(503, failure).end('{}'));
  const fault = { kind: 'relay-unavailable', reason: 'outage' };
  await expect(found).resolves.toEqual(fail(fault));
});

test.each([429, 502, 503])('%i of a proxy before it is an outage', async (status) => {
  const found = lookUp((response) => response.writeHead(status).end('Bad gateway'));
  const fault = { kind: 'relay-unavailable', reason: 'outage' };
  await expect(found).resolves.toEqual(fail(fault));
});

/** Asks a server for a report as a relay of the team. */
async function report(answer: (response: ServerResponse) => void): Promise<unknown> {
  const { origin, requests, close } = await startTinyServer((_request, response) => {
    answer(response);
  });
  onTestFinished(close);
  const http = createRelayHttp({ fetch, isOnline: () => true, now: () => 0 });
  const reply = await http.report(origin, 'cfr1_token', '2026-11');
  expect(requests[0]?.url).toBe('/relay/v1/report?month=2026-11');
  expect(requests[0]?.headers.authorization).toBe('Bearer cfr1_token');
  return reply;
}

test('a relay from before the report is too old, and refuses nobody', async () => {
  const failure = { 'Counterfoil-Relay-Failure': 'not-a-seller-call' };
  const reply = report((response) => response.writeHead(403, failure).end('{}'));
  await expect(reply).resolves.toEqual(fail({ kind: 'relay-too-old' }));
});

test.each([
  ['no report', '{"report":null}'],
  ['a report of another month', '{"report":{"month":"2026-10"}}'],
  ['no relay’s words', '[]'],
])('an answer with %s is none', async (_what, body) => {
  const reply = report((response) => response.end(body));
  await expect(reply).resolves.toMatchObject({ ok: false });
});

test('an answer without an end is cut off', async () => {
  const reply = report((response) => {
    response.on('error', () => undefined);
    response.end('{"report":"' + 'a'.repeat(2 ** 21));
  });
  await expect(reply).resolves.toMatchObject(fail({ kind: 'too-large' }));
});

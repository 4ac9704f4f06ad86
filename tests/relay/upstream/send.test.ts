import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { RawReply, SellerRequest } from '#core/http/exchange';
import type { Result } from '#core/result';
import { delay } from '#core/time/index';
import { timeLeft } from '#relay/machine/live-time';
import {
  createPublicLookup,
  createUpstream,
  isPrivateAddress,
  type SendFault,
  type Upstream,
} from '#relay/upstream/send';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { rawSeller } from '#tests/relay/support/raw-seller';

/** What the clock shows: a day that this machine's is not near. */
const moment = Date.UTC(2001, 0, 1);

let seller: CountingUpstream;
let upstream: Upstream;
beforeAll(async () => {
  seller = await countingUpstream();
  upstream = createUpstream(() => moment);
});
afterAll(async () => {
  upstream.close();
  await seller.close();
});

const request = (url: string): SellerRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeoutMs: 5_000,
  maxBytes: 1_000,
});
const rules = (baseAddress: string) => ({
  agent: 'ada',
  baseAddress,
  allowPrivate: false,
  slotLeftMs: timeLeft(2_000),
});

test('a request of another origin than the base address is not sent', async () => {
  for (const url of [
    seller.origin.replace('127.0.0.1', 'localhost'),
    `${seller.origin}@evil.test/`,
    'http://10.0.0.1/',
  ]) {
    const sent = await upstream.send(request(url), rules(seller.origin));
    expect(sent).toEqual({ ok: false, fault: 'upstream-not-allowed' });
  }
  expect(seller.arrived).toHaveLength(0);
});

test('a slot that is over is not used', async () => {
  const late = { ...rules(seller.origin), slotLeftMs: () => -1 };
  const before = seller.arrived.length;
  const sent = await upstream.send(request(`${seller.origin}/api`), late);
  expect(sent.ok).toBe(false);
  expect(seller.arrived).toHaveLength(before);
});

test('a slot that was slept through is not used', async () => {
  const slept = rules(seller.origin);
  const before = seller.arrived.length;
  const awake = Date.now();
  const wall = vi.spyOn(Date, 'now').mockReturnValue(awake + 60_000);
  expect(await upstream.send(request(`${seller.origin}/api`), slept)).toMatchObject({ ok: false });
  wall.mockRestore();
  expect(seller.arrived).toHaveLength(before);
});

test('a reply beyond its cap is not read', async () => {
  seller.replyWith({ status: 200, body: 'x'.repeat(1_001) });
  const sent = await upstream.send(request(`${seller.origin}/api`), rules(seller.origin));
  expect(sent).toEqual({ ok: false, fault: 'upstream-too-large' });
});

test('a reply that says that it is beyond its cap is not waited for', async () => {
  const announcing = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-length': 1_001 });
    outgoing.flushHeaders();
  });
  await new Promise<void>((done) => announcing.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${String((announcing.address() as AddressInfo).port)}`;
  const sent = await upstream.send({ ...request(`${origin}/api`), timeoutMs: 500 }, rules(origin));
  expect(sent).toEqual({ ok: false, fault: 'upstream-too-large' });
  announcing.close();
  announcing.closeAllConnections();
});

test('a connection is not used any more when the seller is about to close it', async () => {
  const sockets = new Set<unknown>();
  const closing = createServer((incoming, outgoing) => {
    sockets.add(incoming.socket);
    outgoing.end();
  });
  closing.keepAliveTimeout = 2_000;
  await new Promise<void>((done) => closing.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${String((closing.address() as AddressInfo).port)}`;
  for (const waitMs of [0, 1_500]) {
    await delay(waitMs);
    expect(await upstream.send(request(`${origin}/api`), rules(origin))).toMatchObject({
      ok: true,
    });
  }
  expect(sockets.size).toBe(2);
  closing.close();
  closing.closeAllConnections();
});

test('a redirect is not followed', async () => {
  const before = seller.arrived.length;
  seller.replyWith({ status: 302, headers: { location: `${seller.origin}/else` }, body: '' });
  const sent = await upstream.send(request(`${seller.origin}/api`), rules(seller.origin));
  expect(sent).toEqual({ ok: false, fault: 'upstream-redirected' });
  expect(seller.arrived).toHaveLength(before + 1);
});

test.each(['000 Odd', '099 Odd', '101 Switching Protocols', '600 Odd', '999 Odd'])(
  'a reply with the status %s is no reply',
  async (status) => {
    const odd = await rawSeller(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\n{}`);
    const sent = await upstream.send(request(`${odd.origin}/api`), rules(odd.origin));
    expect(sent).toEqual({ ok: false, fault: 'upstream-unreadable' });
    await odd.close();
  },
);

test('a reply that changes the protocol is no reply', async () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
  const odd = await rawSeller(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`);
  const sent = await upstream.send(request(`${odd.origin}/api`), rules(odd.origin));
  expect(sent).toEqual({ ok: false, fault: 'upstream-unreadable' });
  await odd.close();
});

test.each([
  ['in seconds', '60', moment + 60_000],
  ['as a date', new Date(moment + 90_000).toUTCString(), moment + 90_000],
  ['as a date before now', new Date(moment - 90_000).toUTCString(), moment],
  ['of years', '999999999', moment + 86_400_000],
])('a Retry-After %s counts on the clock that was given', async (_name, header, retryAt) => {
  seller.replyWith({ status: 429, headers: { 'retry-after': header }, body: '' });
  const sent = await upstream.send(request(`${seller.origin}/api`), rules(seller.origin));
  expect(sent).toMatchObject({ ok: true, value: { status: 429, retryAt } });
});

describe('a private address behind https', () => {
  test.each(['https://127.0.0.1:1', 'https://[::1]:1', 'https://10.0.0.1', 'https://localhost:1'])(
    '%s is refused',
    async (address) => {
      const sent = await upstream.send(request(`${address}/api`), rules(address));
      expect(sent).toEqual({ ok: false, fault: 'upstream-not-allowed' });
    },
  );

  test('is contacted where the administrator allows it by name', async () => {
    const allowed = { ...rules('https://localhost:1'), allowPrivate: true };
    const sent = await upstream.send(request('https://localhost:1/api'), allowed);
    expect(sent).toEqual({ ok: false, fault: 'upstream-unreachable' });
  });

  test('is not reached over what was opened while it was allowed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
    const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const make =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
    spawnSync('openssl', [...make.split(' '), '-keyout', keyFile, '-out', certificateFile]);
    const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certificateFile, 'utf8')];
    rmSync(folder, { recursive: true });
    const trusted = getCACertificates();
    setDefaultCACertificates([...trusted, cert]);
    const secure = createSecureServer({ key, cert }, (_incoming, outgoing) => outgoing.end('{}'));
    await new Promise<void>((done) => secure.listen(0, done));
    const origin = `https://localhost:${String((secure.address() as AddressInfo).port)}`;
    const send = (allowPrivate: boolean): Promise<Result<RawReply, SendFault>> =>
      upstream.send(request(`${origin}/api`), { ...rules(origin), allowPrivate });
    expect(await send(true)).toMatchObject({ ok: true });
    expect(await send(false)).toEqual({ ok: false, fault: 'upstream-not-allowed' });
    setDefaultCACertificates(trusted);
    secure.close();
    secure.closeAllConnections();
  });

  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::ffff:10.0.0.1', true],
    ['fe80::1%eth0', true],
    ['169.254.169.254', true],
    ['93.184.215.14', false],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', false],
  ])('%s: %s', (address, isPrivate) => {
    expect(isPrivateAddress(address)).toBe(isPrivate);
  });

  test.each([
    [['93.184.216.34', '2606:2800:220:1::1'], null],
    [['93.184.216.34', '10.0.0.1'], 'PrivateAddress'],
    [['2606:2800:220:1::1', '::1'], 'PrivateAddress'],
  ])('one of a name’s is enough: %j', (found, refused) => {
    const look = createPublicLookup((_hostname, _options, done) => {
      done(
        null,
        found.map((address) => ({ address, family: isIP(address) })),
      );
    });
    for (const all of [true, false])
      look('seller.example', { all }, (error) => {
        expect(error?.name ?? null).toBe(refused);
      });
    expect.assertions(2);
  });
});

test('a request for which no connection is free is not sent, and says nothing about the seller', async () => {
  const slow = await countingUpstream();
  const letGo = slow.hold();
  const others = Array.from({ length: 64 }, () =>
    upstream.send(request(`${slow.origin}/api`), rules(slow.origin)),
  );
  await expect.poll(() => slow.arrived.length).toBe(64);
  const soon = { ...rules(slow.origin), slotLeftMs: timeLeft(200) };
  const sent = await upstream.send(request(`${slow.origin}/api`), soon);
  expect(sent).toEqual({ ok: false, fault: 'pace' });
  letGo();
  for (const { ok } of await Promise.all(others)) expect(ok).toBe(true);
  expect(slow.arrived).toHaveLength(64);
  await slow.close();
});

test('large replies that are read at once take no more memory than they may, and small ones are read beside them', async () => {
  const bounded = createUpstream(() => moment, 1_000_000);
  const waiting: (() => void)[] = [];
  const large = createServer((_incoming, outgoing) => {
    outgoing.write(Buffer.alloc(600_000));
    waiting.push(() => outgoing.end());
  });
  await new Promise<void>((done) => large.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${String((large.address() as AddressInfo).port)}`;
  const ask = (): Promise<Result<RawReply, SendFault>> =>
    bounded.send({ ...request(`${origin}/api`), maxBytes: 700_000 }, rules(origin));
  const asked = [ask(), ask()];
  expect(await Promise.race(asked)).toEqual({ ok: false, fault: 'pace' });
  seller.replyWith({ status: 200, body: 'x' });
  const small = await bounded.send(request(`${seller.origin}/api`), rules(seller.origin));
  expect(small.ok).toBe(true);
  for (const end of waiting.splice(0)) end();
  expect((await Promise.all(asked)).filter(({ ok }) => ok)).toHaveLength(1);
  // What was read, or refused, takes none any more.
  const later = ask();
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.();
  expect((await later).ok).toBe(true);
  bounded.close();
  large.close();
});

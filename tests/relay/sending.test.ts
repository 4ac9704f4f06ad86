import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { delay } from '#core/time/index';
import { type Answer, type Listening, listen } from '#relay/http/server';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { callThrough, relayFiles, validation } from '#tests/relay/support/relay';
import { killRelays, spawnRelay } from '#tests/relay/support/relay-process';

const large = 'x'.repeat(12 * 1024 * 1024);
/** More than any system keeps of what nobody reads. Pages that nobody has written to take no memory. */
const huge = Buffer.alloc(1024 * 1024 * 1024);

/** Sends bytes over a connection of its own, and reads nothing until told to. */
function open(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      resolve(socket);
    });
    socket.pause();
    socket.on('error', () => undefined);
  });
}

/** Reads what comes until the connection ends. @param bytesPerSecond of the reader */
async function readAll(socket: Socket, bytesPerSecond = Infinity): Promise<number> {
  const began = performance.now();
  let size = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    size += chunk.length;
    const due = (size / bytesPerSecond) * 1000 - (performance.now() - began);
    if (due > 0) await delay(due);
  }
  return size;
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => {
      resolve();
    });
    socket.resume();
  });

describe('a server', () => {
  let server: Listening;
  let asked: string[];
  /** How the last large reply ended: `whole` once the system has taken all of it. */
  let ended: 'whole' | 'cut' | undefined;
  const answer: Answer = async ({ url = '' }, outgoing) => {
    if (url === '/large' || url === '/huge') {
      outgoing.once('finish', () => {
        ended = 'whole';
      });
      outgoing.once('close', () => {
        ended ??= 'cut';
      });
      outgoing.end(url === '/huge' ? huge : large);
      return;
    }
    asked.push(url.slice(1));
    await (url === '/gone' ? once(outgoing, 'close') : delay(50));
    outgoing.end('ok');
    if (url === '/gone') asked.push('answered');
  };
  const start = async (limits?: Parameters<typeof listen>[2]): Promise<void> => {
    asked = [];
    ended = undefined;
    server = await listen(answer, { host: '127.0.0.1', port: 0 }, limits);
  };
  afterEach(() => server.drain(0));
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: relay\r\n\r\n`;

  test('answers requests over one connection one after the other', async () => {
    await start();
    const socket = await open(server.port, get('/first'));
    socket.resume();
    await delay(150);
    socket.write(get('/second'));
    await expect.poll(() => asked).toEqual(['first', 'second']);
    expect(socket.readyState).toBe('open');
    socket.destroy();
  });

  test('closes a connection that asks again before it was answered, and asks nothing for it', async () => {
    await start();
    const socket = await open(server.port, get('/first') + get('/second').repeat(500));
    await closed(socket);
    expect(asked).toEqual(['first']);
  });

  test('gives up a reply that nobody reads', async () => {
    await start({ stillMs: 200, wholeMs: 60_000 });
    const socket = await open(server.port, get('/huge'));
    await expect.poll(() => ended).toBe('cut');
    expect(await readAll(socket)).toBeLessThan(huge.length);
  });

  test('keeps nothing of a reply to a client who has gone', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await start({ stillMs: 10_000, wholeMs: 54_321 });
    const socket = await open(server.port, get('/gone'));
    await expect.poll(() => asked).toEqual(['gone']);
    socket.destroy();
    await expect.poll(() => asked).toEqual(['gone', 'answered']);
    expect(timers.mock.calls.filter(([, wait]) => wait === 54_321)).toEqual([]);
    timers.mockRestore();
  });

  test('gives up a reply that is read for ever', async () => {
    await start({ stillMs: 60_000, wholeMs: 500 });
    const socket = await open(server.port, get('/huge'));
    expect(await readAll(socket, 16_000_000)).toBeLessThan(huge.length);
    expect(ended).toBe('cut');
  });

  test('that ends lets a reply that is being read leave whole', async () => {
    await start();
    const socket = await open(server.port, get('/large'));
    await delay(100);
    const [size, cut] = await Promise.all([readAll(socket, 10_000_000), server.drain(10_000)]);
    expect(size).toBeGreaterThan(large.length);
    expect(cut).toBe(0);
  });

  test('that ends does not wait for connections that ask nothing', async () => {
    await start();
    const silent = await open(server.port, '');
    const kept = await open(server.port, get('/first'));
    kept.resume();
    await delay(150);
    const [cut] = await Promise.all([server.drain(10_000), closed(silent), closed(kept)]);
    expect(cut).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('clients that read nothing', () => {
  afterEach(killRelays);

  test('of one token take a share of the relay, and no more', async () => {
    const seller = await countingUpstream();
    const files = relayFiles();
    await files.connect('shop', seller.origin, 'canary-key-0123456789', '--limit 100000');
    const [eve, ada] = [await files.join('eve@fenwick.test'), await files.join('ada@fenwick.test')];
    const relay = await files.start();
    const check = (token: string, code: string): Promise<Response> =>
      callThrough(`${relay.origin}/c/shop`, token, validation, { code });
    const release = seller.hold();
    const held = Array.from({ length: 32 }, (_, n) => check(eve, `code-${String(n)}`));
    await expect.poll(() => seller.arrived.length).toBe(32);
    const refused = await check(eve, 'one-more');
    expect([refused.status, refused.headers.get('counterfoil-relay-failure')]).toEqual([
      429,
      'pace',
    ]);
    const other = check(ada, 'of-ada');
    await expect.poll(() => seller.arrived.length).toBe(33);
    release();
    expect((await other).status).toBe(200);
    for (const { status } of await Promise.all(held)) expect(status).toBe(200);
    expect((await check(eve, 'one-more')).status).toBe(200);

    // Ten times 12 MiB, of which a socket's own buffers take some: two are begun.
    const big = JSON.stringify({ status: 'success', items: [], more: large });
    seller.replyWith({ status: 200, body: big });
    const port = Number(new URL(relay.origin).port);
    const sockets: Socket[] = [];
    const get = `GET /c/shop/api/items/all HTTP/1.1\r\nHost: relay\r\nCache-Control: no-cache\r\nAuthorization: Bearer ${eve}\r\n\r\n`;
    for (let n = 0; n < 10; n += 1) sockets.push(await open(port, get));
    await expect.poll(() => relay.logged().split('"result":"pace"').length - 1).toBeGreaterThan(6);
    seller.replyWith(undefined);
    expect((await check(ada, 'after')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await check(eve, 'after')).status).toBe(200);
    await relay.stop();
    await seller.close();
    files.remove();
  });

  const mebibytes = (pid: number): number =>
    Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) / 1024;

  test.each([
    ['with a token and a large cached reply', 1_000, 8, 'token'],
    ['without one', 100, 500, 'none'],
  ])(
    '%s take no memory, and others are answered',
    async (_what, connections, calls, kind) => {
      const seller = await countingUpstream();
      const files = relayFiles();
      await files.connect('shop', seller.origin, 'canary-key-0123456789', '--limit 100000');
      const [token, other] = [
        await files.join('eve@fenwick.test'),
        await files.join('ada@fenwick.test'),
      ];
      const relay = await spawnRelay(files);
      const port = Number(new URL(relay.origin).port);
      const check = async (code: string): Promise<number> =>
        (await callThrough(`${relay.origin}/c/shop`, other, validation, { code })).status;
      for (let n = 0; n < 50; n += 1) expect(await check(`warm-${String(n)}`)).toBe(200);
      const item = {
        id: 1,
        name: 'Lantern',
        price: { regular: 29 },
        description: 'x'.repeat(960_000),
      };
      seller.replyWith({ status: 200, body: JSON.stringify({ status: 'success', items: [item] }) });
      const items = await callThrough(`${relay.origin}/c/shop`, token, '/api/items/all');
      expect((await items.text()).length).toBeGreaterThan(900_000);
      seller.replyWith(undefined);

      const before = mebibytes(relay.pid);
      const head =
        kind === 'token'
          ? `GET /c/shop/api/items/all HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer ${token}\r\n\r\n`
          : 'GET /relay/v1/join HTTP/1.1\r\nHost: relay\r\n\r\n';
      let most = before;
      const watch = setInterval(() => {
        most = Math.max(most, mebibytes(relay.pid));
      }, 20);
      const sockets: Socket[] = [];
      for (let n = 0; n < connections; n += 1) sockets.push(await open(port, head.repeat(calls)));
      for (let n = 0; n < 20; n += 1) expect(await check(`beside-${String(n)}`)).toBe(200);
      await delay(500);
      clearInterval(watch);
      expect(most - before).toBeLessThan(64);
      expect(await check('after')).toBe(200);
      for (const socket of sockets) socket.destroy();
      await relay.end('SIGTERM');
      await seller.close();
      files.remove();
    },
    60_000,
  );
});

import type { RequestListener } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { type SellerHttp, createSellerHttp, plainUserAgent } from '#adapters/http/http-exchange';
import type { SellerRequest } from '#core/http/exchange';
import { fail, succeed } from '#core/result';
import { type TinyServer, startTinyServer } from '#tests/adapters/http/tiny-server';

const servers: TinyServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function serving(answer: RequestListener): Promise<TinyServer> {
  const server = await startTinyServer(answer);
  servers.push(server);
  return server;
}

const request = (url: string, rest: Partial<SellerRequest> = {}): SellerRequest => ({
  method: 'GET',
  url,
  headers: { Accept: 'application/json' },
  timeoutMs: 10_000,
  maxBytes: 1000,
  ...rest,
});

function http(dependencies: Partial<Parameters<typeof createSellerHttp>[0]> = {}): SellerHttp {
  return createSellerHttp({
    fetch,
    isOnline: () => true,
    now: Date.now,
    setsUserAgent: true,
    retryDelays: [1, 1],
    ...dependencies,
  });
}

describe('sending', () => {
  it('gives the whole reply, whatever its status', async () => {
    const { origin } = await serving((_, response) => {
      response.writeHead(404, { 'Content-Type': 'application/json' });
      response.write('{"status":');
      response.end('"error"}');
    });
    const reply = await http()(request(origin));
    expect(reply).toEqual(
      succeed({
        status: 404,
        contentType: 'application/json',
        body: new TextEncoder().encode('{"status":"error"}'),
      }),
    );
  });

  it('takes a reply without a body or a type', async () => {
    const { origin } = await serving((_, response) => response.writeHead(204).end());
    expect(await http()(request(origin))).toEqual(
      succeed({ status: 204, contentType: '', body: new Uint8Array() }),
    );
  });

  it('sends text and form bodies', async () => {
    const bodies: string[] = [];
    const types: (string | undefined)[] = [];
    const { origin } = await serving((incoming, response) => {
      types.push(incoming.headers['content-type']);
      incoming.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
      incoming.on('end', () => response.end('{}'));
    });
    const post = { method: 'POST' } as const;
    await http()(request(origin, { ...post, body: { type: 'text', text: 'a=1' } }));
    await http()(request(origin, { ...post, body: { type: 'multipart', fields: [['b', 'ü']] } }));
    expect(bodies[0]).toBe('a=1');
    expect(bodies.slice(1).join('')).toContain('name="b"\r\n\r\nü\r\n');
    expect(types[1]).toMatch(/^multipart\/form-data; ?boundary=/u);
  });

  it('asks for no cookie, no referrer, no cache and no redirect', async () => {
    const inits: (RequestInit | undefined)[] = [];
    const watched: typeof fetch = (input, init) => {
      inits.push(init);
      return fetch(input, init);
    };
    const { origin } = await serving((_, response) => response.end('{}'));
    await http({ fetch: watched })(request(origin));
    expect(inits).toMatchObject([
      {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        redirect: 'manual',
      },
    ]);
  });

  it('names no browser where it is asked to and may', async () => {
    const { origin, requests } = await serving((_, response) => response.end('{}'));
    await http()(request(origin), { plainUserAgent: true });
    await http()(request(origin));
    await http({ setsUserAgent: false })(request(origin), { plainUserAgent: true });
    const agents = requests.map(({ headers }) => headers['user-agent']);
    expect(agents[0]).toBe(plainUserAgent);
    expect(agents.slice(1)).not.toContain(plainUserAgent);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with %i is never followed', async (status) => {
    const target = await serving((_, response) => response.end('{}'));
    const { origin, requests } = await serving((_, response) =>
      response.writeHead(status, { Location: target.origin }).end(),
    );
    expect(await http()(request(origin))).toEqual(
      fail({ kind: 'redirected', userAgent: 'suspected' }),
    );
    expect(requests).toHaveLength(1);
    expect(target.requests).toHaveLength(0);
  });
});

describe('the cap', () => {
  it('lets a reply of exactly that size through', async () => {
    const { origin } = await serving((_, response) => response.end('x'.repeat(1000)));
    const reply = await http()(request(origin));
    expect(reply.ok && reply.value.body.byteLength).toBe(1000);
  });

  it('cuts one byte more, and an endless reply', async () => {
    const tooLarge = { ok: false, fault: { kind: 'too-large', limitBytes: 1000 } };
    const one = await serving((_, response) => response.end('x'.repeat(1001)));
    expect(await http()(request(one.origin))).toEqual(tooLarge);

    const endless = await serving((_, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(64)));
        response.once('drain', more);
      };
      more();
    });
    expect(await http()(request(endless.origin))).toEqual(tooLarge);
    expect(endless.requests).toHaveLength(1);
  });
});

describe('the timeout', () => {
  it('covers a server that says nothing, and is not retried', async () => {
    const { origin, requests } = await serving(() => undefined);
    expect(await http()(request(origin, { timeoutMs: 30 }))).toEqual(
      fail({ kind: 'timeout', afterMs: 30 }),
    );
    // On a busy machine the time may be over before the first request arrives.
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  it('covers a body that never ends but stays small', async () => {
    const { origin } = await serving((_, response) => response.write('{'));
    expect(await http()(request(origin, { timeoutMs: 30 }))).toEqual(
      fail({ kind: 'timeout', afterMs: 30 }),
    );
  });

  it('ends at the deadline where that is sooner', async () => {
    const { origin } = await serving(() => undefined);
    const now = () => 1000;
    expect(await http({ now })(request(origin), { deadline: 1020 })).toEqual(
      fail({ kind: 'timeout', afterMs: 20 }),
    );
    expect(await http({ now })(request(origin), { deadline: 500 })).toEqual(
      fail({ kind: 'timeout', afterMs: 0 }),
    );
  });
});

describe('retries', () => {
  it.each([502, 503, 504])(
    'come twice after %i, and its last reply is handed on',
    async (status) => {
      const { origin, requests } = await serving((_, response) => response.writeHead(status).end());
      expect(await http()(request(origin))).toMatchObject(succeed({ status }));
      expect(requests).toHaveLength(3);
    },
  );

  it('end with the first good reply', async () => {
    let times = 0;
    const { origin } = await serving((_, response) => {
      times += 1;
      response.writeHead(times === 2 ? 200 : 503).end();
    });
    expect(await http()(request(origin))).toMatchObject(succeed({ status: 200 }));
    expect(times).toBe(2);
  });

  it.each([200, 400, 404, 429, 500])('do not come after %i', async (status) => {
    const { origin, requests } = await serving((_, response) => response.writeHead(status).end());
    await http()(request(origin));
    expect(requests).toHaveLength(1);
  });

  it('do not come when the server said when to come back', async () => {
    const { origin, requests } = await serving((_, response) =>
      response.writeHead(503, { 'Retry-After': '7' }).end(),
    );
    const reply = await http({ now: () => 1000 })(request(origin));
    expect(reply).toMatchObject(succeed({ status: 503, retryAt: 8000 }));
    expect(requests).toHaveLength(1);
  });

  it('come after a connection that broke, also in the middle of a body', async () => {
    const reset = await serving((incoming) => incoming.socket.destroy());
    expect(await http()(request(reset.origin))).toEqual(fail({ kind: 'unreachable' }));
    expect(reset.requests).toHaveLength(3);
    const cutOff = await serving((incoming, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('{', () => incoming.socket.destroy());
    });
    expect(await http()(request(cutOff.origin))).toEqual(fail({ kind: 'unreachable' }));
    expect(cutOff.requests).toHaveLength(3);
  });

  it('do not come when the machine has no network', async () => {
    const { origin, requests } = await serving((incoming) => incoming.socket.destroy());
    expect(await http({ isOnline: () => false })(request(origin))).toEqual(
      fail({ kind: 'offline' }),
    );
    expect(requests).toHaveLength(1);
  });
});

import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { createAuthorityHttp } from '#adapters/http/authority-http';
import type { LicensingApi } from '#core/installation/index';
import { fail, succeed } from '#core/result';

const request = {
  license: 'a.b',
  domain: 'shop.example.com',
  productSlug: 'aurora-theme',
  installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
};
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  return `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
}

const open = (url: string, timeoutMs = 5000, isOnline = true): LicensingApi =>
  createAuthorityHttp(url, { fetch, isOnline: () => isOnline, now: () => 1000, timeoutMs });

describe('a call', () => {
  it('posts the License request of the spec as JSON, with no cookie and no referrer', async () => {
    const seen: { url?: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
    const url = await serve((incoming, reply) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        seen.push({ url: incoming.url, headers: incoming.headers, body });
        reply.setHeader('Retry-After', '5').setHeader('Set-Cookie', 'a=b').end('{}');
      });
    });
    const authority = open(`${url}/base`);
    const reply = await authority.activate(request);
    await authority.validate(request);
    expect(reply).toMatchObject(succeed({ status: 200, retryAt: 6000 }));
    expect(seen.map((one) => one.url)).toEqual([
      '/base/api/license/v1/activate',
      '/base/api/license/v1/validate',
    ]);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      license: 'a.b',
      domain: 'shop.example.com',
      product_slug: 'aurora-theme',
      installation_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    });
    expect(seen[1]?.headers['content-type']).toBe('application/json');
    expect(seen[1]?.headers).not.toHaveProperty('cookie');
    expect(seen[1]?.headers).not.toHaveProperty('referer');
  });

  it('follows no redirect', async () => {
    let reached = 0;
    const elsewhere = await serve((_incoming, reply) => {
      reached += 1;
      reply.end('{}');
    });
    const url = await serve((_incoming, reply) => {
      reply.writeHead(307, { Location: elsewhere }).end();
    });
    expect(await open(url).validate(request)).toEqual(fail({ kind: 'redirected' }));
    expect(reached).toBe(0);
  });

  it('hands on whatever status came', async () => {
    const url = await serve((_incoming, reply) => {
      reply.writeHead(503, { 'Content-Type': 'text/html' }).end('<h1>');
    });
    expect(await open(url).validate(request)).toMatchObject(succeed({ status: 503 }));
  });

  it('takes a reply at the cap, and cuts off one that goes on', async () => {
    const url = await serve((incoming, reply) => {
      reply.end(' '.repeat(131_072 + (incoming.url?.endsWith('validate') === true ? 1 : 0)));
    });
    expect((await open(url).activate(request)).ok).toBe(true);
    expect(await open(url).validate(request)).toEqual(
      fail({ kind: 'too-large', limitBytes: 131_072 }),
    );
  });

  it('ends when nothing comes, and when the body never ends', async () => {
    const url = await serve((incoming, reply) => {
      if (incoming.url?.endsWith('validate') === true) reply.write('{');
    });
    const timeout = { ok: false, fault: { kind: 'timeout', afterMs: 60 } };
    expect(await open(url, 60).activate(request)).toEqual(timeout);
    expect(await open(url, 60).validate(request)).toEqual(timeout);
  });

  it('tells a dead address from a machine that is offline', async () => {
    const nobody = 'http://127.0.0.1:9';
    expect(await open(nobody).validate(request)).toMatchObject({ fault: { kind: 'unreachable' } });
    const offline = open(nobody, 5000, false);
    expect(await offline.validate(request)).toMatchObject({ fault: { kind: 'offline' } });
  });
});

import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import { root } from '#scripts/machine/processes';
import type { HostedSite } from '#tests/support/hosted-site';

/** What such hosts know by themselves; the rest must come from the `_headers` file. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** One rule of a `_headers` file: a path, where `*` stands for anything, and the headers under it. */
interface Rule {
  readonly path: RegExp;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * Serves a copy of a built site at the root of a free port, as Cloudflare Pages and Netlify do with our `_headers` file
 * beside `index.html`: each rule that fits adds its headers, values of the same header are joined, and the file itself
 * is not served.
 */
export async function hostStatically(built: string): Promise<HostedSite> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-static-'));
  await cp(built, folder, { recursive: true });
  await cp(join(root, 'pwa/hosting/_headers'), join(folder, '_headers'));
  const rules = parseRules(await readFile(join(folder, '_headers'), 'utf8'));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    void (async () => {
      const isServed = request.method === 'GET' && name !== '/_headers';
      const bytes = isServed
        ? await readFile(join(folder, name)).catch(() => undefined)
        : undefined;
      if (bytes === undefined) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
        return;
      }
      const headers = new Headers();
      for (const rule of rules)
        if (rule.path.test(pathname))
          for (const [header, value] of rule.headers) headers.append(header, value);
      const defaults = {
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        'cache-control': 'public, max-age=0, must-revalidate',
      };
      response.writeHead(200, { ...defaults, ...Object.fromEntries(headers) }).end(bytes);
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${String(port)}/`,
    folder,
    async stop() {
      await new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function parseRules(text: string): readonly Rule[] {
  const rules: { path: RegExp; headers: [string, string][] }[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) {
      const parts = line
        .trim()
        .split('*')
        .map((part) => RegExp.escape(part));
      rules.push({ path: new RegExp(`^${parts.join('.*')}$`), headers: [] });
      continue;
    }
    const [name = '', ...value] = line.trim().split(':');
    rules.at(-1)?.headers.push([name, value.join(':').trim()]);
  }
  return rules;
}

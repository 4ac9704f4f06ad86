import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePorts } from '#scripts/machine/processes';
import { findProgram } from '#scripts/machine/system-packages';

export type ProxyName = 'caddy' | 'haproxy' | 'nginx';

export interface Proxy {
  readonly origin: string;
  stop(): Promise<void>;
}

const examples = { caddy: 'Caddyfile', haproxy: 'haproxy.cfg', nginx: 'nginx.conf' };

export function proxyExample(name: ProxyName): string {
  return readFileSync(new URL(`../../../relay/deploy/${examples[name]}`, import.meta.url), 'utf8');
}

/**
 * Starts a proxy on its example before two ports, without TLS, and waits until it answers.
 * @param more what to add to the example
 */
export function startProxy(
  name: ProxyName,
  [first, second]: readonly [number, number],
  more = '',
): Promise<Proxy> {
  const example = proxyExample(name)
    .replace('127.0.0.1:8790', `127.0.0.1:${String(first)}`)
    .replace('127.0.0.1:8792', `127.0.0.1:${String(second)}`);
  return runProxy(name, (port, place) => complete[name](example, port, place) + more);
}

/**
 * Starts a proxy and waits until it answers.
 * @param configure returns its configuration for a port, and for a folder of its own
 */
export async function runProxy(
  name: ProxyName,
  configure: (port: number, place: string) => string,
): Promise<Proxy> {
  const place = mkdtempSync(join(tmpdir(), 'relay-proxy-'));
  const [port] = await freePorts(1);
  const config = join(place, examples[name]);
  writeFileSync(config, configure(port, place));
  const options = {
    caddy: ['run', '--config', config, '--adapter', 'caddyfile'],
    haproxy: ['-db', '-q', '-f', config],
    nginx: ['-e', 'stderr', '-p', place, '-c', config],
  };
  const child = spawn(findProgram(name) ?? name, options[name], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://127.0.0.1:${String(port)}`;
  for (let answers = false; !answers;) {
    if (child.exitCode !== null) throw new Error(`${name} does not start on its configuration.`);
    await new Promise((again) => setTimeout(again, 50));
    answers = await fetch(origin).then(
      () => true,
      () => false,
    );
  }
  return {
    origin,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      rmSync(place, { recursive: true });
    },
  };
}

const complete: Record<ProxyName, (example: string, port: number, place: string) => string> = {
  caddy: (example, port) =>
    `{\n\tadmin off\n}\n${example.replace(/^relay\.example/m, `http://127.0.0.1:${String(port)}`)}`,
  haproxy: (example, port) =>
    example
      .replace(/bind :443 ssl .*/, `bind 127.0.0.1:${String(port)}`)
      .replace('log stdout', '# log stdout'),
  nginx: (example, port, place) =>
    nginxMain(
      example
        .replace('listen 443 ssl;', `listen 127.0.0.1:${String(port)};`)
        .replace(/ssl_certificate(?:_key)? .*\n/g, '\n'),
      place,
    ),
};

/** Returns nginx's own main file around what stands in its `http`. */
export function nginxMain(site: string, place: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(place, kind)};`)
    .join('\n');
  // As root its workers would run as a user who may not read a temporary folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} daemon off; worker_processes 1; pid ${join(place, 'pid')}; error_log /dev/null;
events {}
http { access_log off; ${paths}
${site} }`;
}

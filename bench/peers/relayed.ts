import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Contest } from '#bench/peers/contest';
import {
  type Answer,
  callFor,
  check,
  closeConnections,
  timeOf,
  unlimited,
} from '#bench/relay/setting';
import { freePorts } from '#scripts/machine/processes';
import { findProgram } from '#scripts/machine/system-packages';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { relayFiles } from '#tests/relay/support/relay';
import { spawnRelay } from '#tests/relay/support/relay-process';

const lanes = 8;
const seconds = 4;

/** A relayed call, eight in flight: the relay with its audit and pace, and proxies that add a header. */
export const relayedCall: Contest = {
  work: 'a relayed call, 8 in flight, p50',
  unit: 'ms',
  goal: 'within 10 ms, with audit and pace',
  async prepare() {
    const files = relayFiles();
    const seller = await countingUpstream();
    await files.connect('peers', seller.origin, 'bench-key-0123456789', unlimited);
    const token = await files.join('ada@team.example');
    const relay = await spawnRelay(files);
    const port = new URL(seller.origin).port;
    const proxies = { nginx: await startNginx(port), haproxy: await startHaproxy(port) };
    const median = async (call: () => Promise<Answer>): Promise<number> => {
      const answers = await callFor(lanes, seconds, call);
      if (answers.some(({ status }) => status !== 200)) throw new Error('A call was not answered.');
      return timeOf(answers, 0.5);
    };
    return {
      ours: () => median(() => check(`${relay.origin}/c/peers`, token)),
      peers: {
        nginx: () => median(() => check(proxies.nginx.origin)),
        haproxy: () => median(() => check(proxies.haproxy.origin)),
        'no proxy': () => median(() => check(seller.origin)),
      },
      close: async () => {
        await relay.end('SIGTERM');
        await Promise.all(Object.values(proxies).map(({ stop }) => stop()));
        closeConnections();
        await seller.close();
        files.remove();
      },
    };
  },
};

interface Proxy {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

function startNginx(upstream: string): Promise<Proxy> {
  return start('nginx', (port, place) => ({
    options: ['-e', 'stderr', '-p', place, '-c', join(place, 'config')],
    config: `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1;
pid ${join(place, 'pid')}; error_log /dev/null; events {}
http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${join(place, kind)};`).join(' ')}
  upstream seller { server 127.0.0.1:${upstream}; keepalive 64; }
  server { listen 127.0.0.1:${String(port)};
    location / { proxy_pass http://seller; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header X-Api-Key bench-key-0123456789; } } }`,
  }));
}

function startHaproxy(upstream: string): Promise<Proxy> {
  return start('haproxy', (port, place) => ({
    options: ['-db', '-q', '-f', join(place, 'config')],
    config: `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen seller
  bind 127.0.0.1:${String(port)}
  http-request set-header X-Api-Key bench-key-0123456789
  http-reuse always
  server one 127.0.0.1:${upstream}
`,
  }));
}

async function start(
  name: 'nginx' | 'haproxy',
  describe: (
    port: number,
    place: string,
  ) => { readonly options: readonly string[]; readonly config: string },
): Promise<Proxy> {
  const program = findProgram(name);
  if (program === undefined) throw new Error(`${name} is not installed.`);
  const place = mkdtempSync(join(tmpdir(), 'counterfoil-peers-'));
  const [port] = await freePorts(1);
  const { options, config } = describe(port, place);
  writeFileSync(join(place, 'config'), config);
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'inherit'] });
  const origin = `http://127.0.0.1:${String(port)}`;
  for (let answers = false; !answers;) {
    if (child.exitCode !== null) throw new Error(`${name} does not start.`);
    await new Promise((again) => setTimeout(again, 50));
    answers = await fetch(origin).then(
      () => true,
      () => false,
    );
  }
  return {
    origin,
    stop: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      rmSync(place, { recursive: true });
    },
  };
}

import type { Contest } from '#bench/peers/contest';
import {
  type Answer,
  callFor,
  check,
  closeConnections,
  timeOf,
  unlimited,
} from '#bench/relay/setting';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { nginxMain, type Proxy, runProxy } from '#tests/relay/support/proxy';
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
        await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
        closeConnections();
        await seller.close();
        files.remove();
      },
    };
  },
};

function startNginx(upstream: string): Promise<Proxy> {
  return runProxy('nginx', (port, place) =>
    nginxMain(
      `upstream seller { server 127.0.0.1:${upstream}; keepalive 64; }
server { listen 127.0.0.1:${String(port)};
  location / { proxy_pass http://seller; proxy_http_version 1.1; proxy_set_header Connection "";
    proxy_set_header X-Api-Key bench-key-0123456789; } }`,
      place,
    ),
  );
}

function startHaproxy(upstream: string): Promise<Proxy> {
  return runProxy(
    'haproxy',
    (port) => `defaults
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
  );
}

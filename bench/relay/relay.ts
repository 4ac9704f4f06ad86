import { randomBytes } from 'node:crypto';

import {
  callEvenly,
  callFor,
  callWhile,
  check,
  closeConnections,
  summaryOf,
  timeOf,
} from '#bench/relay/calls';
import { delay } from '#core/time/delay';
import { machineClocks } from '#relay/clocks';
import { newToken } from '#relay/join/new-token';
import { openStore } from '#relay/store/open-store';
import type { AuditRow } from '#relay/store/records';
import type { Store } from '#relay/store/store';
import { obtainPostgres } from '#scripts/postgres';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { faultProxy } from '#tests/relay/support/fault-proxy';
import {
  type TestDatabase,
  createDatabaseAt,
  startPreparedPostgres,
} from '#tests/relay/support/prepared-postgres';
import { type RelayFiles, relayFiles } from '#tests/relay/support/relay';
import { spawnAdmin, spawnRelay } from '#tests/relay/support/relay-process';

/** What is measured on: a store, a seller that answers at once, and two agents. */
interface Bench {
  readonly files: RelayFiles;
  readonly seller: CountingUpstream;
  readonly token: string;
  readonly other: string;
  /** Prints a figure with the store's name. */
  readonly say: (line: string) => void;
}

type Part = (bench: Bench) => Promise<void>;

const agents = 500;
const kills = 100;

const parts: Readonly<Record<string, Part>> = {
  overhead,
  fairness,
  agents: manyAgents,
  revocation,
  kills: killed,
};

/** Measures the relay on both stores, and prints a line for each figure. @param only a part's name; all without it */
export async function measureRelay(say: (line: string) => void, only = ''): Promise<number> {
  await obtainPostgres(say);
  const postgres = await startPreparedPostgres();
  const database = await createDatabaseAt(postgres);
  for (const [name, files] of [
    ['SQLite', relayFiles()],
    ['PostgreSQL', relayFiles(database)],
  ] as const) {
    const seller = await countingUpstream();
    // No pace holds these calls back.
    await files.connect('shop', seller.origin, 'bench-key-0123456789', '--limit 100000 --window 1');
    await files.connect('paced', seller.origin, 'bench-key-0123456789', '--limit 600 --window 60');
    const bench = {
      ...{ files, seller },
      token: await files.join('ada@team.example'),
      other: await files.join('eve@team.example'),
      say: (line: string) => {
        say(`${name}: ${line}`);
      },
    };
    for (const [part, measure] of Object.entries(parts))
      if (part.includes(only)) await measure(bench);
    await seller.close();
    if (files.postgres !== undefined && 'outage'.includes(only))
      await outage(bench, files.postgres);
    files.remove();
  }
  closeConnections();
  await postgres.stop();
  return 0;
}

/** Measures calls direct and relayed in turn, at a moderate rate and with so many in flight. */
async function overhead({ files, seller, token, say }: Bench): Promise<void> {
  const relay = await spawnRelay(files);
  const direct = () => check(seller.origin);
  const relayed = () => check(`${relay.origin}/c/shop`, token);
  await callFor(8, 3, relayed);
  for (const rate of [20, 100]) {
    const plain = await callEvenly(rate, 8, direct);
    const through = await callEvenly(rate, 8, relayed);
    say(`direct, ${String(rate)} calls/s: ${summaryOf(plain)}`);
    say(`relayed, ${String(rate)} calls/s: ${summaryOf(through)}`);
  }
  for (const lanes of [1, 8, 64]) {
    say(`direct, ${String(lanes)} in flight: ${summaryOf(await callFor(lanes, 5, direct), 5)}`);
    say(`relayed, ${String(lanes)} in flight: ${summaryOf(await callFor(lanes, 8, relayed), 8)}`);
  }
  await relay.end('SIGTERM');
}

/** Measures one agent's calls beside the bulk work of another, on a connection whose pace holds both back. */
async function fairness({ files, token, other, say }: Bench): Promise<void> {
  const relay = await spawnRelay(files);
  const base = `${relay.origin}/c/paced`;
  let going = true;
  const bulk = callWhile(
    4,
    () => going,
    async () => {
      const answer = await check(base, other, { 'counterfoil-work': 'bulk' });
      if (answer.status !== 200) await delay(200);
      return answer;
    },
  );
  await delay(3_000);
  const interactive = await callEvenly(1, 20, () => check(base, token));
  going = false;
  const done = (await bulk).filter(({ status }) => status === 200).length;
  say(`interactive beside bulk: ${summaryOf(interactive)}; bulk had ${String(done)}`);
  await relay.end('SIGTERM');
}

/** Measures a call of each agent every ten seconds. */
async function manyAgents({ files, say }: Bench): Promise<void> {
  const tokens = await withStore(files, async (store) => {
    const made: string[] = [];
    for (let index = 0; index < agents; index += 1) {
      const id = randomBytes(8).toString('hex');
      await store.addAgent({ id, email: `agent-${String(index)}@team.example`, role: 'agent' });
      const token = newToken(Date.now());
      const invite = { id, agent: id, hash: token.record.hash };
      await store.addInvite({ ...invite, createdAt: Date.now(), expiresAt: Date.now() + 60_000 });
      await store.redeemInvite(id, token.record.hash, token.record);
      made.push(token.text);
    }
    return made;
  });
  const relay = await spawnRelay(files);
  const shop = `${relay.origin}/c/shop`;
  const answers = await callEvenly(agents / 10, 20, (index) => check(shop, tokens[index % agents]));
  say(`${String(agents)} agents, a call each 10 s: ${summaryOf(answers)}`);
  await relay.end('SIGTERM');
}

/** Counts the replies that were begun after a revocation's commit, while two instances race. */
async function revocation({ files, say }: Bench): Promise<void> {
  const token = await files.join(`rex-${randomBytes(4).toString('hex')}@team.example`);
  const count = files.postgres === undefined ? 1 : 4;
  const relays = await Promise.all(Array.from({ length: count }, () => spawnRelay(files)));
  let going = true;
  const running = relays.map(({ origin }) =>
    callWhile(
      4,
      () => going,
      () => check(`${origin}/c/shop`, token),
    ),
  );
  await delay(2_000);
  const id = token.split('_')[1] ?? '';
  await spawnAdmin(files, `tokens revoke ${id}`);
  await delay(1_000);
  going = false;
  await Promise.all(running);
  await Promise.all(relays.map((relay) => relay.end('SIGTERM')));
  const rows = (await auditOf(files)).filter((row) => row.token === id);
  const revoked = rows.findIndex(({ result }) => result === 'token-revoked');
  const isBegun = (row: AuditRow): boolean => row.kind === 'reply' && row.result !== 'withheld';
  const before = rows.slice(0, revoked).filter(isBegun).length;
  const after = rows.slice(revoked).filter(isBegun).length;
  say(
    `revoked with ${String(count)} instances: ${String(before)} replies before the commit, ${String(after)} begun after it`,
  );
}

/** Counts the upstream's calls without an intent in the audit, after so many kills in mid-traffic. */
async function killed({ files, seller, token, say }: Bench): Promise<void> {
  // A connection of its own: the audit holds the last four characters of a code, which differ within 10,000 calls.
  await files.connect('kills', seller.origin, 'bench-key-0123456789', '--limit 100000 --window 1');
  const from = seller.arrived.length;
  for (let kill = 0; kill < kills; kill += 1) {
    const relay = await spawnRelay(files);
    const seen = seller.arrived.length;
    let going = true;
    const running = callWhile(
      8,
      () => going,
      async () => {
        const answer = await check(`${relay.origin}/c/kills`, token);
        if (answer.status === 0) going = false;
        return answer;
      },
    );
    while (seller.arrived.length < seen + 10) await delay(2);
    await relay.end('SIGKILL');
    await running;
  }
  const intents = new Set(
    (await auditOf(files))
      .filter(({ kind, connection }) => kind === 'intent' && connection === 'kills')
      .map(({ codeLast4 }) => codeLast4),
  );
  const arrived = seller.arrived.slice(from).map(({ code }) => code.slice(-4));
  const missing = arrived.filter((last4) => !intents.has(last4)).length;
  say(
    `kill -9 × ${String(kills)}: ${String(arrived.length)} upstream calls, ${String(missing)} without an audit row`,
  );
}

/** Measures how a database that is gone is told, and how soon the relay is back after it. */
async function outage({ files, token, say }: Bench, { port }: TestDatabase): Promise<void> {
  const seller = await countingUpstream();
  await files.connect('again', seller.origin, 'bench-key-0123456789', '--limit 100000 --window 1');
  const proxy = await faultProxy(port);
  const database = new URL(files.database);
  database.port = String(proxy.port);
  const relay = await spawnRelay({ ...files, database: database.href });
  const call = () => check(`${relay.origin}/c/again`, token);
  for (const mode of ['refusing', 'silent'] as const) {
    await callFor(8, 1, call);
    proxy.set(mode);
    const gone = await callFor(8, 3, call);
    const refused = gone.filter(({ status }) => status === 503);
    const others = gone.length - refused.length;
    proxy.set('forwarding');
    const began = performance.now();
    while ((await call()).status !== 200) await delay(10);
    const back = performance.now() - began;
    say(
      `database ${mode}: slowest 503 after ${timeOf(refused, 1).toFixed(0)} ms of ${String(gone.length)} calls, ${String(others)} other answers; back after ${back.toFixed(0)} ms`,
    );
  }
  await relay.end('SIGTERM');
  await proxy.close();
  await seller.close();
}

async function withStore<Value>(
  files: RelayFiles,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await openStore(files.administered, machineClocks, 'administer');
  const value = await use(store);
  await store.close();
  return value;
}

function auditOf(files: RelayFiles): Promise<readonly AuditRow[]> {
  return withStore(files, (store) => store.audit());
}

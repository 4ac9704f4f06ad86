import { randomBytes } from 'node:crypto';

import {
  auditOf,
  callFor,
  callWhile,
  check,
  connect,
  type Part,
  type Setting,
  timeOf,
  unlimited,
} from '#bench/relay/setting';
import { delay } from '#core/time/index';
import { begunReplies } from '#tests/relay/support/audit-rows';
import { mostInAnyWindow } from '#tests/relay/support/counting-upstream';
import { faultProxy } from '#tests/relay/support/fault-proxy';
import { type RelayProcess, spawnAdmin, spawnRelay } from '#tests/relay/support/relay-process';

const kills = 100;

/** Counts the upstream's calls without an intent in the audit, after so many kills in mid-traffic. */
export const killed: Part = async (setting) => {
  const { files, seller, token, say } = setting;
  await connect(setting, 'kills', unlimited);
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
  const arrived = seller.arrived.slice(from).map(({ code }) => code.slice(-4));
  // The audit holds the last four characters of a code.
  if (new Set(arrived).size < arrived.length) throw new Error('Two codes end alike.');
  const intents = new Set(
    (await auditOf(files))
      .filter(({ kind, connection }) => kind === 'intent' && connection === 'kills')
      .map(({ codeLast4 }) => codeLast4),
  );
  const missing = arrived.filter((last4) => !intents.has(last4)).length;
  say(
    `kill -9 × ${String(kills)}: ${String(arrived.length)} upstream calls, ${String(missing)} without an audit row`,
  );
};

/** Measures how a database that is gone is told, and how soon the relay is back after it. Asks for PostgreSQL. */
export const outage: Part = async (setting) => {
  const { files, token, say } = setting;
  if (files.postgres === undefined) return;
  await connect(setting, 'outage', unlimited);
  const proxy = await faultProxy(files.postgres.port);
  const relay = await spawnRelay({ ...files, database: proxy.lead(files.database) });
  const call = () => check(`${relay.origin}/c/outage`, token);
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
};

const rounds = 10;

/**
 * Counts the replies that were begun after a revocation's commit, while four instances race where the store allows it.
 */
export const revocation: Part = async (setting) => {
  const { files, say } = setting;
  await connect(setting, 'revoked', unlimited);
  const count = files.postgres === undefined ? 1 : 4;
  const relays = await Promise.all(Array.from({ length: count }, () => spawnRelay(files)));
  const origins = relays.map(({ origin }) => origin);
  const ids: string[] = [];
  for (let round = 0; round < rounds; round += 1) ids.push(await revokeUnderLoad(setting, origins));
  await Promise.all(relays.map((relay) => relay.end('SIGTERM')));
  const rows = await auditOf(files);
  let before = 0;
  let after = 0;
  for (const id of ids) {
    const own = rows.filter(({ token }) => token === id);
    const at = own.findIndex(({ result }) => result === 'token-revoked');
    if (at === -1) throw new Error('The audit holds no revocation.');
    const begun = begunReplies(own);
    after += own.slice(at).filter((row) => begun.includes(row)).length;
    before += own.slice(0, at).filter((row) => begun.includes(row)).length;
  }
  say(
    `revoked ${String(rounds)} times with ${String(count)} instances: ${String(before)} replies before the commit, ${String(after)} begun after it`,
  );
};

/** Returns the id of the token that was revoked. */
async function revokeUnderLoad({ files }: Setting, origins: readonly string[]): Promise<string> {
  const token = await files.join(`rex-${randomBytes(4).toString('hex')}@team.example`);
  let going = true;
  const running = origins.map((origin) =>
    callWhile(
      4,
      () => going,
      () => check(`${origin}/c/revoked`, token),
    ),
  );
  await delay(1_000);
  const id = token.split('_')[1] ?? '';
  await spawnAdmin(files, `tokens revoke ${id}`);
  await delay(300);
  going = false;
  await Promise.all(running);
  return id;
}

const limit = 300;
const windowSeconds = 30;
const seconds = 120;

/**
 * Counts what reaches the seller in any window: four instances where the store allows it, their clocks up to five
 * seconds wrong, one after the other standing still for a second, and one killed.
 */
export const everyWindow: Part = async (setting) => {
  const { files, seller, token, other, say } = setting;
  await connect(setting, 'window', `--limit ${String(limit)} --window ${String(windowSeconds)}`);
  const clocks = files.postgres === undefined ? [5_000] : [-5_000, 0, 2_500, 5_000];
  const relays = await Promise.all(clocks.map((aheadMs) => spawnRelay(files, { aheadMs })));
  const from = seller.arrived.length;
  let going = true;
  const running = relays.map((_, n) =>
    callWhile(
      4,
      () => going,
      async () => {
        const base = `${relays[n]?.origin ?? ''}/c/window`;
        const answer = await check(base, n % 2 === 0 ? token : other);
        if (answer.status !== 200) await delay(100);
        return answer;
      },
    ),
  );
  const until = performance.now() + seconds * 1000;
  const killAt = performance.now() + (seconds * 1000) / 2;
  let stalls = 0;
  let killed: RelayProcess | undefined;
  while (performance.now() < until) {
    await delay(2_000);
    const n = stalls % relays.length;
    if (killed === undefined && performance.now() > killAt) {
      killed = relays[n];
      await killed?.end('SIGKILL');
      relays[n] = await spawnRelay(files, { aheadMs: clocks[n] ?? 0 });
    }
    await relays[n]?.stall(1_000);
    stalls += 1;
  }
  going = false;
  const answers = (await Promise.all(running)).flat();
  await Promise.all(relays.map((relay) => relay.end('SIGTERM')));
  const moments = seller.arrived.slice(from).map(({ at }) => at);
  const most = mostInAnyWindow(moments, windowSeconds * 1000);
  const refused = answers.filter(({ status }) => status === 429).length;
  say(
    `limit ${String(limit)} in ${String(windowSeconds)} s, ${String(clocks.length)} instances, ${String(stalls)} stalls, 1 kill: ${String(moments.length)} upstream calls in ${String(seconds)} s, at most ${String(most)} in any window; ${String(refused)} calls told to come back`,
  );
};

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { Client } from 'pg';

import {
  type Answer,
  callEvenly,
  callFor,
  callWhile,
  check,
  connect,
  type Part,
  type Setting,
  summaryOf,
  unlimited,
} from '#bench/relay/setting';
import { delay } from '#core/time/index';
import { newToken } from '#relay/rules/index';
import { monthAt } from '#relay/month';
import type { RelayFiles } from '#tests/relay/support/relay';
import { spawnRelay } from '#tests/relay/support/relay-process';

interface Relayed extends Setting {
  /** The tokens of the agents, who call in turn. */
  readonly tokens: readonly string[];
}

/** Measures calls direct and relayed in turn, at a moderate rate and with so many in flight. */
export const overhead: Part = async (setting) => {
  const { files, say } = setting;
  await connect(setting, 'overhead', unlimited);
  await sayLimits(setting);
  // A token may have no more than 32 calls under way.
  const tokens: string[] = [];
  for (const name of ['ida', 'joe', 'kim', 'lou'])
    tokens.push(await files.join(`${name}@team.example`));
  await measureCalls({ ...setting, tokens });
  if (files.postgres !== undefined) {
    await measureCalls({
      ...setting,
      tokens,
      files: { ...files, database: files.postgres.runnerBySocket },
      say: (line) => {
        say(`by its Unix socket: ${line}`);
      },
    });
    await measureInstances({ ...setting, tokens });
  }
  await sayLimits(setting);
};

async function measureCalls({ files, seller, tokens, say }: Relayed): Promise<void> {
  let next = 0;
  const relay = await spawnRelay(files);
  const direct = (): Promise<Answer> => check(seller.origin);
  const relayed = (): Promise<Answer> =>
    check(`${relay.origin}/c/overhead`, tokens[(next += 1) % tokens.length]);
  // A relay serves for days: what it does with each call is compiled by then.
  await callFor(8, 20, relayed);
  for (const rate of [20, 100]) {
    say(`direct, ${String(rate)} calls/s: ${summaryOf(await callEvenly(rate, 8, direct))}`);
    say(`relayed, ${String(rate)} calls/s: ${summaryOf(await callEvenly(rate, 8, relayed))}`);
  }
  for (const lanes of [1, 8, 64]) {
    say(`direct, ${String(lanes)} in flight: ${summaryOf(await callFor(lanes, 5, direct), 5)}`);
    say(`relayed, ${String(lanes)} in flight: ${summaryOf(await callFor(lanes, 8, relayed), 8)}`);
  }
  await relay.end('SIGTERM');
}

/** Measures 200 calls a second, direct and through four instances in turn. */
async function measureInstances({ files, seller, tokens, say }: Relayed): Promise<void> {
  const relays = await Promise.all(Array.from({ length: 4 }, () => spawnRelay(files)));
  const relayed = (index: number): Promise<Answer> =>
    check(`${relays[index % 4]?.origin ?? ''}/c/overhead`, tokens[index % tokens.length]);
  await callEvenly(200, 10, relayed);
  const direct = await callEvenly(200, 8, () => check(seller.origin));
  say(`direct, 200 calls/s: ${summaryOf(direct)}`);
  say(`four instances, 200 calls/s: ${summaryOf(await callEvenly(200, 8, relayed))}`);
  for (const relay of relays) await relay.end('SIGTERM');
}

/** Measures what no relay can go below: one commit on the disk, and one round trip to the database. */
async function sayLimits({ files, say }: Setting): Promise<void> {
  const insert = "INSERT INTO bare (text) VALUES ('0123456789')";
  const create = 'CREATE TABLE IF NOT EXISTS bare (id integer, text text)';
  if (files.postgres === undefined) {
    const database = new DatabaseSync(join(files.folder, 'bare.db'));
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${create}`);
    const statement = database.prepare(insert);
    say(`bare commit: ${await timesOf(() => Promise.resolve(statement.run()))}`);
    database.close();
    return;
  }
  const client = new Client(files.postgres.superuser);
  await client.connect();
  await client.query(create);
  say(`bare commit: ${await timesOf(() => client.query({ name: 'insert', text: insert }))}`);
  say(`bare round trip: ${await timesOf(() => client.query({ name: 'one', text: 'SELECT 1' }))}`);
  await client.end();
}

async function timesOf(run: () => Promise<unknown>): Promise<string> {
  const answers: Answer[] = [];
  for (let n = 0; n < 300; n += 1) {
    const began = performance.now();
    await run();
    answers.push({ status: 200, milliseconds: performance.now() - began });
  }
  return summaryOf(answers);
}

const agents = 500;
const seconds = 60;

/** Measures a call of each agent every ten seconds. */
export const manyAgents: Part = async (setting) => {
  const { files, say } = setting;
  await connect(setting, 'agents', unlimited);
  const tokens = await files.administer(async (store) => {
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
  const base = `${relay.origin}/c/agents`;
  const call = (index: number) => check(base, tokens[index % agents]);
  const answers = await callEvenly(agents / 10, seconds, call);
  say(`${String(agents)} agents, a call each 10 s: ${summaryOf(answers, seconds)}`);
  await relay.end('SIGTERM');
};

const moreRows = 1_000_000;

/** Measures calls, and the count of a month, before and after the audit has grown by a million rows. */
export const auditGrowth: Part = async (setting) => {
  const { files, token, say } = setting;
  await connect(setting, 'audit', unlimited);
  const relay = await spawnRelay(files);
  const call = () => check(`${relay.origin}/c/audit`, token);
  await callFor(8, 10, call);
  for (const rows of [0, moreRows]) {
    if (rows > 0) await addAuditRows(files, rows);
    const calls = summaryOf(await callFor(8, 10, call), 10);
    const counted = await files.administer(async (store) => {
      const began = performance.now();
      await store.countMonth(monthAt(Date.now()));
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const mebibytes = Math.round((await store.databaseBytes()) / 2 ** 20);
      return `the month counted in ${seconds} s, ${String(mebibytes)} MiB`;
    });
    say(`audit with ${String(rows)} more rows, 8 in flight: ${calls}; ${counted}`);
  }
  await relay.end('SIGTERM');
};

async function addAuditRows({ postgres, database }: RelayFiles, rows: number): Promise<void> {
  const insert = (table: string): string => `
    INSERT INTO ${table} (at, kind, result, call_id, agent, token, connection, call, code_hmac, code_last4)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${String(rows)})
    SELECT ${String(Date.now())}, CASE n % 3 WHEN 0 THEN 'intent' WHEN 1 THEN 'outcome' ELSE 'reply' END,
      CASE n % 3 WHEN 0 THEN 'interactive' WHEN 1 THEN 'success' ELSE 'asked' END,
      '0198c5a2-7f3e-4b1d-9c60-' || CAST(n / 3 AS text), 'agent-' || CAST(n % 40 AS text), '0123456789abcdef', 'audit',
      'validation', '${'0'.repeat(57)}' || CAST(n / 3 AS text), '4f2a' FROM numbers`;
  if (postgres === undefined) {
    const file = new DatabaseSync(database, { timeout: 5_000 });
    file.exec(insert('audit'));
    file.close();
    return;
  }
  const client = new Client(postgres.owner);
  await client.connect();
  await client.query(insert('relay.audit'));
  await client.end();
}

const bulkCodes = 2_000;

/**
 * Measures one agent's checks, one each second, beside another's bulk work of 2,000 codes, where the pace holds both
 * back.
 */
export const fairness: Part = async (setting) => {
  const { files, token, other, say } = setting;
  await connect(setting, 'paced', '--limit 3000 --window 60');
  const relay = await spawnRelay(files);
  const base = `${relay.origin}/c/paced`;
  let done = 0;
  const bulk = callWhile(
    4,
    () => done < bulkCodes,
    async () => {
      const answer = await check(base, other, { 'counterfoil-work': 'bulk' });
      if (answer.status === 200) done += 1;
      else await delay(200);
      return answer;
    },
  );
  const began = performance.now();
  const checks: Promise<Answer>[] = [];
  while (done < bulkCodes) {
    await delay(1_000);
    checks.push(check(base, token));
  }
  const seconds = (performance.now() - began) / 1000;
  await bulk;
  say(
    `interactive beside bulk: ${summaryOf(await Promise.all(checks))}; bulk had ${String(done)} in ${seconds.toFixed(0)} s`,
  );
  await relay.end('SIGTERM');
};

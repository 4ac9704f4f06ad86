import { DatabaseSync } from 'node:sqlite';

import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { delay } from '#core/time/index';
import { monthAt } from '#relay/month';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import {
  callThrough,
  type RelayFiles,
  relayFiles,
  relayOn,
  stores,
  validation,
} from '#tests/relay/support/relay';
import { pipeAdmin } from '#tests/relay/support/relay-process';

const month = monthAt(Date.now());
const shared = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
const missing = '00000000-23d0-4b3c-7dfa-c1c147e0beef';

describe.each(stores)('a report on %s', (name) => {
  let files: RelayFiles;
  let seller: CountingUpstream;
  beforeEach(async () => {
    files = await relayOn(name);
    seller = await countingUpstream();
  });
  afterEach(async () => {
    await seller.close();
    files.remove();
  });

  test('counts what each agent was answered, and names no code', async () => {
    await files.connect('shop', seller.origin, 'key-0123456789', '--name Lantern-shop');
    const [ada, bob] = [await files.join('ada@team.test'), await files.join('bob@team.test')];
    await files.admin('roles set lead report');
    const lead = await files.join('lead@team.test', 'lead');
    const relay = await files.start();
    const ask = async (token: string, code: string, connection = 'shop'): Promise<void> => {
      await callThrough(`${relay.origin}/c/${connection}`, token, validation, { code });
    };
    await ask(ada, shared);
    // Out of the cache.
    await ask(bob, shared);
    await ask(bob, shared);
    await ask(ada, 'asked-by-ada-alone-1234');
    seller.replyWith({ status: 404, body: '{"status":"error","msg":"none"}' });
    await ask(ada, missing);
    await ask(bob, missing);
    seller.replyWith({ status: 500, body: '{}' });
    await ask(ada, 'broken-0123456789');
    await ask(ada, shared, 'none');
    await callThrough(`${relay.origin}/c/shop`, ada, '/api/account/details');

    const { status, stdout: csv } = pipeAdmin(files, `report --month ${month}`, 'cat');
    const [header, ...rows] = csv.trim().split('\r\n');
    expect(status).toBe(0);
    expect(header).toBe('by,name,checks,found,not_found,other_answer,no_answer,agents');
    const day = new Date().toISOString().slice(0, 10);
    expect(rows.slice(0, 6)).toEqual([
      `month,${month},8,4,2,1,1,2`,
      'connection,shop (Lantern-shop),7,4,2,1,0,2',
      'connection,none,1,0,0,0,1,1',
      'agent,ada@team.test,5,2,1,1,1,1',
      'agent,bob@team.test,3,2,1,0,0,1',
      `day,${day},8,4,2,1,1,2`,
    ]);
    const audit = await files.admin('audit csv');
    const [first, second, ...others] = rows.slice(6).map((row) => row.split(','));
    expect(first?.slice(2)).toEqual(['4', '3', '0', '0', '1', '2']);
    expect(second?.slice(2)).toEqual(['2', '0', '2', '0', '0', '2']);
    expect(audit).toContain(`${first?.[1] ?? ''},dece`);
    expect(audit).toContain(`${second?.[1] ?? ''},beef`);
    expect(others).toEqual([]);

    const json = await askReport(month);
    expect(await json.json()).toMatchObject({
      report: {
        month,
        total: numbers(8, 4, 2, 1, 1, 2),
        connections: [
          { name: 'shop (Lantern-shop)', ...numbers(7, 4, 2, 1, 0, 2) },
          { name: 'none', ...numbers(1, 0, 0, 0, 1, 1) },
        ],
        agents: [
          { name: 'ada@team.test', ...numbers(5, 2, 1, 1, 1, 1) },
          { name: 'bob@team.test', ...numbers(3, 2, 1, 0, 0, 1) },
        ],
        days: [{ name: day, ...numbers(8, 4, 2, 1, 1, 2) }],
        codes: [
          { name: expect.stringMatching(/^…dece \([0-9a-f]{12}\)$/) as string, checks: 4 },
          { name: expect.stringMatching(/^…beef \([0-9a-f]{12}\)$/) as string, checks: 2 },
        ],
      },
    });

    for (const written of [csv, JSON.stringify(await (await askReport(month)).json())]) {
      expect(written).not.toContain(shared.slice(0, 8));
      expect(written).not.toContain('ada-alone');
    }
    await relay.stop();

    async function askReport(of: string): Promise<Response> {
      return callThrough(relay.origin, lead, `/relay/v1/report?month=${of}`);
    }
  });

  test('is for a role that sees it alone, and the audit has who read it', async () => {
    await files.admin('roles set lead report');
    const lead = await files.join('lead@team.test', 'lead');
    const agent = await files.join('ada@team.test');
    const relay = await files.start();
    const ask = async (token: string, query: string): Promise<unknown[]> => {
      const reply = await callThrough(relay.origin, token, `/relay/v1/report${query}`);
      return [reply.status, reply.headers.get('counterfoil-relay-failure')];
    };
    expect(await ask(lead, `?month=${month}`)).toEqual([200, null]);
    expect(await ask(agent, `?month=${month}`)).toEqual([403, 'not-for-role']);
    expect(await ask('nobody', `?month=${month}`)).toEqual([401, 'token-unknown']);
    for (const query of ['', '?month=2026-13', '?month=9999-01']) {
      expect(await ask(lead, query)).toEqual([400, 'no-such-month']);
    }
    await files.admin('agents role lead@team.test agent');
    expect(await ask(lead, `?month=${month}`)).toEqual([403, 'not-for-role']);
    await relay.stop();
    const read = (await files.admin('audit csv'))
      .split('\n')
      .filter((row) => row.includes(`report-read-${month}`));
    expect(read).toEqual([expect.stringContaining('lead@team.test') as string]);
  });

  test('is given to nobody whose token was revoked while it was counted', async () => {
    await files.admin('roles set lead report');
    const lead = await files.join('lead@team.test', 'lead');
    const relay = await files.start();
    // The row that says who reads it waits for this.
    const { run, end } = await openDatabase(files);
    await run(files.postgres ? 'BEGIN; LOCK relay.audit IN SHARE MODE' : 'BEGIN IMMEDIATE');
    const asked = callThrough(relay.origin, lead, `/relay/v1/report?month=${month}`);
    await delay(200);
    await run(`UPDATE ${files.postgres ? 'relay.' : ''}token SET revoked_at = 1; COMMIT`);
    await end();
    const { status, headers } = await asked;
    expect([status, headers.get('counterfoil-relay-failure')]).toEqual([401, 'token-revoked']);
    await relay.stop();
  });
});

/** Opens the database beside the relay, past its store. */
async function openDatabase({ postgres, database }: RelayFiles): Promise<{
  readonly run: (text: string) => unknown;
  readonly end: () => unknown;
}> {
  if (postgres !== undefined) {
    const client = new Client(postgres.superuser);
    await client.connect();
    return { run: (text) => client.query(text), end: () => client.end() };
  }
  const file = new DatabaseSync(database, { timeout: 5_000 });
  return {
    run: (text) => {
      file.exec(text);
    },
    end: () => {
      file.close();
    },
  };
}

/** Returns the numbers of a line of the report. */
function numbers(...values: readonly number[]): object {
  const names = ['checks', 'found', 'not_found', 'other_answer', 'no_answer', 'agents'];
  return Object.fromEntries(names.map((name, n) => [name, values[n]]));
}

describe('a report', () => {
  let files: RelayFiles;
  beforeEach(async () => {
    files = relayFiles();
    await files.administer((store) => store.putRole({ name: 'lead', maySee: [] }));
  });
  afterEach(() => {
    files.remove();
  });

  test.each([
    ['report', 'Say for which month'],
    ['report --month 2026-13', 'Say for which month'],
    ['report --month 2026-1', 'Say for which month'],
    ['report --month 9999-01', '9999-01 is still to come'],
  ])('is refused before anything is written: %s', (command, why) => {
    const { status, stdout, stderr } = pipeAdmin(files, command, 'cat');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(why);
  });

  test('of a month without a check says so in its numbers', async () => {
    const [, ...lines] = (await files.admin('report --month 2020-02')).trim().split('\r\n');
    expect(lines).toEqual(['month,2020-02,0,0,0,0,0,0']);
  });
});

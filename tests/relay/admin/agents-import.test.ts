import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type RelayFiles, relayFiles, relayOn, stores } from '#tests/relay/support/relay';
import { pipeAdmin } from '#tests/relay/support/relay-process';

const origin = 'https://relay.test';

/** Writes a file of the administrator's; returns its path. */
function write(files: RelayFiles, text: string): string {
  const path = join(files.folder, 'team.csv');
  writeFileSync(path, text);
  return path;
}

const cellsOf = (csv: string): string[][] =>
  csv
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));

describe.each(stores)('an import on %s', (store) => {
  let files: RelayFiles;
  beforeEach(async () => {
    files = await relayOn(store);
    await files.administer((one) => one.putRole({ name: 'lead', sees: ['balance'] }));
  });
  afterEach(() => {
    files.remove();
  });

  test('of fifty adds each with an invite that works, and a second one adds nobody', async () => {
    const team = Array.from({ length: 50 }, (_, n) => `Agent-${String(n)}@team.test,`);
    const file = write(files, ['E-mail,Role', 'lead@team.test,lead', ...team.slice(1)].join('\n'));
    const { status, stdout } = pipeAdmin(files, `agents import ${file}`, 'cat');
    const [header, ...rows] = cellsOf(stdout);
    expect([status, header]).toEqual([0, ['email', 'role', 'invite', 'expires']]);
    expect(rows).toHaveLength(50);
    expect(rows[0]?.slice(0, 2)).toEqual(['lead@team.test', 'lead']);
    expect(rows[1]?.slice(0, 2)).toEqual(['agent-1@team.test', 'agent']);
    for (const [, , invite = ''] of rows.slice(0, 10)) {
      expect(await files.admin('invites redeem', invite)).toMatch(/^cfr1_/);
    }
    const agents = await files.administer((one) => one.agents());
    expect(agents).toHaveLength(50);

    const again = cellsOf(await files.admin(`agents import ${file}`, '', origin)).slice(1);
    expect(await files.administer((one) => one.agents())).toEqual(agents);
    expect(again.map(([email]) => email)).toEqual(rows.slice(10).map(([email]) => email));
    expect(again[0]?.[2]).toMatch(/^https:\/\/relay\.test\/relay\/v1\/join#invite=cfi1_/);
    expect(Date.parse(again[0]?.[3] ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
    const audit = await files.admin('audit csv');
    expect(audit.match(/agent-added/g)).toHaveLength(50);
    expect(audit.match(/invite-added/g)).toHaveLength(90);
  });

  test('takes what a provider calls each, and names a line with what is somebody else', async () => {
    const head = 'email,role,subject';
    const file = write(files, [head, 'ada@team.test,,t/1', 'bob@team.test,,'].join('\n'));
    await files.admin(`agents import ${file}`);
    expect(await files.administer((one) => one.agents())).toMatchObject([
      { email: 'ada@team.test', subject: 't/1' },
      { email: 'bob@team.test' },
    ]);
    const wrong = write(
      files,
      [head, 'cy@team.test,,t/1', 'bob@team.test,,t/2', 'di@team.test,,t'].join('\n'),
    );
    await expect(files.admin(`agents import ${wrong}`)).rejects.toThrow(
      [
        'line 2: t/1 is ada@team.test already',
        'line 3: bob@team.test is an agent already; to say who that is: admin agents identify bob@team.test t/2',
        'line 4: "t" is not TENANT/OBJECT',
      ].join('\n'),
    );
  });

  test('with wrong lines names each and writes nothing', async () => {
    await files.admin('agents add eve@team.test');
    const file = write(
      files,
      [
        'name;role;e-mail',
        '"Ada\nLovelace";lead;ada@team.test',
        'Bob;chief;bob@team.test',
        '',
        'Cy;agent',
        'Dee;agent;dee at team.test',
        'Ada;agent;ADA@team.test',
        'Eve;lead;eve@team.test',
        'Fay;;fay@team.test',
      ].join('\r\n'),
    );
    const told = await files
      .admin(`agents import ${file}`)
      .catch((error: unknown) => String(error));
    expect(told.split('\n').slice(1)).toEqual([
      'line 4: there is no role "chief"; to make it: admin roles set NAME',
      'line 6: it has 2 cells, and the header 3',
      'line 7: "dee at team.test" is no e-mail address',
      'line 8: ada@team.test stands in an earlier line too',
      'line 9: eve@team.test is an agent already, as agent; to change that: admin agents role eve@team.test lead',
    ]);
    expect(await files.admin('agents list')).toMatch(/^eve@team\.test\tagent\t\w+$/);
    expect(await files.admin('invites list')).toBe('No invite is open.');
  });
});

describe('a team', () => {
  let files: RelayFiles;
  beforeEach(() => {
    files = relayFiles();
  });
  afterEach(() => {
    files.remove();
  });

  test.each([
    ['', 'must name the columns: email,role'],
    ['ada@team.test,agent\n', 'must name the columns: email,role'],
    ['email,role\n', 'names nobody'],
  ])('is not made of %j', async (text, why) => {
    await expect(files.admin(`agents import ${write(files, text)}`)).rejects.toThrow(why);
  });
});

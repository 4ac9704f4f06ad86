import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { runSigning } from '#relay/signing/signing';
import { type RelayFiles, relayFiles } from '#tests/relay/support/relay';

let files: RelayFiles;
beforeEach(() => {
  files = relayFiles();
});
afterEach(() => {
  files.remove();
});

const idOf = (token: string): string => token.split('_')[1] ?? '';

describe('an argument too many is refused, and nothing is done', () => {
  test('by a revocation of two tokens', async () => {
    const [ada, bob] = [await files.join('ada@team.test'), await files.join('bob@team.test')];
    await expect(files.admin(`tokens revoke ${idOf(ada)} ${idOf(bob)}`)).rejects.toThrow(
      'nothing but the id of the token',
    );
    expect(await files.admin('tokens list')).not.toContain('revoked');
  });

  test('by a removal of two agents', async () => {
    for (const name of ['ada', 'bob']) await files.admin(`agents add ${name}@team.test`);
    await expect(files.admin('agents remove ada@team.test bob@team.test')).rejects.toThrow(
      'nothing but the e-mail address',
    );
    expect(await files.admin('agents list')).toContain('ada@team.test');
  });

  test.each([
    'agents add ada@team.test bob@team.test',
    'agents role ada@team.test agent lead',
    'agents list ada@team.test',
    'connections add shop https://market.test 60',
    'connections list shop',
    'connections remove shop other',
    'invites add ada@team.test bob@team.test',
    'invites redeem cfi1_0',
    'keys set shop key-0123456789',
    'master-key rotate new.key',
    'roles list agent',
    'settings draft settings.json',
    'settings show 1',
    'tokens list ada@team.test',
  ])('by %s', async (command) => {
    await expect(files.admin(command)).rejects.toThrow('This command takes no');
  });

  test('by keys of a file name with a space in it', async () => {
    const name = join(files.folder, 'new');
    await expect(files.admin(`master-key create ${name} key`)).rejects.toThrow('but the file.');
    expect(() => runSigning(['keygen', name, 'pem'], 0, () => undefined)).toThrow('but the file');
    expect(existsSync(name)).toBe(false);
  });
});

test.each([
  ['agents add', 'the e-mail address'],
  ['agents role ada@team.test', 'the role'],
  ['connections add shop', 'the base address'],
  ['keys set', 'the id of the connection'],
  ['master-key create', 'the file'],
  ['roles set', 'the name of the role'],
  ['tokens revoke', 'the id of the token'],
])('%s says what is missing', async (command, name) => {
  await expect(files.admin(command)).rejects.toThrow(`Missing: ${name}`);
});

test('a part of the account that is named twice is seen once', async () => {
  await files.admin('roles set lead balance balance');
  expect(await files.admin('roles list')).toMatch(/^lead\tpurchases, items, balance$/m);
});

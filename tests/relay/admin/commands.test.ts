import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { runAdmin } from '#relay/admin/admin';
import { messageOf } from '#relay/problem';
import { readKeyring } from '#relay/keys/keyring';
import { runSigning } from '#relay/signing/signing';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { checkAtShop } from '#tests/relay/support/records';
import { type RelayFiles, callThrough, relayFiles, validation } from '#tests/relay/support/relay';

let files: RelayFiles;
beforeEach(async () => {
  files = relayFiles();
  await files.administer(() => Promise.resolve());
});
afterEach(() => {
  files.remove();
});

test('a command that waits at a terminal says for what', async () => {
  await files.admin('connections add shop https://market.test');
  const printed: string[] = [];
  const terminal = Object.assign(Readable.from(['key-0123456789\n']), { isTTY: true });
  const keyring = (): ReturnType<typeof readKeyring> => readKeyring([files.masterKey]);
  const settings = { database: files.administered, keyring, publicOrigin: undefined };
  await runAdmin(['keys', 'set', 'shop', '--anyway'], () => settings, {
    stdin: terminal,
    stdout: { write: (text) => printed.push(text) },
  });
  expect(printed[0]).toBe('Paste it here, then press Enter and Ctrl-D.\n');
  expect(await files.admin('keys set shop --anyway', 'key-0123456789')).not.toContain('Paste');
});

test('what a terminal would obey is shown, and not sent to it', async () => {
  const about = { ...checkAtShop, codeLast4: '\u001b[2J\u009b' };
  await files.administer((store) => store.release(about, 'asked', () => undefined));
  expect(await files.admin('audit csv')).toContain('⟨U+001B⟩[2J⟨U+009B⟩');
});

test('an e-mail address is compared without the case of its ASCII letters, and by nothing more', async () => {
  await files.admin('agents add Kit@Team.test');
  expect(await files.admin('agents role KIT@team.TEST agent')).toContain('kit@team.test is agent');
  // U+212A, the Kelvin sign, whose lower case is the ASCII letter.
  await expect(files.admin('agents role \u212Ait@team.test agent')).rejects.toThrow('is no agent');
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
    'invites list ada@team.test',
    'invites redeem cfi1_0',
    'invites revoke ada@team.test bob@team.test',
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

test('a list of agents is added whole or not at all, and again once it has grown', async () => {
  await expect(files.admin('agents add ada@team.test,none,bob@team.test')).rejects.toThrow(
    '"none" is no e-mail address. Nothing was done.',
  );
  expect(await files.admin('agents list')).toContain('no agents');
  await files.admin('agents add ada@team.test');
  const again = await files.admin('agents add ada@team.test,bob@team.test');
  expect(again).toMatch(/^ada.* is an agent already, with the role agent\..*\nbob.* is an agent\./);
  expect((await files.admin('agents list')).split('\n')).toHaveLength(2);
});

test('a part of the account that is named twice is seen once', async () => {
  await files.admin('roles set lead balance balance');
  expect(await files.admin('roles list')).toMatch(/^lead\tpurchases, items, balance$/m);
});

test.each([
  ['connections add shop market.test/?a=1', 'leave out the ?'],
  ['connections add shop https://market.test --marketplace elsewhere', '--marketplace is one of'],
  ['connections add shop https://market.test --store 1', 'answers for every store'],
  ['connections add shop --marketplace lemon-squeezy', '--store is missing'],
  ['connections add shop http://market.test', 'must begin with https://, since'],
  ['connections add shop ftp://market.test', 'must begin with https://'],
  ['connections add shop https://ada@market.test', 'before the @'],
  ['agents role ada@team.test lead', 'To add them: admin agents add ada@team.test'],
  ['agents add ada@team.test --role lead', 'To make it: admin roles set lead'],
  ['audit keep 0', 'unless "all", is a whole number, 1 to 120'],
  ['audit keep ever', 'unless "all", is a whole number, 1 to 120'],
  ['agents identify ada@team.test 1', 'TENANT/OBJECT'],
])('%s says what to do', async (command, sentence) => {
  await expect(files.admin(command)).rejects.toThrow(sentence);
});

test.each(['audit csv --month 2026-13', 'audit find --month 2026-13'])(
  '%s prints nothing before it is refused',
  async (command) => {
    const printed: string[] = [];
    const keyring = (): ReturnType<typeof readKeyring> => readKeyring([files.masterKey]);
    const settings = { database: files.administered, keyring, publicOrigin: undefined };
    const refused = runAdmin(command.split(' '), () => settings, {
      stdin: Readable.from(['code']),
      stdout: { write: (text) => printed.push(text) },
    });
    await expect(refused).rejects.toThrow('--month is a month: YYYY-MM');
    expect(printed).toEqual([]);
  },
);

test('a key that is none is refused with the reason, and the old one stays', async () => {
  await files.connect('shop', 'https://market.test', 'key-0123456789');
  await expect(files.admin('keys set shop', ' \n')).rejects.toThrow('standard input is empty');
  await expect(files.admin('keys set shop', 'schlüssel')).rejects.toThrow('visible ASCII');
  expect(await files.admin('connections list')).toContain('key 1');
});

test('a connection names its marketplace, which brings its address', async () => {
  const list = (): Promise<string> => files.admin('connections list');
  await files.admin('connections add shop --marketplace envato');
  expect(await list()).toMatch(/^shop\thttps:\/\/api\.envato\.com\tenvato\t60 in 60 s/mu);
  await files.admin('keys set shop --anyway', 'key-0123456789');
  await files.admin('connections edit shop --limit 30');
  expect(await list()).toMatch(/\tenvato\t30 in 60 s\tkey 1$/mu);
  const moved = 'connections edit shop --marketplace lemon-squeezy --store 4711';
  expect(await files.admin(moved)).toContain('is removed: admin keys set shop');
  expect(await list()).toMatch(
    /^shop\thttps:\/\/api\.lemonsqueezy\.com\tlemon-squeezy\tstore 4711\t30 in 60 s\tno key$/mu,
  );
  await files.admin('connections edit shop --name Shop');
  expect(await list()).toContain('store 4711');
  await files.admin('connections edit shop --marketplace seller-api --address https://a.test');
  expect(await list()).toMatch(/^shop\thttps:\/\/a\.test\t30 in/mu);
  const drafted = await files.admin('settings draft', '', 'https://relay.test');
  expect(JSON.parse(drafted)).not.toHaveProperty('connections.0.marketplace');
  await files.admin(moved);
  expect(JSON.parse(await files.admin('settings draft', '', 'https://relay.test'))).toMatchObject({
    connections: [{ marketplace: 'lemon-squeezy', store: '4711' }],
  });
});

test('the audit is kept for ever until somebody says for how many months', async () => {
  await files.admin('audit keep 12');
  expect(await files.admin('audit keep')).toContain('and 12 before it are kept');
  expect(await files.admin('audit keep all')).toBe('Every month of the audit is kept.');
  expect(await files.admin('audit csv')).toMatch(/audit-kept-12-months[^]*audit-kept-for-ever/);
});

test('of two agents one alone is what a provider calls them', async () => {
  for (const name of ['ada', 'bob']) await files.admin(`agents add ${name}@team.test`);
  await files.admin('agents identify ada@team.test t-1/o-1');
  expect(await files.admin('agents list')).toMatch(/^ada@team\.test\tagent\t\w+\tt-1\/o-1$/m);
  await expect(files.admin('agents identify bob@team.test t-1/o-1')).rejects.toThrow(
    'That is ada@team.test already.',
  );
});

test('an agent who is removed can still be found in the audit', async () => {
  await files.join('ada@team.test');
  const id = (await files.admin('agents list')).split('\t')[2] ?? '';
  expect(await files.admin('agents remove ada@team.test')).toContain(id);
  expect(await files.admin('audit csv')).toContain(`agent-removed,,${id}`);
});

test('an invite is listed while it holds, and taken back', async () => {
  expect(await files.admin('invites list')).toBe('No invite is open.');
  await files.admin('agents add ada@team.test');
  const invite = await files.admin('invites add ada@team.test');
  expect(await files.admin('invites list')).toMatch(/^ada@team\.test\tholds until 20\d\d-/);
  expect(await files.admin('invites revoke ada@team.test')).toContain('No invite of ada@team.test');
  await expect(files.admin('invites redeem', invite)).rejects.toThrow('was used, has expired');
  await expect(files.admin('invites revoke ada@team.test')).rejects.toThrow('has no invite');
});

test('the audit names agents by their addresses, as long as they are agents', async () => {
  await files.join('ada@team.test');
  await files.admin('agents add bob@team.test');
  expect(await files.admin('audit csv')).toMatch(/^at,.*,codeLast4,email,actor$/m);
  expect(await files.admin('audit csv')).toMatch(/invite-redeemed,.*,ada@team\.test,[^,]+@/m);
  await files.admin('agents remove ada@team.test');
  const rows = await files.admin('audit csv');
  expect(rows).not.toContain('ada@team.test');
  expect(rows).toContain('bob@team.test');
});

test('the audit is asked about a code, which stands in no argument', async () => {
  const code = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
  const seller = await countingUpstream();
  await files.connect('shop', seller.origin, 'key-0123456789');
  const token = await files.join('ada@team.test');
  const relay = await files.start();
  for (const asked of [code, 'another-code-0123']) {
    await callThrough(`${relay.origin}/c/shop`, token, validation, { code: asked });
  }
  await relay.stop();
  await seller.close();
  const rows = (await files.admin('audit find', `${code}\n`)).split(/\r?\n/);
  expect(rows.map((row) => row.split(',')[1])).toEqual(['kind', 'intent', 'outcome', 'reply']);
  expect(rows.slice(1).every((row) => row.endsWith(',dece,ada@team.test,'))).toBe(true);
  const typed = await files.admin('audit find', code.toUpperCase());
  expect(typed.split(/\r?\n/)).toEqual(rows);
  const none = 'The audit has no call about this code as it is spelled here.';
  expect(await files.admin('audit find', 'never-asked')).toBe(none);
  expect(await files.admin('audit find --month 2020-01', code)).toBe(none);
  await expect(files.admin('audit find', '\n')).rejects.toThrow('it takes the code');
});

describe('a list without entries', () => {
  test.each(['agents', 'connections', 'tokens'])('of %s says so', async (noun) => {
    expect(await files.admin(`${noun} list`)).toContain(`There are no ${noun}`);
  });
});

test.each(['agents list', 'audit csv', 'tokens revoke 1', 'invites add ada@team.test'])(
  '%s makes no database where there is none',
  async (command) => {
    const other = relayFiles();
    onTestFinished(() => {
      other.remove();
    });
    await expect(other.admin(command)).rejects.toThrow(`There is no database ${other.database}`);
    expect(existsSync(other.database)).toBe(false);
  },
);

test('admin alone says what each command takes', async () => {
  const told = await files.admin('');
  expect(told).toMatch(/^ {2}agents role EMAIL ROLE$/m);
  expect(told).toMatch(/^ {2}roles set NAME \[balance\|email\|profile\|report\]…$/m);
  expect(told).toContain('[--key-placement parameter|X-API-Key|Authorization]');
});

test('a file that is no signing key is named', () => {
  writeFileSync(join(files.folder, 'settings.json'), '{}');
  const args = ['sign', '--key', files.masterKey, join(files.folder, 'settings.json')];
  expect(() => runSigning(args, 0, () => undefined)).toThrow('holds no Ed25519 key');
});

test('addresses that were tried in vain are all named', () => {
  const tried = ['::1', '127.0.0.1'].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`));
  expect(messageOf(new AggregateError(tried))).toBe(
    'connect ECONNREFUSED ::1:5432\nconnect ECONNREFUSED 127.0.0.1:5432',
  );
});

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createMasterKey, readKeyring } from '#relay/keys/keyring';
import { openVault, rotate } from '#relay/keys/vault';
import { openStore, type Store } from '#relay/store/index';
import { auditRows } from '#tests/relay/support/audit-rows';
import { shop } from '#tests/relay/support/records';
import { Problem } from '#relay/problem';

let folder: string;
let store: Store;
const file = (name: string): string => join(folder, name);
const place = { connection: 'shop', baseAddress: 'https://shop.test', version: 1 };
const canary = 'canary-key-0123456789';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relay-keys-'));
  store = await openStore(file('relay.db'));
  createMasterKey(file('one'));
  createMasterKey(file('two'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

test('an API key opens where it was sealed for, and nowhere else', async () => {
  const vault = await openVault(store, readKeyring([file('one')]));
  const sealed = vault.sealKey(place, canary);
  expect(vault.openKey(sealed, place.baseAddress)).toBe(canary);
  expect(vault.openKey(sealed, 'https://evil.test')).toBeUndefined();
  expect(vault.openKey({ ...sealed, version: 2 }, place.baseAddress)).toBeUndefined();
  expect(vault.openKey({ ...sealed, connection: 'other' }, place.baseAddress)).toBeUndefined();
  expect(JSON.stringify(sealed)).not.toContain(canary);
});

test('start-up refuses a master key that does not open the canary', async () => {
  await openVault(store, readKeyring([file('one')]));
  await expect(openVault(store, readKeyring([file('two')]))).rejects.toThrow(Problem);
});

test('start-up refuses a canary that was changed', async () => {
  const keyring = readKeyring([file('one')]);
  await openVault(store, keyring);
  const wrapped = randomBytes(60);
  await store.rewrap([], [{ name: 'canary', masterKeyId: keyring.currentId, wrapped }]);
  await expect(openVault(store, keyring)).rejects.toThrow('canary does not open');
});

test('a rotation wraps everything anew, after which the old master key is not needed', async () => {
  const vault = await openVault(store, readKeyring([file('one')]));
  await store.addConnection(shop);
  await store.putKey(vault.sealKey(place, canary));
  const hmac = vault.hmac('audit-hmac', 'code');
  const answer = { status: 200, contentType: 'text/plain', body: Buffer.from('reply') };
  const reply = vault.sealReply('k', answer);

  expect(await rotate(store, readKeyring([file('two'), file('one')]))).toBe(5);
  const after = await openVault(store, readKeyring([file('two')]));
  const [key] = await store.keys();
  expect(key && after.openKey(key, place.baseAddress)).toBe(canary);
  expect(after.hmac('audit-hmac', 'code')).toBe(hmac);
  expect(after.openReply('k', reply)).toEqual(answer);
  expect(after.openReply('other', reply)).toBeUndefined();
  expect(await rotate(store, readKeyring([file('two')]))).toBe(0);
  await expect(openVault(store, readKeyring([file('one')]))).rejects.toThrow(Problem);
});

test.each([
  ['set', 2],
  ['set for a connection that was removed and added', 1],
] as const)('a key that is %s during a rotation is wrapped anew too', async (_case, version) => {
  const vault = await openVault(store, readKeyring([file('one')]));
  await store.addConnection(shop);
  await store.putKey(vault.sealKey(place, 'key-of-before-the-rotation'));
  let times = 0;
  const busy: Store = {
    ...store,
    rewrap: async (keys, secrets) => {
      times += 1;
      if (times === 1) {
        if (version === 1) {
          await store.removeConnection('shop');
          await store.addConnection(shop);
        }
        await store.putKey(vault.sealKey({ ...place, version }, canary));
      }
      return store.rewrap(keys, secrets);
    },
  };

  expect(await rotate(busy, readKeyring([file('two'), file('one')]))).toBe(5);
  const after = await openVault(store, readKeyring([file('two')]));
  const [key] = await store.keys();
  expect(key && after.openKey(key, place.baseAddress)).toBe(canary);
  expect((await auditRows(store)).at(-1)?.result).toBe('master-key-rotated');
});

test('a rotation without the old master key changes nothing', async () => {
  await openVault(store, readKeyring([file('one')]));
  await expect(rotate(store, readKeyring([file('two')]))).rejects.toThrow(Problem);
  await openVault(store, readKeyring([file('one')]));
});

test('a master key is a file of 32 bytes that its owner alone may read', () => {
  expect(readFileSync(file('one'))).toHaveLength(32);
  writeFileSync(file('short'), randomBytes(31), { mode: 0o400 });
  writeFileSync(file('open'), randomBytes(32));
  chmodSync(file('open'), 0o444);
  for (const name of ['short', 'open', 'missing']) {
    expect(() => readKeyring([file(name)])).toThrow(Problem);
  }
  expect(() => readKeyring([])).toThrow(Problem);
  expect(() => {
    createMasterKey(file('one'));
  }).toThrow('EEXIST');
});

test.each([0o440, 0o420, 0o404])(
  'a master key of mode %o, which others may use, is refused',
  (mode) => {
    chmodSync(file('one'), mode);
    expect(() => readKeyring([file('one')])).toThrow('can be read by others');
  },
);

import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';

import * as v from 'valibot';

import { inTransaction } from '#sandbox/database';
import { accounts } from '#sandbox/seed/accounts';
import type { AccountId, Moment, SeedAccount, SeedItem } from '#sandbox/seed/shape';
import { type Base, bases } from '#sandbox/seller/deployments';

export type StoredAccount = Omit<SeedAccount, 'items' | 'purchases'>;

export interface StoredPurchase {
  /** The code as the shop wrote it; look-ups ignore case. */
  readonly code: string;
  readonly item: number;
  readonly license: string;
  readonly price: number;
  readonly bought: Moment;
  readonly supportedUntil?: Moment;
  readonly downloaded: boolean;
}

/** Reads and writes the sellers' tables, in the shapes of the seed. */
export interface SellerStore {
  readonly apiKeys: () => Readonly<Record<Base, string>>;
  readonly account: (id: AccountId) => StoredAccount;
  readonly items: (account: AccountId) => readonly SeedItem[];
  readonly item: (account: string, id: number) => SeedItem | undefined;
  readonly purchase: (account: AccountId, code: string) => StoredPurchase | undefined;
  /** Adds the purchase, or changes the one with that code. Throws if the account has no such item. */
  readonly savePurchase: (account: AccountId, purchase: StoredPurchase) => void;
  /** Removes a purchase, as a refund does. Returns whether there was one. */
  readonly removePurchase: (account: AccountId, code: string) => boolean;
}

const origin = v.picklist(['today', 'epoch']);

const purchaseRow = v.object({
  code: v.string(),
  item: v.number(),
  license: v.string(),
  price: v.number(),
  bought_from: origin,
  bought_ms: v.number(),
  supported_from: v.nullable(origin),
  supported_ms: v.nullable(v.number()),
  downloaded: v.number(),
});

/** Increased whenever the tables or the seed change. An older file is then seeded again, keeping its API keys. */
const edition = 2;

const tables = `
  CREATE TABLE seller_account (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE seller_item (
    account TEXT NOT NULL REFERENCES seller_account (id),
    id INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (account, id)
  ) STRICT;
  CREATE TABLE seller_purchase (
    account TEXT NOT NULL,
    code TEXT NOT NULL COLLATE NOCASE,
    item INTEGER NOT NULL,
    license TEXT NOT NULL,
    price REAL NOT NULL,
    bought_from TEXT NOT NULL CHECK (bought_from IN ('today', 'epoch')),
    bought_ms INTEGER NOT NULL,
    supported_from TEXT CHECK (supported_from IN ('today', 'epoch')),
    supported_ms INTEGER,
    downloaded INTEGER NOT NULL CHECK (downloaded IN (0, 1)),
    PRIMARY KEY (account, code),
    FOREIGN KEY (account, item) REFERENCES seller_item (account, id)
  ) STRICT;
`;

/**
 * Opens the sellers' part of a database and, the first time, fills it: accounts, items, purchases, and a random API key
 * for every base address.
 */
export function openSellerStore(database: DatabaseSync): SellerStore {
  database.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE IF NOT EXISTS seller_edition (number INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS seller_key (base TEXT PRIMARY KEY, api_key TEXT NOT NULL) STRICT;
  `);
  if (database.prepare('SELECT number FROM seller_edition').get()?.['number'] !== edition) {
    inTransaction(database, () => {
      seed(database);
    });
  }
  const keyRows = database.prepare('SELECT base, api_key FROM seller_key');
  const accountRow = database.prepare('SELECT body FROM seller_account WHERE id = ?');
  const itemRows = database.prepare('SELECT body FROM seller_item WHERE account = ? ORDER BY id');
  const itemRow = database.prepare('SELECT body FROM seller_item WHERE account = ? AND id = ?');
  const findPurchase = database.prepare(
    'SELECT * FROM seller_purchase WHERE account = ? AND code = ?',
  );
  const replacePurchase = database.prepare(
    'INSERT OR REPLACE INTO seller_purchase VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const deletePurchase = database.prepare(
    'DELETE FROM seller_purchase WHERE account = ? AND code = ?',
  );

  return {
    apiKeys: () => {
      const found = new Map(keyRows.all().map((row) => [row['base'], String(row['api_key'])]));
      return Object.fromEntries(bases.map((base) => [base, found.get(base)])) as Record<
        Base,
        string
      >;
    },
    account: (id) => {
      const row = accountRow.get(id);
      if (row === undefined) throw new Error(`The database holds no account "${id}"`);
      return body(row) as StoredAccount;
    },
    items: (account) => itemRows.all(account).map((row) => body(row) as SeedItem),
    item: (account, id) => {
      const row = itemRow.get(account, id);
      return row === undefined ? undefined : (body(row) as SeedItem);
    },
    purchase: (account, code) => {
      const row = findPurchase.get(account, code);
      return row === undefined ? undefined : readPurchase(row);
    },
    savePurchase: (account, purchase) => {
      replacePurchase.run(...valuesOf(account, purchase));
    },
    removePurchase: (account, code) => deletePurchase.run(account, code).changes === 1,
  };
}

type Row = Record<string, SQLOutputValue>;

function body(row: Row): unknown {
  return JSON.parse(String(row['body']));
}

function valuesOf(account: AccountId, purchase: StoredPurchase): SQLInputValue[] {
  const { code, item, license, price, bought, supportedUntil, downloaded } = purchase;
  const support = [supportedUntil?.from ?? null, supportedUntil?.ms ?? null];
  const sale = [code, item, license, price, bought.from, bought.ms];
  return [account, ...sale, ...support, downloaded ? 1 : 0];
}

function readPurchase(row: Row): StoredPurchase {
  const read = v.parse(purchaseRow, row);
  return {
    code: read.code,
    item: read.item,
    license: read.license,
    price: read.price,
    bought: { from: read.bought_from, ms: read.bought_ms },
    ...(read.supported_from !== null && read.supported_ms !== null
      ? { supportedUntil: { from: read.supported_from, ms: read.supported_ms } }
      : {}),
    downloaded: read.downloaded === 1,
  };
}

function seed(database: DatabaseSync): void {
  database.exec(`
    DROP TABLE IF EXISTS seller_purchase;
    DROP TABLE IF EXISTS seller_item;
    DROP TABLE IF EXISTS seller_account;
    DELETE FROM seller_edition;
  `);
  database.exec(tables);
  for (const account of accounts) seedAccount(database, account);
  const addKey = database.prepare('INSERT OR IGNORE INTO seller_key VALUES (?, ?)');
  for (const base of bases) addKey.run(base, randomBytes(20).toString('hex'));
  database.prepare('INSERT INTO seller_edition VALUES (?)').run(edition);
}

function seedAccount(database: DatabaseSync, account: SeedAccount): void {
  const { items, purchases, ...body } = account;
  database
    .prepare('INSERT INTO seller_account VALUES (?, ?)')
    .run(account.id, JSON.stringify(body));

  const addItem = database.prepare('INSERT INTO seller_item VALUES (?, ?, ?)');
  for (const item of items) addItem.run(account.id, item.id, JSON.stringify(item));

  const prices = new Map(items.map((item) => [item.id, item]));
  const addPurchase = database.prepare(
    'INSERT INTO seller_purchase VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const purchase of purchases) {
    const item = prices.get(purchase.item);
    if (item === undefined) throw new Error(`${purchase.code} is a purchase of no seeded item`);
    const listPrice = purchase.license === 'Extended' ? item.extended : item.regular;
    addPurchase.run(...valuesOf(account.id, { price: listPrice, ...purchase }));
  }
}

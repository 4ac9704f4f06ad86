import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { deployments } from '#sandbox/seller/deployments';
import { accounts } from '#sandbox/seed/accounts';
import type { SeedAccount } from '#sandbox/seed/shape';
import { inTransaction } from '#sandbox/transaction';

/** Grows whenever the tables or the seed change: an older file is then seeded anew and keeps its API keys. */
const edition = 1;

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
 * Opens the sandbox's database and, the first time, fills it: accounts, items, purchases, and a random API key for
 * every base address.
 *
 * @param path a file, whose folder is made where it is missing, or `:memory:`
 */
export function openDatabase(path: string): DatabaseSync {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path, { timeout: 5_000 });
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
  return database;
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
  for (const { base } of deployments) addKey.run(base, randomBytes(20).toString('hex'));
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
    addPurchase.run(
      account.id,
      purchase.code,
      purchase.item,
      purchase.license,
      purchase.price ?? listPrice,
      purchase.bought.from,
      purchase.bought.ms,
      purchase.supportedUntil?.from ?? null,
      purchase.supportedUntil?.ms ?? null,
      purchase.downloaded ? 1 : 0,
    );
  }
}

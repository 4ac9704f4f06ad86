import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type Database, openDatabase, whileServing } from '#relay/store/postgres/database';
import { type FaultProxy, faultProxy } from '#tests/relay/support/fault-proxy';
import { createTestDatabase } from '#tests/relay/support/postgres';

let proxy: FaultProxy;
let database: Database;
beforeEach(async () => {
  const { port, runner } = await createTestDatabase();
  proxy = await faultProxy(port);
  database = openDatabase(proxy.lead(runner), whileServing);
});
afterEach(async () => {
  await database.close();
  await proxy.close();
});

describe('a connection whose database falls silent', () => {
  test.each([
    ['a query', () => database.query('SELECT 1')],
    ['a transaction', () => database.transaction((session) => session.query('SELECT 1'))],
    ['locks', () => database.commitThenLock(['SELECT 1'], ['SELECT 2'], () => Promise.resolve())],
  ])('ends what asked for %s, and is replaced once the database is back', async (_, ask) => {
    await database.query('SELECT 1');
    proxy.set('silent');
    await expect(ask()).rejects.toThrow();
    proxy.set('forwarding');
    await expect(ask()).resolves.not.toThrow();
  });
});

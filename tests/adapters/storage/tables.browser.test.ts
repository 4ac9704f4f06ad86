import { beforeEach, describe, expect, it } from 'vitest';

import { createSiteStore } from '#adapters/storage/worker/connection-store';
import { type Tables, createTables } from '#adapters/storage/tables';

const site = { origin: 'https://desk.example', automatic: true };

let name: string;
let tables: Tables;
beforeEach(async () => {
  name = crypto.randomUUID();
  tables = createTables(name);
  await createSiteStore(tables).change(() => [site]);
});

describe('the database', () => {
  it('closes for a page that brings a newer version, and is left alone after it', async () => {
    const store = createSiteStore(tables);
    expect(await store.read()).toEqual([site]);
    const newer = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1000);
      request.onsuccess = () => {
        resolve(request.result);
      };
      request.onblocked = () => {
        reject(new Error('It is held open.'));
      };
    });
    newer.close();
    await expect(store.read()).rejects.toMatchObject({ name: 'VersionError' });
  });

  it('opens anew when it was deleted under an open page', async () => {
    const store = createSiteStore(tables);
    expect(await store.read()).toEqual([site]);
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = resolve;
      request.onblocked = reject;
    });
    expect(await store.read()).toEqual([]);
  });
});

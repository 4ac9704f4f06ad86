import { expect, type Page } from '@playwright/test';

/** Lists a connection in a form that this version cannot read, and one that a newer version wrote. */
export const oddConnections = [
  {
    id: 'old',
    name: 'Old shop',
    baseAddress: 'https://old.example',
    revision: 1,
    dialect: { tint: 'blue' },
  },
  { id: 'new', name: 'New shop', version: 99 },
];

/** Lists the same of pinned keys. */
export const oddKeys = [
  { id: 'old', label: 'Old key', raw: 'too short' },
  { id: 'new', label: 'New key', version: 99 },
];

/**
 * Adds records, of the present version where they name none, to a stored list behind the program's back; a page that
 * reads it afterwards finds them.
 * @param page one whose scripts run, or the worker
 */
export async function addToStoredList(
  page: Pick<Page, 'evaluate'>,
  list: 'authorities' | 'connections' | 'pinned-keys',
  records: readonly object[],
): Promise<void> {
  // Opening the database first would create it without its tables.
  const names = (): Promise<(string | undefined)[]> =>
    page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await expect.poll(names).toContain('counterfoil');
  await page.evaluate(
    ([key, added]) =>
      new Promise<void>((done, failed) => {
        const opening = indexedDB.open('counterfoil');
        opening.onsuccess = () => {
          const writing = opening.result.transaction('lists', 'readwrite');
          const lists = writing.objectStore('lists');
          const reading: IDBRequest<unknown> = lists.get(key);
          reading.onsuccess = () => {
            const present: unknown[] = Array.isArray(reading.result) ? reading.result : [];
            lists.put([...present, ...added.map((one) => ({ version: 1, ...one }))], key);
          };
          writing.oncomplete = () => {
            opening.result.close();
            done();
          };
          writing.onabort = failed;
        };
        opening.onerror = failed;
      }),
    [list, records] as const,
  );
}

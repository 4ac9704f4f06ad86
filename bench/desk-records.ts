/**
 * Runs in the page: stores one bulk check.
 * @param waiting how many of its rows have no answer yet; it is then paused, and asks `connectionId`
 */
export async function fillJob({
  count,
  id = 'many',
  waiting = [],
  connectionId = 'many',
}: {
  count: number;
  id?: string;
  waiting?: readonly string[];
  connectionId?: string;
}): Promise<void> {
  const open = indexedDB.open('counterfoil');
  await new Promise((resolve) => (open.onsuccess = resolve));
  const transaction = open.result.transaction(['jobs', 'rows'], 'readwrite');
  const job = { id, name: 'Many', createdAt: Date.now(), connectionIds: [connectionId] };
  transaction.objectStore('jobs').put({ ...job, state: waiting.length > 0 ? 'paused' : 'done' });
  for (let index = 0; index < count; index += 1) {
    const place = { jobId: id, index, connectionId, line: index + 1, times: 1 };
    const asked = waiting[index - (count - waiting.length)];
    if (asked !== undefined) {
      transaction.objectStore('rows').put({ ...place, code: asked, waiting: index });
      continue;
    }
    const item = { id: index % 200, name: `Item ${String(index % 200)}`, version: '1.0' };
    const purchase = { item, licenseType: 'Regular', price: 9, currency: 'EUR', date: 0 };
    transaction.objectStore('rows').put({
      ...place,
      code: `5eed0000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      checkedAt: Date.now(),
      outcome: {
        ok: true,
        value: {
          kind: 'purchase',
          purchase: { ...purchase, downloaded: true, supportedUntil: Date.now() + index * 60_000 },
        },
      },
    });
  }
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  open.result.close();
}

/** Runs in the page: stores the items of one connection. */
export async function fillItems(count: number): Promise<void> {
  const open = indexedDB.open('counterfoil');
  await new Promise((resolve) => (open.onsuccess = resolve));
  const transaction = open.result.transaction(['listings', 'items'], 'readwrite');
  const fetchedAt = Date.now();
  transaction.objectStore('listings').put({ connectionId: 'many', fetchedAt, unreadable: 0 });
  for (let id = 1; id <= count; id += 1) {
    const item = {
      id,
      name: `Item ${String(id)}`,
      description: 'Words. '.repeat(100),
      version: '1.0',
      category: `Category ${String(id % 12)}`,
      subCategory: '',
      options: ['PHP 8.x'],
      tags: ['one', 'two', `tag ${String(id % 50)}`],
      media: { screenshots: [] },
      price: { regular: 9, extended: 99 },
      currency: 'EUR',
      publishedAt: 0,
    };
    transaction
      .objectStore('items')
      .put({ connectionId: 'many', id, item, fetchedAt, lookedUp: false });
  }
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  open.result.close();
}

/** Runs in the page: stores checks of the last days, each of a code of its own. */
export async function fillHistory(count: number): Promise<void> {
  const open = indexedDB.open('counterfoil');
  await new Promise((resolve) => (open.onsuccess = resolve));
  const transaction = open.result.transaction(['history'], 'readwrite');
  const history = transaction.objectStore('history');
  history.clear();
  const now = Date.now();
  for (let index = 0; index < count; index += 1) {
    const item = { id: index % 200, name: `Item ${String(index % 200)}`, version: '1.0' };
    history.add({
      codeId: index.toString(16).padStart(32, '0'),
      code: `5eed…${String(index).padStart(6, '0')}`,
      connectionId: 'many',
      connectionName: 'Many',
      by: 'agent',
      checkedAt: now - index * 20,
      answer: {
        kind: 'purchase',
        purchase: {
          item,
          licenseType: 'Regular',
          price: 9,
          currency: 'EUR',
          date: 0,
          downloaded: true,
          supportedUntil: now + index * 60_000,
        },
      },
    });
  }
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  open.result.close();
}

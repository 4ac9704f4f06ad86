import { type Result, fail, succeed } from '#core/result';

/** The disk is full: nothing of what was to be written has been. */
export interface StorageFull {
  readonly kind: 'storage-full';
}

/** One IndexedDB database of several stores. It is opened when it is first used. */
export interface Database {
  /** Runs one transaction. Nothing but the stores' own requests may be awaited in `task`. */
  transact<T>(
    stores: readonly string[],
    mode: 'readonly' | 'readwrite',
    task: (store: (name: string) => IDBObjectStore) => Promise<T>,
  ): Promise<T>;
  /** The same, for what may grow without bounds. */
  write<T>(
    stores: readonly string[],
    task: (store: (name: string) => IDBObjectStore) => Promise<T>,
  ): Promise<Result<T, StorageFull>>;
}

/** @param create makes the stores, in a database that has none */
export function createDatabase(name: string, create: (database: IDBDatabase) => void): Database {
  let opened: Promise<IDBDatabase> | undefined;

  function open(): Promise<IDBDatabase> {
    return (opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        create(request.result);
      };
      request.onsuccess = () => {
        // The browser may close it, as when site data is cleared: the next use opens it anew.
        request.result.onclose = () => (opened = undefined);
        request.result.onversionchange = () => {
          request.result.close();
          opened = undefined;
        };
        resolve(request.result);
      };
      request.onerror = () => {
        opened = undefined;
        reject(reasonOf(request.error));
      };
    }));
  }

  async function transact<T>(
    stores: readonly string[],
    mode: IDBTransactionMode,
    task: (store: (name: string) => IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    const transaction = (await open()).transaction([...stores], mode);
    const over = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => {
        resolve();
      };
      transaction.onabort = () => {
        reject(reasonOf(transaction.error));
      };
    });
    // Waited for below; a task that throws first must not leave a rejection that nobody sees.
    over.catch(() => undefined);
    try {
      const value = await task((store) => transaction.objectStore(store));
      await over;
      return value;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // It is over already.
      }
      // A request that failed says less than the transaction it took down.
      await over.catch((reason: unknown) => {
        throw isFull(reason) ? reason : error;
      });
      throw error;
    }
  }

  return {
    transact,
    async write(stores, task) {
      try {
        return succeed(await transact(stores, 'readwrite', task));
      } catch (error) {
        if (isFull(error)) return fail({ kind: 'storage-full' });
        throw error;
      }
    },
  };
}

/** The result of one request. */
export function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(reasonOf(request.error));
    };
  });
}

/** Walks along a cursor's request until its end, or until `visit` says `false`. */
export function walk(
  request: IDBRequest<IDBCursorWithValue | null>,
  visit: (cursor: IDBCursorWithValue) => boolean | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor === null || visit(cursor) === false) resolve();
      else cursor.continue();
    };
    request.onerror = () => {
      reject(reasonOf(request.error));
    };
  });
}

function reasonOf(error: DOMException | null): Error {
  return error ?? new Error('The transaction was aborted.');
}

function isFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}

import { createStore, del, get, set } from 'idb-keyval';

/** How long shared text may wait to be opened, in milliseconds. */
export const sharedTextLifetime = 10 * 60 * 1000;

/** Caps, in bytes, judged before anything is read. */
const fileCap = 256 * 1024;
const textCap = 32 * 1024 * 1024;
const filesCap = 200;

/** What another app has shared, kept until the agent opens or discards it. */
export interface StoredShare {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly files: readonly SharedFile[];
}

export interface SharedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Absent when the file is over the cap: then only its name waits. */
  readonly content?: Blob;
}

const key = 'parcel';
const store = createStore('counterfoil-shared', 'parcel');

/** Keeps what a share brought, in place of what waited before. Called by the service worker, which shows nothing of it. */
export async function keepShared(form: FormData, now: number): Promise<void> {
  const texts = ['title', 'text', 'url'].flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' && value !== '' ? [value.slice(0, textCap)] : [];
  });
  const files = form
    .getAll('files')
    .filter((entry) => entry instanceof File)
    .slice(0, filesCap)
    .map((file): SharedFile => {
      const { name, size } = file;
      return size <= fileCap ? { name, size, content: file } : { name, size };
    });
  if (texts.length === 0 && files.length === 0) return;
  await set(key, { at: now, text: texts.join('\n'), files } satisfies StoredShare, store);
}

/** What waits, left where it is: for the preview. What has waited too long is deleted instead. */
export async function peekShared(now: number): Promise<StoredShare | undefined> {
  const shared = await get<StoredShare>(key, store);
  if (shared === undefined) return undefined;
  if (now - shared.at < sharedTextLifetime && shared.at <= now) return shared;
  await dropShared();
  return undefined;
}

export async function dropShared(): Promise<void> {
  await del(key, store);
}

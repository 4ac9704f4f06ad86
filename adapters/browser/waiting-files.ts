import { createStore, update } from 'idb-keyval';

import { readUpTo } from '#adapters/http/read-body';
import { fileLimitBytes } from '#core/reading/index';
import { maxShareBytes, type SharedContent } from '#core/site/share-rule';

/** How long shared text may wait to be opened, in milliseconds. */
export const sharedTextLifetime = 10 * 60 * 1000;

/** How many files of one share are kept. */
const maxFiles = 200;
/** How many shares may wait at once. */
export const maxWaiting = 8;

interface StoredShare extends SharedContent<Blob> {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly missed: number;
}

type SharedFile = StoredShare['files'][number];

/** The content that the agent asked to open in the verifier. */
export interface AskedContent extends Pick<StoredShare, 'cut' | 'notFetched'> {
  readonly files?: readonly { readonly name: string; readonly file: Blob }[];
}

const key = 'waiting';
const store = createStore('counterfoil-shared', 'parcel');

/**
 * Queues the content of a posted share. If it is too large, only a notice of that is queued. An empty form is ignored.
 * @throws if the body breaks off or is not a form
 */
export async function keepShare(request: Request, now: number): Promise<void> {
  const form = await readForm(request);
  if (form === undefined) {
    await append({ text: '', files: [], filesLeftOut: 0, tooLarge: true }, now);
    return;
  }
  const texts = ['title', 'text', 'url'].flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  const shared = form.getAll('files').filter((entry) => entry instanceof File);
  const files = shared.slice(0, maxFiles).map((file): SharedFile => {
    const { name, size } = file;
    return size <= fileLimitBytes ? { name, size, content: file } : { name, size };
  });
  if (texts.length === 0 && files.length === 0) return;
  const filesLeftOut = shared.length - files.length;
  await append({ text: texts.join('\n'), files, filesLeftOut, tooLarge: false }, now);
}

/** Reads a posted form; returns undefined if it is too large. */
async function readForm(request: Request): Promise<FormData | undefined> {
  const pieces = await readUpTo(maxShareBytes, request);
  if (pieces === undefined) return undefined;
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return new Response(new Blob(pieces), { headers }).formData();
}

/**
 * Queues what the agent asked to open in the verifier. If a file is larger than a whole share may be, only its name is
 * kept.
 */
export async function keepAsked(content: AskedContent, now: number): Promise<void> {
  const { files = [], ...rest } = content;
  const kept = files.map(({ name, file }): SharedFile => {
    const { size } = file;
    return size <= maxShareBytes ? { name, size, content: file } : { name, size };
  });
  await append(
    { ...rest, asked: true, text: '', files: kept, filesLeftOut: 0, tooLarge: false },
    now,
  );
}

/** Returns the oldest waiting share without removing it, for the preview. Deletes shares that have waited too long. */
export async function peekWaiting(now: number): Promise<SharedContent<Blob> | undefined> {
  let waiting: readonly StoredShare[] = [];
  await update<readonly StoredShare[]>(key, (stored) => (waiting = fresh(stored, now)), store);
  const [first, ...others] = waiting;
  return first && { ...first, more: others.length };
}

export async function dropWaiting(id: string): Promise<void> {
  await update<readonly StoredShare[]>(
    key,
    (waiting = []) => waiting.filter((share) => share.id !== id),
    store,
  );
}

async function append(
  share: Omit<StoredShare, 'id' | 'at' | 'missed'>,
  now: number,
): Promise<void> {
  await update<readonly StoredShare[]>(
    key,
    (stored) => {
      const waiting = fresh(stored, now);
      if (waiting.length < maxWaiting)
        return [...waiting, { ...share, id: crypto.randomUUID(), at: now, missed: 0 }];
      return waiting.map((one, index) =>
        index === waiting.length - 1 ? { ...one, missed: one.missed + 1 } : one,
      );
    },
    store,
  );
}

/** Returns the shares that have not expired, also if the clock was corrected in the meantime. */
function fresh(waiting: readonly StoredShare[] = [], now: number): readonly StoredShare[] {
  return waiting.filter(({ at }) => Math.abs(now - at) < sharedTextLifetime);
}

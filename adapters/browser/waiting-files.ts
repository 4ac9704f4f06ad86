import { createStore, update } from 'idb-keyval';

import { readUpTo } from '#adapters/http/read-body';
import { fileLimitBytes } from '#core/reading/index';
import { maxShareBytes, type SharedContent } from '#core/site/share-rule';

/** Limits how long shared text may wait to be opened, in milliseconds. */
export const sharedTextLifetime = 10 * 60 * 1000;

/** Files of one share that are kept. */
const maxFiles = 200;
/** Limits how many shares wait at once. */
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
 * Keeps what a posted share brought, behind what waits already; of one over the cap, a notice that nothing of it was
 * kept. An empty form leaves nothing.
 * @throws if the body breaks off or is no form
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

/** Reads a posted form; returns undefined when it is over the cap. */
async function readForm(request: Request): Promise<FormData | undefined> {
  const pieces = await readUpTo(maxShareBytes, request);
  if (pieces === undefined) return undefined;
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return new Response(new Blob(pieces), { headers }).formData();
}

/** Keeps what the agent asked to open in the verifier; of a file larger than a whole share only the name is kept. */
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

/** Returns what waits longest and leaves it there, for the preview. Deletes what has waited too long. */
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

/** Keeps what waits although the clock was corrected meanwhile. */
function fresh(waiting: readonly StoredShare[] = [], now: number): readonly StoredShare[] {
  return waiting.filter(({ at }) => Math.abs(now - at) < sharedTextLifetime);
}

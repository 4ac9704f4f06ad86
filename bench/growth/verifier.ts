import type { Page } from '@playwright/test';

import { type Cost, type Growth, withHeap } from '#bench/growth/growth';
import type { BenchSetup } from '#bench/setup';
import { dropAll, openVerifier } from '#bench/verifier';

/** How many documents are signed; longer lists repeat them, which saves nothing: no document is remembered. */
const distinct = 1000;

/** Measures a list with a license token on each line, from the drop to the complete table. */
async function measureTokenList(
  setup: BenchSetup,
  size: { readonly documents: number } | { readonly bytes: number },
  prepare: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<Cost> {
  const page = await openVerifier(setup, distinct);
  await prepare(page);
  await page.evaluate(makeTokenList, size);
  const cost = await withHeap(page, () => page.evaluate(dropAll, false));
  await page.close();
  return cost;
}

/** Runs in the page: puts the list that `dropAll` drops together, out of signed licenses. */
function makeTokenList(size: { readonly documents: number } | { readonly bytes: number }): void {
  const lines = window.signed.licenses.map((license) => `${license}\n`);
  const wanted = 'documents' in size ? size.documents : Infinity;
  const most = 'bytes' in size ? size.bytes : Infinity;
  const whole = new Blob(lines);
  const times = Math.floor(Math.min(wanted / lines.length, most / whole.size));
  const parts: BlobPart[] = Array.from({ length: times }, () => whole);
  let bytes = times * whole.size;
  let documents = times * lines.length;
  for (const line of lines) {
    if (documents >= wanted || bytes + line.length > most) break;
    parts.push(line);
    bytes += line.length;
    documents += 1;
  }
  Object.assign(window.signed, { list: new File(parts, 'list.txt') });
}

/** Measures the verifier's table: memory must stay flat, its rows aside. */
export const batchGrowth: Growth = {
  name: 'verifier, a batch',
  unit: 'documents',
  sizes: [1_000, 10_000, 100_000],
  measure: (setup, documents) => measureTokenList(setup, { documents }),
};

const mebibyte = 1024 * 1024;

/** Measures one file of tokens, up to the largest that is read as a list. */
export const tokenFileGrowth: Growth = {
  name: 'verifier, one file of tokens',
  unit: 'MiB',
  sizes: [0.32, 3.2, 32],
  measure: (setup, size) => measureTokenList(setup, { bytes: size * mebibyte }),
};

const documents = 1000;

/** Measures documents that no pinned key verifies, so that every key is tried. */
export const keyRingGrowth: Growth = {
  name: `verifier, ${documents.toLocaleString('en')} documents that no key verifies`,
  unit: 'keys',
  sizes: [1, 10, 100],
  measure: (setup, keys) => measureTokenList(setup, { documents }, (page) => pinOthers(page, keys)),
};

/** Replaces the pinned key by others. */
async function pinOthers(page: Page, count: number): Promise<void> {
  await page.evaluate(async (wanted) => {
    const hexOf = (bytes: ArrayBuffer): string =>
      Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const opening = indexedDB.open('counterfoil');
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const lists = (mode: IDBTransactionMode): IDBObjectStore =>
      opening.result.transaction('lists', mode).objectStore('lists');
    const reading = lists('readonly').get('pinned-keys') as IDBRequest<object[]>;
    await new Promise((resolve) => (reading.onsuccess = resolve));
    const [pinned] = reading.result;
    const others: object[] = [];
    for (let number = 0; number < wanted; number += 1) {
      const { publicKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
      const raw = await crypto.subtle.exportKey('raw', publicKey);
      const fingerprint = hexOf(await crypto.subtle.digest('SHA-256', raw));
      others.push({ ...pinned, id: fingerprint, raw: hexOf(raw), fingerprint });
    }
    const writing = lists('readwrite').put(others, 'pinned-keys');
    await new Promise((resolve) => (writing.onsuccess = resolve));
    opening.result.close();
  }, count);
}

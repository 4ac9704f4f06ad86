import type { Page } from '@playwright/test';

import { measureTokenList } from '#bench/growth/verifier-page';
import type { Growth } from '#bench/growth/growth';

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

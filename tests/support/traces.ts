import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BrowserContext, Page } from '@playwright/test';

declare global {
  interface Window {
    /** Every message this page sent, with the answer, as JSON. */
    sentMessages?: string[];
  }
}

/** Makes every page of the extension remember from now on the messages that it sends, and what came back. */
export async function recordMessages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (location.protocol !== 'chrome-extension:') return;
    const sent: string[] = (window.sentMessages = []);
    const send: (message: unknown) => Promise<unknown> = chrome.runtime.sendMessage.bind(
      chrome.runtime,
    );
    const recorded = async (message: unknown): Promise<unknown> => {
      const index = sent.push(JSON.stringify({ message })) - 1;
      const answer = await send(message);
      sent[index] = JSON.stringify({ message, answer });
      return answer;
    };
    Object.assign(chrome.runtime, { sendMessage: recorded });
  });
}

/** Returns all that a page shows or holds in its fields. */
export async function textOf(page: Page): Promise<string> {
  return page.evaluate(() =>
    [
      location.href,
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll('input, textarea')].map(
        (field) => (field as HTMLInputElement).value,
      ),
    ].join('\n'),
  );
}

/** Returns all that the extension has stored, as JSON, by the place where it lies. */
export async function storedText(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const rows = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((done, failed) => {
        request.onsuccess = () => {
          done(request.result);
        };
        request.onerror = () => {
          failed(request.error ?? new Error('IndexedDB failed.'));
        };
      });
    const dump: unknown[] = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await rows(indexedDB.open(name ?? ''));
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store);
        dump.push(store, await rows(all.getAllKeys()), await rows(all.getAll()));
      }
      database.close();
    }
    const caches_ = await Promise.all(
      (await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => url),
      ),
    );
    return {
      'storage.local': JSON.stringify(await chrome.storage.local.get(null)),
      'storage.session': JSON.stringify(await chrome.storage.session.get(null)),
      'storage.sync': JSON.stringify(await chrome.storage.sync.get(null)),
      indexedDB: JSON.stringify(dump),
      localStorage: JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      caches: JSON.stringify(caches_),
    };
  });
}

/**
 * Lists the files under a folder that hold a text, in either of the encodings that browsers write, each with how it
 * begins.
 */
export async function filesHolding(folder: string, text: string): Promise<string[]> {
  const needles = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (needles.some((needle) => bytes.includes(needle)))
      found.push(`${path}: ${bytes.toString('latin1', 0, 400)}`);
  }
  return found;
}

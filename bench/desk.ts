import type { Page } from '@playwright/test';

import { alternate, type Measurement, type Samples } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';
import { openPage } from '#scripts/running/extension';

/** The longest a key may take, in milliseconds: a person notices no delay below it. */
const maxKeyMs = 50;
const limit = 'what is felt as instant';

/** Measures from a key in the search field to the redrawn table. */
export const tableTyping: Measurement = {
  name: 'table of 10,000 rows, a key in its search',
  limit,
  goal: { ratio: 1 },
  measure: ({ extension }) =>
    onFilledPage(
      extension,
      '#/bulk/many',
      (page) => page.evaluate(fillJob, { count: 10_000 }),
      'Search codes',
    ),
};

/** Measures the same for the item cards of a large shop. */
export const itemsTyping: Measurement = {
  name: 'page of 2,000 items, a key in its search',
  limit,
  goal: { ratio: 1 },
  measure: ({ extension }) =>
    onFilledPage(
      extension,
      '#/items/many',
      (page) => page.evaluate(fillItems, 2000),
      'Search items',
    ),
};

async function onFilledPage(
  extension: BenchSetup['extension'],
  route: string,
  fill: (page: Page) => Promise<void>,
  field: string,
): Promise<Samples> {
  const page = await openFilledDesk(extension, route, fill);
  const ours = await typed(page, field);
  await page.close();
  return { limit: ours.map(() => maxKeyMs), ours };
}

/** Opens a page of the desk whose database is filled before it reads it. */
export async function openFilledDesk(
  extension: BenchSetup['extension'],
  route: string,
  fill: (page: Page) => Promise<void>,
): Promise<Page> {
  // The first load creates the database, which is filled and then read by a reload.
  const page = await openPage(extension, `desk.html${route}`);
  await page.waitForTimeout(1000);
  await fill(page);
  await page.reload();
  await page.locator('[role=row], .item-card').nth(5).waitFor();
  return page;
}

/** Returns the milliseconds that each of some keys took, from `keydown` to the painted frame. */
export async function typed(page: Page, field: string): Promise<number[]> {
  const search = page.getByLabel(field);
  await search.focus();
  const taken: number[] = [];
  for (const key of ['i', 't', 'e', 'm', ' ', '1', '7', 'Backspace', 'Backspace', '4', '2']) {
    await page.evaluate(() => {
      window.keyTook = undefined;
      addEventListener(
        'keydown',
        () => {
          const began = performance.now();
          requestAnimationFrame(() =>
            setTimeout(() => (window.keyTook = performance.now() - began)),
          );
        },
        { capture: true, once: true },
      );
    });
    await page.keyboard.press(key);
    const took = await page.waitForFunction(() => window.keyTook);
    taken.push((await took.jsonValue()) ?? 0);
  }
  return taken;
}

declare global {
  interface Window {
    /** Milliseconds from the `keydown` event to the next painted frame. */
    keyTook?: number | undefined;
  }
}

const count = 1000;
const workers = 6;

/** How many lists were made. */
let round = 0;

/** Measures a thousand codes on the desk, without a rate limit: from the click to the finished table. */
export const bulk: Measurement = {
  name: 'bulk check, 1,000 codes',
  limit: 'six `fetch` at a time, each reply in IndexedDB before the next',
  goal: { ratio: 1.3 },
  measure: async (setup) => {
    const desk = await openPage(setup.extension, 'desk.html');
    const samples = await alternate(
      () => bareLoop(desk, setup, codesOf(setup, (round += 1))),
      () => checkOnDesk(desk, codesOf(setup, (round += 1))),
      { rounds: 1, warmUp: 1 },
    );
    await desk.close();
    return samples;
  },
};

/** Returns one genuine code, which proves the connection, then codes that nobody has sold. */
export function codesOf({ codes: [genuine = ''] }: BenchSetup, round: number): string[] {
  const unknown = Array.from(
    { length: count - 1 },
    (_, at) =>
      `5eed${String(round).padStart(4, '0')}-0000-4000-8000-${String(at).padStart(12, '0')}`,
  );
  return [genuine, ...unknown];
}

async function bareLoop(
  desk: Page,
  { connection: { baseAddress, apiKey } }: BenchSetup,
  codes: readonly string[],
): Promise<number> {
  return desk.evaluate(
    async ({ address, key, codes, workers }) => {
      const open = indexedDB.open('bare-bulk', 1);
      open.onupgradeneeded = () => open.result.createObjectStore('rows');
      await new Promise((resolve) => (open.onsuccess = resolve));
      const write = (code: string, reply: unknown): Promise<unknown> =>
        new Promise((resolve) => {
          const transaction = open.result.transaction('rows', 'readwrite');
          transaction.objectStore('rows').put(reply, code);
          transaction.oncomplete = resolve;
        });
      const queue = [...codes];
      const began = performance.now();
      const worker = async (): Promise<void> => {
        for (let code = queue.shift(); code !== undefined; code = queue.shift()) {
          const body = new URLSearchParams({ api_key: key, purchase_code: code });
          const response = await fetch(`${address}/api/purchases/validation`, {
            method: 'POST',
            body,
          });
          await write(code, await response.json());
        }
      };
      await Promise.all(Array.from({ length: workers }, worker));
      const taken = performance.now() - began;
      open.result.close();
      return taken;
    },
    { address: baseAddress, key: apiKey, codes, workers },
  );
}

export async function checkOnDesk(desk: Page, codes: readonly string[]): Promise<number> {
  await desk.evaluate(() => {
    location.hash = '#/bulk';
  });
  await desk.locator('input[type=file]').setInputFiles({
    name: 'codes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(codes.join('\n')),
  });
  await desk.getByRole('button', { name: 'Check 1,000 codes' }).waitFor();
  return desk.evaluate(async () => {
    const button = document.querySelector<HTMLElement>('.bulk-input .button.primary');
    const began = performance.now();
    button?.click();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (document.querySelector('.job-figures b')?.textContent.trim() !== 'Finished') return;
        observer.disconnect();
        resolve();
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    });
    return performance.now() - began;
  });
}

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
  transaction
    .objectStore('jobs')
    .put({ ...job, state: waiting.length > 0 ? 'paused' : 'done', version: 1 });
  for (let index = 0; index < count; index += 1) {
    const place = { jobId: id, index, connectionId, line: index + 1, times: 1, version: 1 };
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
      finishedAt: Date.now(),
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
  transaction
    .objectStore('listings')
    .put({ connectionId: 'many', fetchedAt, unreadable: 0, version: 1 });
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
      .put({ connectionId: 'many', id, item, fetchedAt, lookedUp: false, version: 1 });
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
      question: String(index),
      version: 1,
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

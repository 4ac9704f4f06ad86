import type { Page } from '@playwright/test';

import { alternate, type Measurement } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';
import { openPage } from '#scripts/running/extension';

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
      () => onDesk(desk, codesOf(setup, (round += 1))),
      { rounds: 1, warmUp: 1 },
    );
    await desk.close();
    return samples;
  },
};

/** Returns one genuine code, which proves the connection, then codes that nobody has sold. */
function codesOf({ codes: [genuine = ''] }: BenchSetup, round: number): string[] {
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

async function onDesk(desk: Page, codes: readonly string[]): Promise<number> {
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
        if (document.querySelector('.job-figures b')?.textContent !== 'Finished') return;
        observer.disconnect();
        resolve();
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    });
    return performance.now() - began;
  });
}

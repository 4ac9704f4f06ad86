import type { BrowserContext } from '@playwright/test';

import { alternate, type Measurement } from '#bench/measurement';
import { bareId } from '#bench/setup';
import { openPage, stopWorker } from '#scripts/extension';

/** Measures from a message to a stopped worker to its reply. */
export const workerStart: Measurement = {
  name: 'worker, stopped to first answer',
  limit: 'a worker that only answers',
  aim: { ratio: 2 },
  measure: ({ extension }) =>
    alternate(
      () => coldAnswer(extension.context, bareId, { anything: true }),
      () =>
        coldAnswer(extension.context, extension.id, {
          topic: 'secrets.state',
          nonce: crypto.randomUUID(),
          body: {},
        }),
    ),
};

async function coldAnswer(context: BrowserContext, id: string, message: object): Promise<number> {
  const page = await openPage({ context, id }, 'popup.html');
  await stopWorker({ context, id });
  const milliseconds = await page.evaluate(async (question) => {
    const asked = performance.now();
    await chrome.runtime.sendMessage(question);
    return performance.now() - asked;
  }, message);
  await page.close();
  return milliseconds;
}

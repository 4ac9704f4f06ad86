import { bareId, type BenchSetup } from '#bench/setup';
import { alternate, type Measurement } from '#bench/measurement';
import { checkCode } from '#scripts/running/agent';
import { openPage, isWorkerRunning, stopWorker } from '#scripts/running/extension';
import type { Page } from '@playwright/test';

/**
 * Measures from Enter in the popup to the settled verdict: finding the code, the worker, the network, judging and
 * drawing.
 */
export const check: Measurement = {
  name: 'check, Enter to verdict',
  limit: 'a message to a worker: permission, key, `fetch`; one attribute set',
  goal: { ratio: 1.5 },
  measure: async ({ extension, connection, freshCode }) => {
    const { context } = extension;
    const bare = await openPage({ context, id: bareId }, 'check.html');
    const { baseAddress: address, apiKey } = connection;
    await bare.evaluate((keep) => chrome.runtime.sendMessage({ keep }), { address, apiKey });
    const popup = await openPage(extension, 'popup.html');
    const samples = await alternate(
      async () => (await checkCode(bare, freshCode())).milliseconds,
      async () => {
        await popup.reload();
        // A person types after the popup has listed its connections.
        await popup.getByText(connection.name).waitFor();
        const { verdict, milliseconds } = await checkCode(popup, freshCode());
        if (verdict === 'fault') throw new Error('The check that was to be measured failed.');
        return milliseconds;
      },
      // Both fall into a quick and a slow group, so a median of few is of either.
      { rounds: 61 },
    );
    await popup.close();
    await bare.close();
    return samples;
  },
};

/** Measures from a message to a stopped worker to its reply. */
export const workerStart: Measurement = {
  name: 'worker, stopped to first answer',
  limit: 'the same bytes that only answer',
  goal: { ratio: 1.3 },
  measure: async ({ extension: { context, id }, connection }) => {
    const bare = {
      context,
      id: bareId,
      page: await openPage({ context, id: bareId }, 'popup.html'),
    };
    const ours = { context, id, page: await openPage({ context, id }, 'popup.html') };
    // A page that is being opened asks the worker by itself, and asks again when the worker is stopped: it would start
    // it.
    await ours.page.getByText(connection.name).waitFor();
    await ours.page.waitForLoadState('networkidle');
    const samples = await alternate(
      () => coldAnswer(bare, { anything: true }),
      () => coldAnswer(ours, { topic: 'secrets.state', nonce: crypto.randomUUID(), body: {} }),
      { rounds: 21 },
    );
    await bare.page.close();
    await ours.page.close();
    return samples;
  },
};

interface Asker extends Pick<BenchSetup['extension'], 'context' | 'id'> {
  readonly page: Page;
}

async function coldAnswer({ page, ...extension }: Asker, message: object): Promise<number> {
  await stopWorker(extension);
  if (await isWorkerRunning(extension))
    throw new Error('Something started the worker before it was asked.');
  const milliseconds = await page.evaluate(async (question) => {
    const asked = performance.now();
    await chrome.runtime.sendMessage(question);
    return performance.now() - asked;
  }, message);
  // Its own errands begin later, and would run beside the next measurement.
  await stopWorker(extension);
  return milliseconds;
}

import type { Page } from '@playwright/test';

import { alternate, type Measurement } from '#bench/measurement';
import type { BenchSetup } from '#bench/setup';
import { checkCode } from '#scripts/running/agent';
import { openPage } from '#scripts/running/extension';

/** Measures from Enter in the popup to the settled verdict: finding the code, the worker, the network, judging and drawing. */
export const check: Measurement = {
  name: 'check, Enter to verdict',
  limit: 'a bare fetch of the same endpoint from a page',
  goal: { ratio: 1.3, slackMs: 12 },
  measure: async (setup) => {
    const codes = setup.codes[Symbol.iterator]();
    const popup = await openPage(setup.extension, 'popup.html');
    // At rest before it is measured: a page that is still being mounted fetches late.
    const bare = await openPage(setup.extension, 'popup.html');
    await bare.getByText(setup.connection.name).waitFor();
    const samples = await alternate(
      () => bareFetch(bare, setup, take(codes)),
      async () => {
        await popup.reload();
        // A person types after the popup has listed its connections.
        await popup.getByText(setup.connection.name).waitFor();
        const { verdict, milliseconds } = await checkCode(popup, take(codes));
        if (verdict === 'fault') throw new Error('The check that was to be measured failed.');
        return milliseconds;
      },
      { rounds: 11 },
    );
    await popup.close();
    await bare.close();
    return samples;
  },
};

async function bareFetch(page: Page, { connection }: BenchSetup, code: string): Promise<number> {
  return page.evaluate(
    async ({ address, body }) => {
      const asked = performance.now();
      const response = await fetch(`${address}/api/purchases/validation`, {
        method: 'POST',
        body: new URLSearchParams(body),
      });
      await response.json();
      return performance.now() - asked;
    },
    {
      address: connection.baseAddress,
      body: { api_key: connection.apiKey, purchase_code: code },
    },
  );
}

function take(codes: Iterator<string, undefined>): string {
  const next = codes.next();
  if (next.done === true) throw new Error('There are too few codes to ask about.');
  return next.value;
}

import { bareId } from '#bench/bare';
import { alternate, type Measurement } from '#bench/measurement';
import { checkCode } from '#scripts/running/agent';
import { openPage } from '#scripts/running/extension';

/** Measures from Enter in the popup to the settled verdict: finding the code, the worker, the network, judging and drawing. */
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
      { rounds: 31 },
    );
    await popup.close();
    await bare.close();
    return samples;
  },
};

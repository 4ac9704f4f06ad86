import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { checkOnDesk, codesOf } from '#bench/desk';
import { type LookupRequest, clientNames, type Places } from '#bench/peers/clients';
import type { Contest } from '#bench/peers/contest';
import type { BenchSetup } from '#bench/setup';
import { delay, minuteMs } from '#core/time/index';
import { checkCode } from '#scripts/running/agent';
import { openPage } from '#scripts/running/extension';
import { emulations } from '#sandbox/marketplaces/marketplaces';

/** A thousand codes without a limit. Ours stores each answer; the clients throw them away. */
export const thousandCodes: Contest = {
  work: '1,000 codes of one seller, no limit',
  unit: 'ms',
  goal: 'ahead, with each answer stored',
  async prepare(setup) {
    const desk = await openPage(setup.extension, 'desk.html');
    const clients = startClients(setup);
    let round = 5000;
    let restsUntil = 0;
    return {
      // A connection asks 6,000 times a minute at most, which another round within the minute would meet.
      ours: async () => {
        await delay(Math.max(0, restsUntil - performance.now()));
        const taken = await checkOnDesk(desk, codesOf(setup, (round += 1)));
        restsUntil = performance.now() + minuteMs;
        return taken;
      },
      peers: clients.each(() => codesOf(setup, (round += 1))),
      close: async () => {
        await desk.close();
        await clients.close();
      },
    };
  },
};

/** One code that was not asked before. Ours from Enter to the card; the clients from the call to a sentence. */
export const oneCode: Contest = {
  work: 'one code, to the sentence',
  unit: 'ms',
  goal: 'within 10 ms of the best, with the card drawn',
  async prepare(setup) {
    const popup = await openPage(setup.extension, 'popup.html');
    const clients = startClients(setup);
    return {
      ours: async () => {
        await popup.reload();
        await popup.getByText(setup.connection.name).waitFor();
        return (await checkCode(popup, setup.freshCode())).milliseconds;
      },
      peers: clients.each(() => [setup.freshCode()]),
      close: async () => {
        await popup.close();
        await clients.close();
      },
    };
  },
};

/** Starts a thread for the clients, which do not share ours with the sandbox. */
function startClients({ sandbox, connection }: BenchSetup): {
  readonly each: (
    codes: () => readonly string[],
  ) => Readonly<Record<string, () => Promise<number>>>;
  readonly close: () => Promise<unknown>;
} {
  const { origin, token } = sandbox;
  const places: Places = {
    seller: { address: connection.baseAddress, key: connection.apiKey },
    envato: { address: `${origin}/envato/`, key: token('/envato', 'whole') },
    lemonSqueezy: { address: `${origin}/lemon-squeezy`, key: token('/lemon-squeezy', 'whole') },
  };
  const known: Readonly<Record<LookupRequest['client'], string | undefined>> = {
    'fetch in a loop': undefined,
    'envato.js': genuineAt('envato'),
    'lemonsqueezy.js': genuineAt('lemon-squeezy'),
  };
  const worker = new Worker(new URL('clients.ts', import.meta.url));
  const ask = async (asked: LookupRequest): Promise<number> => {
    worker.postMessage(asked);
    const [{ milliseconds }] = (await once(worker, 'message')) as [{ milliseconds: number }];
    return milliseconds;
  };
  return {
    each: (codes) =>
      Object.fromEntries(
        clientNames.map((client) => [
          client,
          () => {
            const own = codes();
            const code = own.length === 1 ? known[client] : undefined;
            return ask({ client, codes: code === undefined ? own : [code], places });
          },
        ]),
      ),
    close: () => worker.terminate(),
  };
}

function genuineAt(id: keyof typeof emulations): string | undefined {
  return Object.values(emulations[id].codes)[0];
}
